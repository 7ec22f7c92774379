/**
 * The golden vectors of state trees.
 *
 * @module
 */

import type { Entry } from "../../core/state/chunk.ts";
import { compareUtf8 } from "../../core/object/utf8.ts";
import { entryOf } from "./tree_cases.ts";

/** One tree as the vectors give it, with the entries that its name describes. */
export interface TreeVector {
  /** Which entries it has, in words. */
  readonly name: string;
  /** The entries, in the order of the tree. */
  readonly entries: readonly Entry[];
  /** The id of the flat object, in hex. */
  readonly flatId: string;
  /** The logical id of the root, in hex. */
  readonly treeRoot: string;
  /** The level of the root. */
  readonly rootLevel: number;
  /** The number of chunks of each level, the leaves first. */
  readonly chunksPerLevel: readonly number[];
  /** The id of the state, in hex. */
  readonly stateId: string;
}

let kept: readonly TreeVector[] | undefined;

/** Returns the tree vectors. */
export function treeVectors(): readonly TreeVector[] {
  return kept ??= vectors().trees.map((tree) => ({
    name: tree.name,
    entries: idsOf(tree).sort(compareUtf8).map((id) => entryOf(id)),
    flatId: tree.flat_id,
    treeRoot: tree.tree_root,
    rootLevel: tree.root_level,
    chunksPerLevel: tree.chunks_per_level,
    stateId: tree.state_id,
  }));
}

/** Returns the levels of some node ids. */
export function levelVectors(): [string, number][] {
  return Object.entries(vectors().key_levels);
}

interface StoredVector {
  readonly name: string;
  readonly entries: number;
  readonly flat_id: string;
  readonly tree_root: string;
  readonly root_level: number;
  readonly chunks_per_level: readonly number[];
  readonly state_id: string;
}

function vectors(): {
  readonly trees: readonly StoredVector[];
  readonly key_levels: { readonly [id: string]: number };
} {
  const path = new URL("../data/vectors.json", import.meta.url);
  return JSON.parse(Deno.readTextFileSync(path));
}

/** The ids that the name of a vector describes. */
function idsOf({ name, entries }: StoredVector): string[] {
  if (name.startsWith("ids n00000..")) return numbered(entries, 5);
  if (name.startsWith("ids n0000..")) return numbered(entries, 4);
  if (name.startsWith("1100 ids mixing")) {
    return ["a", "b", "é", "～", "😀"].flatMap((head) =>
      Array.from({ length: 220 }, (_, i) => head + i)
    );
  }
  if (name === "2000 minus every id ending in 7") {
    return numbered(2000, 4).filter((id) => !id.endsWith("7"));
  }
  if (name === "2000 plus n0000a..n0099a") {
    const more = numbered(100, 4).map((id) => id + "a");
    return [...numbered(2000, 4), ...more];
  }
  throw new Error(`No rule for the vector "${name}"`);
}

function numbered(count: number, digits: number): string[] {
  return Array.from(
    { length: count },
    (_, i) => "n" + String(i).padStart(digits, "0"),
  );
}
