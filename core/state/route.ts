/**
 * Finds the way down: which child of an index chunk covers which ids.
 *
 * @module
 */

import { invariant } from "../errors.ts";
import { compareUtf8 } from "../object/utf8.ts";
import type { ChunkRef } from "./chunk.ts";

/** Anything that has a node id. */
export interface Named {
  /** The node id. */
  readonly id: string;
}

/** A part of a sorted list: from `from` up to, not including, `to`. */
export interface Span {
  /** The first place. */
  readonly from: number;
  /** The place after the last. */
  readonly to: number;
}

/** A child, and the part of the sorted list that it covers. */
export interface Route extends Span {
  /** The child. */
  readonly ref: ChunkRef;
  /** Its place among its siblings. */
  readonly place: number;
}

/**
 * Returns the children that cover a part of a sorted list of ids, in order. An id below the first
 * key belongs to the first child.
 */
export function routeIds(
  children: readonly ChunkRef[],
  sorted: readonly Named[],
  span: Span,
): Route[] {
  const routes: Route[] = [];
  let from = span.from;
  while (from < span.to) {
    const id = sorted[from]?.id ?? "";
    const above = search(children, (child) => compareUtf8(child.key, id) <= 0);
    const place = Math.max(0, above - 1);
    const ref = children[place];
    if (ref === undefined) break;
    const next = children[place + 1];
    const to = next === undefined
      ? span.to
      : placeOf(sorted, next.key, { from, to: span.to });
    invariant(to > from, "children of a chunk are in bytewise order");
    routes.push({ ref, place, from, to });
    from = to;
  }
  return routes;
}

/** Returns the place of the first item of a sorted list whose id is not below the given one. */
export function placeOf(
  sorted: readonly Named[],
  id: string,
  span: Span = { from: 0, to: sorted.length },
): number {
  return search(sorted, (item) => compareUtf8(item.id, id) < 0, span);
}

/** Returns the place where a condition that holds for the first items ceases to hold. */
function search<T>(
  items: readonly T[],
  holds: (item: T) => boolean,
  span: Span = { from: 0, to: items.length },
): number {
  let { from, to } = span;
  while (from < to) {
    const middle = (from + to) >>> 1;
    const item = items[middle];
    if (item !== undefined && holds(item)) from = middle + 1;
    else to = middle;
  }
  return from;
}
