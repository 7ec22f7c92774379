/**
 * Writes a commit that is too large for one atomic write (FORMAT.md, "Bulk commits"): nodes and
 * chunks first, then the commit with its branch. When another commit came first, only what that one
 * changed is applied to the tree that is already written.
 *
 * @module
 */

import { CHANGE_LIST_ENTRIES_MAX } from "../limits.ts";
import { toHex } from "../object/hex.ts";
import { compareUtf8 } from "../object/utf8.ts";
import { applyEdits, type TreeEdit } from "../state/apply_edits.ts";
import type { ChunkRef, Entry } from "../state/chunk.ts";
import { diffTrees } from "../state/diff_trees.ts";
import { type FlatImage, spliceFlat } from "../state/flat_image.ts";
import { emptyRoot } from "../state/make_chunk.ts";
import { randomId } from "../chance.ts";
import type { CommitRow, ListedChange } from "../storage/commit_row.ts";
import type { FramedRow } from "../storage/row.ts";
import {
  type CommitParts,
  type MadeCommit,
  makeCommit,
  placeInPack,
} from "./make_commit.ts";
import { ownerRow, partRows } from "./pack_rows.ts";
import { type Outcome, type Tip, unchanged } from "./outcome.ts";
import { type Chain, planningGround } from "./plan_chain.ts";
import {
  identifyState,
  imageOf,
  kindOf,
  listedChange,
  type PlannedCommit,
  type PlanningGround,
} from "./plan_commit.ts";
import {
  checkBase,
  dropUnchanged,
  type PlannedEdits,
  planTree,
  treeEdit,
} from "./plan_write.ts";
import type { PreparedEdit, PreparedWrite } from "./prepared_write.ts";
import type { SharedStore } from "./shared_store.ts";
import { type CommitRows, nodeRow, removalRows } from "./write_rows.ts";
import { writeAhead } from "./write_ahead.ts";

/** A large write whose nodes and chunks are stored, and which follows the head until it lands. */
export class BulkWrite {
  readonly #store: SharedStore;
  readonly #ground: PlanningGround;
  readonly #write: PreparedWrite;
  readonly #pack: string;
  // What the edited ids are on the basis, the commit that the tree is made for.
  readonly #old: Map<string, Entry>;
  readonly #unchanged: Set<string>;
  // Edits whose rows are not written.
  readonly #unwritten: Set<PreparedEdit>;
  // The edits by id, once a race is lost.
  #own: ReadonlyMap<string, PreparedEdit> | undefined;
  #basis: CommitRow | null;
  #tree: ChunkRef;
  #image: FlatImage | undefined;

  private constructor(
    store: SharedStore,
    basis: CommitRow | null,
    { write, edits, old, before }: PlannedEdits,
  ) {
    this.#store = store;
    this.#ground = planningGround(store);
    this.#write = write;
    this.#pack = toHex(randomId());
    this.#old = new Map(old);
    const changing = new Set(edits.length < write.edits.length ? edits : []);
    const dropped = edits.length < write.edits.length
      ? write.edits.filter((edit) => !changing.has(edit))
      : [];
    this.#unchanged = new Set(dropped.map(({ id }) => id));
    this.#unwritten = new Set(dropped);
    this.#basis = basis;
    this.#tree = before;
  }

  /** Writes the nodes of planned edits, and the chunks of the state that they make: nothing names these yet. */
  static async prepare(
    store: SharedStore,
    basis: CommitRow | null,
    planned: PlannedEdits,
  ): Promise<BulkWrite> {
    const bulk = new BulkWrite(store, basis, planned);
    const nodes = bulk.#writeEdits(planned.edits);
    // Whoever waits for it gets its error, and nobody need wait yet.
    nodes.catch(() => {});
    try {
      // The chunks are made while KV is at the nodes.
      await bulk.#writeTree(await planTree(bulk.#ground, planned));
    } finally {
      await nodes;
    }
    return bulk;
  }

  /** What becomes of the write alone. */
  chainOf(outcome: Outcome): Chain {
    return { outcomes: [outcome], chunks: this.#ground.layer, bulk: null };
  }

  /** Plans the commit on a head, which may have moved since the last time, or be another branch's. */
  async plan({ row: head, branch }: Tip): Promise<Outcome> {
    try {
      if (head?.commit.id !== this.#basis?.commit.id) await this.#follow(head);
      const count = this.#write.edits.length - this.#unchanged.size;
      if (count === 0 && !this.#write.allowEmpty) {
        return unchanged(this.#write, head);
      }
      await this.#write.judge?.(branch);
      const { message, author, timeMs } = this.#write;
      const made = makeCommit({
        parents: head === null ? [] : [head],
        root: this.#tree,
        state: await this.#identify(head),
        changes: count > CHANGE_LIST_ENTRIES_MAX ? null : this.#listed(),
        message,
        author,
        timeMs,
      });
      this.#ground.layer.add(made.placed, []);
      const planned = this.#planned(made);
      return {
        is: "commit",
        planned,
        rows: this.#rows(planned),
        result: null,
      };
    } catch (error) {
      return { is: "failed", error };
    }
  }

  /** The flat object is kept from one head to the next like the tree. */
  async #identify(head: CommitRow | null): Promise<CommitParts["state"]> {
    return await identifyState(
      this.#ground,
      this.#tree,
      async () =>
        this.#image ??= await imageOf(this.#ground, head, {
          root: this.#tree,
          edits: this.#kept(),
        }),
    );
  }

  /** What is long is worked out only for the commit that landed: many may be planned before. */
  #planned(made: MadeCommit): PlannedCommit {
    const kept = () => this.#kept();
    const listed = () => this.#listed();
    return {
      made,
      get edits() {
        return kept();
      },
      get changes() {
        return new Map(listed().map((change) => [change.id, kindOf(change)]));
      },
    };
  }

  async #writeTree(tree: ChunkRef): Promise<void> {
    const { root, placed } = placeInPack(tree, this.#pack);
    this.#ground.layer.add(placed, []);
    this.#tree = root;
    const written = this.#ahead(partRows(this.#pack, placed));
    written.catch(() => {});
    await this.#identify(this.#basis);
    await written;
  }

  /** Writes the rows of edits: nodes, and the marks of removals. */
  async #writeEdits(edits: readonly PreparedEdit[]): Promise<void> {
    await this.#ahead(edits.flatMap((edit) => nodeRow(edit) ?? []));
    await writeAhead(this.#store.driver, removalRows(edits, this.#pack));
  }

  async #ahead(rows: readonly FramedRow[]): Promise<void> {
    const pieces = rows.flatMap((row) => row.pieces);
    if (pieces.length > 0) await writeAhead(this.#store.driver, pieces);
    await writeAhead(this.#store.driver, rows);
  }

  /** Brings what came between two heads into the tree; the edits themselves are in it already. */
  async #follow(head: CommitRow | null): Promise<void> {
    const from = this.#basis?.root ?? emptyRoot();
    const to = head?.root ?? emptyRoot();
    // Made once: in the time that it takes a quick writer is there again.
    const own = this.#own ??= new Map(
      this.#write.edits.map((edit) => [edit.id, edit]),
    );
    const others: TreeEdit[] = [];
    const met: PreparedEdit[] = [];
    for await (
      const diff of diffTrees(this.#ground.layer, from, to, { origins: true })
    ) {
      const edit = own.get(diff.id);
      if (edit === undefined) others.push({ id: diff.id, entry: diff.new });
      else {
        met.push(edit);
        if (diff.new === null) this.#old.delete(diff.id);
        else this.#old.set(diff.id, diff.new);
      }
    }
    // The other ids stand as they stood when the base was judged before.
    await checkBase(this.#ground, head, this.#old, {
      ...this.#write,
      edits: met,
    });
    const changing = new Set(
      await dropUnchanged(this.#ground.layer, this.#old, met),
    );
    const again = met.map((edit) => this.#again(edit, changing.has(edit)));
    const edits = [...others, ...again].sort((a, b) => compareUtf8(a.id, b.id));
    const fresh = [...changing].filter((edit) => this.#unwritten.has(edit));
    await this.#writeEdits(fresh);
    for (const edit of fresh) this.#unwritten.delete(edit);
    this.#tree = (await applyEdits(this.#ground.layer, this.#tree, edits)).root;
    this.#image &&= spliceFlat(
      this.#image,
      edits.map(({ id, entry }) => ({ id, object: entry?.object ?? null })),
    );
    this.#basis = head;
  }

  /** An edit of ours on a node that the other commit touched too. */
  #again(edit: PreparedEdit, changes: boolean): TreeEdit {
    const entry = this.#old.get(edit.id);
    if (changes) this.#unchanged.delete(edit.id);
    else this.#unchanged.add(edit.id);
    return changes
      ? treeEdit(edit, entry)
      : { id: edit.id, entry: entry ?? null };
  }

  #listed(): ListedChange[] {
    return this.#kept().map((edit) =>
      listedChange(edit, this.#old.get(edit.id))
    );
  }

  #kept(): readonly PreparedEdit[] {
    const { edits } = this.#write;
    return this.#unchanged.size === 0
      ? edits
      : edits.filter(({ id }) => !this.#unchanged.has(id));
  }

  #rows({ made }: PlannedCommit): CommitRows {
    const { key, value, pieces } = made.framed;
    const owner = ownerRow(this.#pack, made.origin);
    return { sets: [owner, { key, value }], ahead: pieces };
  }
}
