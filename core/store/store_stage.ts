/**
 * Changes kept aside until they are committed, for the command line.
 *
 * @module
 */

import { MnemError } from "../errors.ts";
import { monotonicMs } from "../clock.ts";
import { COMMIT_BUDGET_MS, COMMIT_CHANGES_MAX } from "../limits.ts";
import type { ObjectId } from "../object/commit.ts";
import { toHex } from "../object/hex.ts";
import { blake3 } from "../object/hash.ts";
import { encodeNode, type NodeInput } from "../object/memory_node.ts";
import { checkNodeId } from "../object/node_id.ts";
import { quote } from "../object/quote.ts";
import { compareUtf8 } from "../object/utf8.ts";
import { applyEdits } from "../state/apply_edits.ts";
import { emptyRoot } from "../state/make_chunk.ts";
import { readEntries, readEntry } from "../state/read_entry.ts";
import type { Check } from "../storage/driver.ts";
import type { Position } from "../storage/head.ts";
import { STAGE_MARK_KEY, STAGED_RANGE, stagedKey } from "../storage/keys.ts";
import { STAGE_MARK_ROW } from "../storage/meta_row.ts";
import { type FramedRow, frameRow } from "../storage/row.ts";
import { askedWrite } from "./asked_request.ts";
import { deleteStaged } from "./delete_staged.ts";
import { judgeWrite } from "./judge_write.ts";
import { type NodeBytes, nodeChanges, treeChanges } from "./node_changes.ts";
import { treeEdit } from "./plan_write.ts";
import {
  prepareCommit,
  type PreparedEdit,
  type PreparedWrite,
} from "./prepared_write.ts";
import { readHeadCommit, resolveRevision } from "./resolve_revision.ts";
import type { Session } from "./session.ts";
import type { SharedStore } from "./shared_store.ts";
import { StageMoved } from "./stage_moved.ts";
import type {
  NodeChange,
  Revision,
  Stage,
  StagedChanges,
  WriteOptions,
  Written,
} from "./surface.ts";
import { outOfTime, untilLanded } from "./until_landed.ts";
import { writeAhead } from "./write_ahead.ts";

/** What is staged at one moment. */
interface Staged {
  readonly edits: readonly PreparedEdit[];
  readonly rows: readonly Check[];
  readonly mark: Check;
}

/** The stage of a store. */
export class StoreStage implements Stage {
  readonly #session: Session;
  readonly #position: () => Position;

  /** The stage, as seen from a position of a handle; it is asked at each call. */
  constructor(session: Session, position: () => Position) {
    this.#session = session;
    this.#position = position;
  }

  /** Stages a node; returns its object id. */
  async put(id: string, node: NodeInput): Promise<ObjectId> {
    const { id: object, bytes } = encodeNode(checkNodeId(id), node);
    const row = frameRow(stagedKey(id), bytes, true);
    await this.#session.run((store) => stageRow(store, row));
    return toHex(object);
  }

  /** Stages a removal. `not_found` if the node is neither staged nor in memory. */
  async remove(id: string): Promise<void> {
    checkNodeId(id);
    const position = this.#position();
    await this.#session.run(async (store) => {
      const head = await readHeadCommit(store, position);
      const inMemory = head !== null &&
        await readEntry(store.reader, head.root, id) !== undefined;
      if (inMemory) {
        const row = frameRow(stagedKey(id), new Uint8Array(), true);
        return await stageRow(store, row);
      }
      if (await unstageRow(store, id)) return;
      throw new MnemError(
        "not_found",
        `Cannot remove node ${quote(id)}: it is neither staged nor in memory`,
      );
    });
  }

  /** Drops what is staged for an id; tells whether there was anything. */
  async unstage(id: string): Promise<boolean> {
    checkNodeId(id);
    return await this.#session.run((store) => unstageRow(store, id));
  }

  /** Everything staged, in id order. */
  async list(): Promise<StagedChanges> {
    const { edits } = await this.#session.run(readStage);
    const nodes = edits.flatMap(({ id, node }) =>
      node === null ? [] : [[id, toHex(node.object)] as const]
    );
    const removals = edits.filter(({ node }) => node === null)
      .map(({ id }) => id);
    return { nodes: new Map(nodes), removals };
  }

  /** What `commit` would change, against `from` or the head. In id order. */
  async *diff(from?: Revision): AsyncGenerator<NodeChange> {
    const position = this.#position();
    yield* this.#session.each((store) => stageDiff(store, position, from));
  }

  /** Makes one commit of what is staged, and empties the stage in the same atomic write. */
  async commit(options: WriteOptions): Promise<Written> {
    const prepared = prepareCommit(options, this.#session);
    // Before anything is read: a key that cannot be is the caller's mistake.
    askedWrite(options.key, []);
    const { guard } = this.#session;
    const position = this.#position();
    return await this.#session.run(async (store) => {
      const attempt = async (): Promise<Written | undefined> => {
        const { edits, ...staged } = await readStage(store);
        checkSize(edits.length);
        const asked = askedWrite(options.key, edits, true);
        const write = { ...prepared, edits, asked, staged };
        const judged = await judgeWrite(guard, { store, position, write });
        return await commitStage(store, position, { ...judged, staged });
      };
      const endMs = monotonicMs() + COMMIT_BUDGET_MS;
      for (;;) {
        const written = await attempt();
        if (written !== undefined) return written;
        if (monotonicMs() >= endMs) {
          throw outOfTime("commit the stage", undefined);
        }
      }
    });
  }
}

function checkSize(count: number): void {
  if (count <= COMMIT_CHANGES_MAX) return;
  throw new RangeError(
    `Cannot commit ${count} staged changes: the limit is ${COMMIT_CHANGES_MAX}`,
  );
}

/** Commits what was read of the stage, and empties it. Undefined: it changed meanwhile. */
async function commitStage(
  store: SharedStore,
  position: Position,
  write: PreparedWrite & { readonly staged: Omit<Staged, "edits"> },
): Promise<Written | undefined> {
  try {
    const written = await store.queue(position).submit(write);
    // All of it was so already: nothing is left to commit.
    if (written.changes.size === 0 && !write.allowEmpty) {
      const { rows, mark } = write.staged;
      await deleteStaged(store.driver, rows, mark);
    }
    return written;
  } catch (error) {
    if (error instanceof StageMoved) return undefined;
    throw error;
  }
}

async function stageRow(store: SharedStore, row: FramedRow): Promise<void> {
  await writeAhead(store.driver, row.pieces);
  const { key, value } = row;
  await untilLanded("stage a change", async () => {
    const sent = await store.driver.commit({
      sets: [{ key, value }, STAGE_MARK_ROW],
    });
    return sent.ok ? true : undefined;
  });
}

async function unstageRow(store: SharedStore, id: string): Promise<boolean> {
  const key = stagedKey(id);
  let sentBefore = false;
  return await untilLanded(`unstage ${quote(id)}`, async () => {
    const [staged] = await store.driver.getMany([key]);
    if (!staged) return sentBefore;
    sentBefore = true;
    const sent = await store.driver.commit({
      checks: [{ key, versionstamp: staged.versionstamp }],
      sets: [STAGE_MARK_ROW],
      deletes: [key],
    });
    return sent.ok ? true : undefined;
  });
}

async function readStage(store: SharedStore): Promise<Staged> {
  return await untilLanded("read the stage", async () => {
    const [before] = await store.driver.getMany([STAGE_MARK_KEY]);
    const edits: PreparedEdit[] = [];
    const rows: Check[] = [];
    for await (const row of store.driver.list(STAGED_RANGE)) {
      const id = String(row.key[1]);
      const bytes = await store.reader.payload(row, true);
      const node = bytes.length === 0 ? null : { object: blake3(bytes), bytes };
      edits.push({ id, node });
      rows.push({ key: row.key, versionstamp: row.versionstamp });
    }
    const [after] = await store.driver.getMany([STAGE_MARK_KEY]);
    const versionstamp = after?.versionstamp ?? null;
    // A long list is not of one moment: the mark tells whether anything changed meanwhile.
    if (versionstamp !== (before?.versionstamp ?? null)) return undefined;
    edits.sort((a, b) => compareUtf8(a.id, b.id));
    return { edits, rows, mark: { key: STAGE_MARK_KEY, versionstamp } };
  });
}

async function* stageDiff(
  store: SharedStore,
  position: Position,
  from: Revision | undefined,
): AsyncGenerator<NodeChange> {
  const { edits } = await readStage(store);
  const head = await readHeadCommit(store, position);
  const before = from === undefined
    ? head
    : await resolveRevision(store, position, from);
  const chunks = store.reader;
  const root = head?.root ?? emptyRoot();
  const old = await readEntries(chunks, root, edits.map(({ id }) => id));
  const after = await applyEdits(
    chunks,
    root,
    edits.map((edit) => treeEdit(edit, old.get(edit.id))),
  );
  yield* nodeChanges(
    treeChanges(chunks, before?.root ?? emptyRoot(), after.root),
    stagedBytes(store, edits),
  );
}

/** Reads nodes, those that are only staged included. */
function stagedBytes(
  store: SharedStore,
  edits: readonly PreparedEdit[],
): NodeBytes {
  const staged = new Map(
    edits.flatMap(({ node }) =>
      node === null ? [] : [[toHex(node.object), node.bytes]]
    ),
  );
  return async (names) => {
    const stored = names.filter(({ object }) => !staged.has(toHex(object)));
    const bytes = await store.reader.nodes(stored);
    let next = 0;
    return names.map(({ object }) =>
      staged.get(toHex(object)) ?? bytes[next++]!
    );
  };
}
