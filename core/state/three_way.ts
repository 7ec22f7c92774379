/**
 * The three-way merge of one node: pure, by object id (FORMAT.md, "Merges").
 *
 * @module
 */

import { type Entry, sameId } from "./chunk.ts";

/**
 * What two sides started from. "conflict": several merge bases hold different values and none of
 * them wins, so that the base is equal to nothing; `shown` is then what a person is shown.
 */
export type Base =
  | { readonly is: "value"; readonly entry: Entry | null }
  | { readonly is: "conflict"; readonly shown: Entry | null };

/** What becomes of one node. */
export type ThreeWay = "ours" | "theirs" | "conflict";

/** How two sides disagree. */
export type ConflictKind =
  | "edit/edit"
  | "edit/delete"
  | "delete/edit"
  | "add/add";

/** Merges one node. Equal sides are ours: nothing changes then. */
export function mergeThree(
  base: Base,
  ours: Entry | null,
  theirs: Entry | null,
): ThreeWay {
  if (sameObject(ours, theirs)) return "ours";
  if (base.is === "conflict") return "conflict";
  if (sameObject(base.entry, ours)) return "theirs";
  if (sameObject(base.entry, theirs)) return "ours";
  return "conflict";
}

/** The kind of a conflict, by presence. */
export function conflictKind(
  base: Base,
  ours: Entry | null,
  theirs: Entry | null,
): ConflictKind {
  if (ours === null) return "delete/edit";
  if (theirs === null) return "edit/delete";
  return shownBase(base) === null ? "add/add" : "edit/edit";
}

/** The value that a conflict shows as its base; null if there is none. */
export function shownBase(base: Base): Entry | null {
  return base.is === "value" ? base.entry : base.shown;
}

/** Whether two entries hold the same object, or both nothing. */
export function sameObject(a: Entry | null, b: Entry | null): boolean {
  if (a === null || b === null) return a === b;
  return sameId(a.object, b.object);
}
