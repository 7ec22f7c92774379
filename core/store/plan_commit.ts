/**
 * Makes the commit of a state that is known: for a write, a merge or a revert. Reads, but writes
 * nothing.
 *
 * @module
 */

import { FLAT_ENTRIES_MAX } from "../limits.ts";
import { toHex } from "../object/hex.ts";
import type { ChunkRef, ChunkSource, Entry } from "../state/chunk.ts";
import { type FlatImage, flatImage, spliceFlat } from "../state/flat_image.ts";
import { readRuns } from "../state/read_range.ts";
import type { ByteCache } from "../storage/byte_cache.ts";
import type {
  CommitRow,
  ListedChange,
  StateForm,
} from "../storage/commit_row.ts";
import type { StoreReader } from "../storage/store_reader.ts";
import { type MadeCommit, makeCommit } from "./make_commit.ts";
import type { PlannedLayer } from "./planned_layer.ts";
import type { ChangeKind } from "./surface.ts";

/** What planning needs of a store. */
export interface PlanningGround {
  /** Reads commits. */
  readonly reader: StoreReader;
  /** Reads chunks and nodes, those planned but not written included. */
  readonly layer: PlannedLayer;
  /** The bytes of recent flat states, by state id. */
  readonly flats: ByteCache<FlatImage>;
  /** How new states above 1,024 entries are identified. */
  readonly stateForm: StateForm;
}

/** One node that a commit changes. */
export interface CommittedEdit {
  /** The node id. */
  readonly id: string;
  /** The new object, with its bytes unless those are stored already; null: the node is removed. */
  readonly node: {
    readonly object: Uint8Array;
    readonly bytes: Uint8Array | null;
  } | null;
}

/** What a commit is made of once its state is known. */
export interface CommitPlan {
  /** What it says of itself. */
  readonly about: {
    readonly message: string;
    readonly author: string;
    readonly timeMs: number;
  };
  /** None for a root; two for a merge, ours first. */
  readonly parents: readonly CommitRow[];
  /** What changes against the first parent, in bytewise UTF-8 order of the ids. */
  readonly edits: readonly CommittedEdit[];
  /** What those ids are on the first parent. */
  readonly old: ReadonlyMap<string, Entry>;
  /** The new state's tree. */
  readonly root: ChunkRef;
}

/** A commit on a certain head. */
export interface PlannedCommit {
  /** The commit. */
  readonly made: MadeCommit;
  /** The edits that changed something. */
  readonly edits: readonly CommittedEdit[];
  /** What they changed, in id order. */
  readonly changes: ReadonlyMap<string, ChangeKind>;
}

/** Makes the commit of a plan. */
export async function planCommit(
  ground: PlanningGround,
  plan: CommitPlan,
): Promise<PlannedCommit> {
  const { about, parents, edits, old, root } = plan;
  const { message, author, timeMs } = about;
  const changes = edits.map((edit) => listedChange(edit, old.get(edit.id)));
  const state = await identifyState(
    ground,
    root,
    () => imageOf(ground, parents[0] ?? null, plan),
  );
  const parts = { parents, root, state, changes, message, author, timeMs };
  return {
    made: makeCommit(parts),
    edits,
    changes: new Map(changes.map((change) => [change.id, kindOf(change)])),
  };
}

/** The id of a state, and the form that it was made by (FORMAT.md, "State"). */
export async function identifyState(
  ground: PlanningGround,
  root: ChunkRef,
  makeImage: () => Promise<FlatImage>,
): Promise<{ id: Uint8Array; form: StateForm }> {
  if (ground.stateForm === "tree" && root.count > FLAT_ENTRIES_MAX) {
    return { id: root.id, form: "tree" };
  }
  // The only leaf of a state is the flat object itself.
  if (root.level === 0) return { id: root.id, form: "flat" };
  const image = await makeImage();
  ground.flats.set(toHex(image.id), image, image.bytes.length * 2);
  return { id: image.id, form: "flat" };
}

/** The flat object of a state: that of the parent with the edits, if that is still held. */
export async function imageOf(
  { flats, layer }: PlanningGround,
  parent: CommitRow | null,
  { root, edits }: Pick<CommitPlan, "root" | "edits">,
): Promise<FlatImage> {
  const before = flats.get(parent?.commit.state ?? "");
  return before === undefined
    ? flatImage(await readAll(layer, root))
    : spliceFlat(
      before,
      edits.map(({ id, node }) => ({ id, object: node?.object ?? null })),
    );
}

/** What a listed change did. */
export function kindOf(
  change: Pick<ListedChange, "object" | "old">,
): ChangeKind {
  if (change.object === null) return "removed";
  return change.old === null ? "added" : "modified";
}

/** One edit as a change of what was there. */
export function listedChange(
  edit: CommittedEdit,
  old: Entry | undefined,
): ListedChange {
  return {
    id: edit.id,
    object: edit.node?.object ?? null,
    old: old?.object ?? null,
    oldOrigin: old?.changed ?? null,
  };
}

async function readAll(chunks: ChunkSource, root: ChunkRef): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const run of readRuns(chunks, root)) {
    for (const entry of run) entries.push(entry);
  }
  return entries;
}
