/**
 * Works out what a write would make of a head: nothing, or one commit. Reads, but writes nothing.
 *
 * @module
 */

import { MnemError } from "../errors.ts";
import { shortOf } from "../object/graph_commit.ts";
import { holdsNumber } from "../object/holds_number.ts";
import type { Json } from "../object/json.ts";
import {
  decodeNode,
  type MemoryNode,
  sameNode,
} from "../object/memory_node.ts";
import { wireNode } from "../object/wire_node.ts";
import { applyEdits, type TreeEdit } from "../state/apply_edits.ts";
import { type ChunkRef, type Entry, sameId, SELF } from "../state/chunk.ts";
import { emptyRoot } from "../state/make_chunk.ts";
import { entriesIn, readEntries } from "../state/read_entry.ts";
import { readTouched } from "../state/touched_chunks.ts";
import type { CommitRow } from "../storage/commit_row.ts";
import type { CommitPlan, PlanningGround } from "./plan_commit.ts";
import type { PlannedLayer } from "./planned_layer.ts";
import type { PreparedEdit, PreparedWrite } from "./prepared_write.ts";

/** What a write changes on a certain head. */
export interface PlannedEdits {
  /** The write. */
  readonly write: PreparedWrite;
  /** Its edits that change something. */
  readonly edits: readonly PreparedEdit[];
  /** What those ids are on the parent. */
  readonly old: ReadonlyMap<string, Entry>;
  /** The tree of the parent's state. */
  readonly before: ChunkRef;
  /** The way down to the edits, where no edit was dropped. */
  readonly way: Parameters<typeof applyEdits>[3];
}

/**
 * Plans what a write changes on a commit, or on a branch without one. Null: nothing would change.
 * Throws `conflict` when an edited id changed since the write's base.
 */
export async function planEdits(
  ground: PlanningGround,
  parent: CommitRow | null,
  write: PreparedWrite,
): Promise<PlannedEdits | null> {
  const before = parent?.root ?? emptyRoot();
  const { layer } = ground;
  const touching = write.edits.map(({ id, node }) => ({ id, entry: node }));
  // The way down is gone once: what is there, and what becomes of it.
  const levels = touching.length === 0
    ? []
    : await readTouched(layer, before, touching);
  const old = entriesIn(levels[0] ?? [], touching);
  await checkBase(ground, parent, old, write);
  const edits = await dropUnchanged(layer, old, write.edits);
  if (edits.length === 0 && !write.allowEmpty) return null;
  const way = edits.length === touching.length ? { levels } : {};
  return { write, edits, old, before, way };
}

/** The tree of the state that planned edits make. */
export async function planTree(
  { layer }: PlanningGround,
  { edits, old, before, way }: PlannedEdits,
): Promise<ChunkRef> {
  const treeEdits = edits.map((edit) => treeEdit(edit, old.get(edit.id)));
  return (await applyEdits(layer, before, treeEdits, way)).root;
}

/** The plan of the commit of planned edits on their parent. */
export async function commitPlan(
  ground: PlanningGround,
  parent: CommitRow | null,
  planned: PlannedEdits,
): Promise<CommitPlan> {
  const { write, edits, old } = planned;
  const root = await planTree(ground, planned);
  const parents = parent === null ? [] : [parent];
  return { about: write, parents, edits, old, root };
}

/** What one edit does to the tree. */
export function treeEdit(edit: PreparedEdit, old: Entry | undefined): TreeEdit {
  if (edit.node === null) return { id: edit.id, entry: null };
  const { object } = edit.node;
  return {
    id: edit.id,
    entry: { id: edit.id, object, changed: SELF, born: old?.born ?? SELF },
  };
}

/**
 * Drops edits that are already so. Two nodes of one value can have different objects: a bundle may
 * bring 1.0 where a write here stores 1. Only a value with an integral number can meet such a twin.
 */
export async function dropUnchanged(
  layer: Pick<PlannedLayer, "nodes">,
  old: ReadonlyMap<string, Entry>,
  edits: readonly PreparedEdit[],
): Promise<PreparedEdit[]> {
  const different = edits.filter((edit) => {
    const entry = old.get(edit.id);
    if (edit.node === null || entry === undefined) {
      return edit.node !== null || entry !== undefined;
    }
    return !sameId(entry.object, edit.node.object);
  });
  const doubtful = different.flatMap((edit) => {
    const entry = old.get(edit.id);
    if (edit.node === null || entry === undefined) return [];
    // Most values hold no number, and to read a node costs as much as to write it.
    if (!holdsNumber(edit.node.bytes)) return [];
    const node = decodeNode(edit.node.bytes);
    return holdsIntegral(node.content)
      ? [{ id: edit.id, node, object: entry.object }]
      : [];
  });
  if (doubtful.length === 0) return different;
  const bytes = await layer.nodes(doubtful);
  const same = new Set(
    doubtful.filter(({ node }, i) => sameNode(decodeNode(bytes[i]!), node)).map(
      ({ id }) => id,
    ),
  );
  return different.filter((edit) => !same.has(edit.id));
}

function holdsIntegral(content: Json): boolean {
  if (typeof content === "number") return Number.isInteger(content);
  if (typeof content === "bigint") return true;
  if (typeof content !== "object" || content === null) return false;
  return Object.values(content).some(holdsIntegral);
}

/** Throws `conflict` when an id that a write edits differs between its base and its parent. */
export async function checkBase(
  ground: PlanningGround,
  parent: CommitRow | null,
  old: ReadonlyMap<string, Entry>,
  write: PreparedWrite,
): Promise<void> {
  const head = parent?.commit.id ?? null;
  const { base } = write;
  if (base === undefined || base === head) return;
  const atBase = await readAtBase(ground, base, write);
  const moved = write.edits.map(({ id }) => id).filter((id) => {
    const [before, now] = [atBase.get(id), old.get(id)];
    if (before === undefined || now === undefined) return before !== now;
    return !sameId(before.object, now.object);
  });
  if (moved.length === 0) return;
  const conflicts = await Promise.all(moved.map(async (id) => ({
    id,
    base: await wireAt(ground.layer, atBase.get(id)),
    head: await wireAt(ground.layer, old.get(id)),
  })));
  throw new MnemError(
    "conflict",
    `Cannot write: ${moved.length} of the edited nodes changed since the base ${
      base ?? "none"
    }, ` +
      `the first is ${JSON.stringify(moved[0])}`,
    { data: { head, conflicts } },
  );
}

async function readAtBase(
  ground: PlanningGround,
  base: string | null,
  write: PreparedWrite,
): Promise<ReadonlyMap<string, Entry>> {
  if (base === null) return new Map();
  const [row] = await ground.reader.commits([shortOf(base)]);
  if (row?.commit.id !== base) {
    throw new MnemError(
      "invalid_ref",
      `The base ${JSON.stringify(base)} names no commit here`,
    );
  }
  return await readEntries(
    ground.layer,
    row.root,
    write.edits.map(({ id }) => id),
  );
}

async function wireAt(
  layer: PlannedLayer,
  entry: Entry | undefined,
): Promise<Json> {
  if (entry === undefined) return null;
  const [bytes] = await layer.nodes([entry]);
  const node: MemoryNode = decodeNode(bytes!);
  return wireNode(node);
}
