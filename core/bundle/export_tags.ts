/**
 * What is brought together by object id when a store is exported: its objects, and what names them.
 *
 * @module
 */

import type { ObjectKind } from "../object/object_fields.ts";
import { KIND_TAGS } from "./object_file.ts";

/** A commit's state holds the node. Comes first. */
export const NAMED_TAG = 0;

/** Nodes are exported if a commit names them; all else, and whatever was imported so, in any case. */
const LOOSE_TAG = 8;

/** The tag of an object of some kind; `isLoose`: one that is exported though nothing may name it. */
export function tagOf(kind: ObjectKind, isLoose = false): number {
  return 1 + KIND_TAGS.indexOf(kind) + (isLoose ? LOOSE_TAG : 0);
}

/** What a tag says of an object. */
interface ObjectTag {
  readonly kind: ObjectKind;
  readonly needsName: boolean;
}

const TAGS: readonly ObjectTag[] = [false, true].flatMap((isLoose) =>
  Array.from({ length: LOOSE_TAG }, (_, i) => {
    const kind = KIND_TAGS[i - 1] ?? "memory_node";
    return { kind, needsName: kind === "memory_node" && !isLoose };
  })
);

/** Reads the tag of an object. */
export function readTag(tag: number): ObjectTag {
  return TAGS[tag]!;
}
