/**
 * What differs between two contents, field by field.
 *
 * @module
 */

import { DIFF_PAIRS_MAX } from "../limits.ts";
import { isArray } from "./cbor_value.ts";
import { sameContent } from "./content.ts";
import type { Json } from "./json.ts";
import { compareUtf8 } from "./utf8.ts";

/** One place at which two contents differ. */
export interface ContentChange {
  /** JSON Pointer (RFC 6901) of the place; empty for the whole content. */
  readonly path: string;
  /** What was there; left out where there was nothing. */
  readonly old?: Json;
  /** What is there; left out where there is nothing. */
  readonly new?: Json;
}

/**
 * Returns the field-level difference of two contents; none if they are the same by value. In order it
 * can be applied as JSON Patch (RFC 6902): remove where `new` is left out, add where `old` is, else
 * replace. The items of arrays are aligned, so that one inserted in front is one change: indices of
 * what was removed count in the old array, from its end; all others in the new one.
 *
 * @example
 * ```ts
 * import { diffContent } from "@mnem/core";
 *
 * const changes = diffContent(
 *   { plan: "pro", tags: ["a", "b"] },
 *   { plan: "team", tags: ["b"], seats: 3 },
 * );
 * // [{ path: "/plan", old: "pro", new: "team" }, { path: "/seats", new: 3 }, { path: "/tags/0", old: "a" }]
 * if (changes.length !== 3) throw new Error("one field changed, one came, one item went");
 * ```
 */
export function diffContent(a: Json, b: Json): ContentChange[] {
  const diff: Diff = { changes: [], pairsLeft: DIFF_PAIRS_MAX };
  compare("", a, b, diff);
  return diff.changes;
}

/** A diff as far as it is made. */
interface Diff {
  readonly changes: ContentChange[];
  /** Pairs of array items that may still be compared. */
  pairsLeft: number;
}

type JsonObject = { readonly [key: string]: Json };

function compare(path: string, a: Json, b: Json, to: Diff): void {
  if (isArray(a) && isArray(b)) compareArrays(path, a, b, to);
  else if (isObject(a) && isObject(b)) compareObjects(path, a, b, to);
  else if (!sameContent(a, b)) to.changes.push({ path, old: a, new: b });
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !isArray(value);
}

function compareObjects(
  path: string,
  a: JsonObject,
  b: JsonObject,
  to: Diff,
): void {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  for (const key of [...keys].sort(compareUtf8)) {
    const at = `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    // An own property: a key may be "__proto__" or "constructor".
    if (!Object.hasOwn(b, key)) to.changes.push({ path: at, old: a[key]! });
    else if (!Object.hasOwn(a, key)) {
      to.changes.push({ path: at, new: b[key]! });
    } else compare(at, a[key]!, b[key]!, to);
  }
}

/** An item of each side that stand at the same place: equal, or one changed into the other. */
interface Pair {
  readonly old: number;
  readonly new: number;
}

function compareArrays(
  path: string,
  a: readonly Json[],
  b: readonly Json[],
  to: Diff,
): void {
  const pairs = pairItems(a, b, to);
  const kept = new Set(pairs.map((pair) => pair.old));
  for (let i = a.length - 1; i >= 0; i--) {
    if (!kept.has(i)) to.changes.push({ path: `${path}/${i}`, old: a[i]! });
  }
  const cameFrom = new Map(pairs.map((pair) => [pair.new, pair.old]));
  for (const [i, item] of b.entries()) {
    const old = cameFrom.get(i);
    if (old === undefined) to.changes.push({ path: `${path}/${i}`, new: item });
    else compare(`${path}/${i}`, a[old]!, item, to);
  }
}

/** Pairs equal items, as many as can be, and within each gap between them items by position. */
function pairItems(
  a: readonly Json[],
  b: readonly Json[],
  diff: Diff,
): Pair[] {
  const least = Math.min(a.length, b.length);
  let start = 0;
  while (start < least && sameContent(a[start]!, b[start]!)) start++;
  let end = 0;
  while (
    end < least - start &&
    sameContent(a[a.length - 1 - end]!, b[b.length - 1 - end]!)
  ) end++;
  const pairs: Pair[] = [];
  for (let i = 0; i < start; i++) pairs.push({ old: i, new: i });
  const middle = longestCommon(
    a.slice(start, a.length - end),
    b.slice(start, b.length - end),
    diff,
  ).map((pair) => ({ old: pair.old + start, new: pair.new + start }));
  const rear = { old: a.length - end, new: b.length - end };
  let front: Pair = { old: start, new: start };
  for (const pair of [...middle, rear]) {
    const count = Math.min(pair.old - front.old, pair.new - front.new);
    for (let i = 0; i < count; i++) {
      pairs.push({ old: front.old + i, new: front.new + i });
    }
    if (pair !== rear) pairs.push(pair);
    front = { old: pair.old + 1, new: pair.new + 1 };
  }
  for (let i = 0; i < end; i++) {
    pairs.push({ old: rear.old + i, new: rear.new + i });
  }
  return pairs;
}

/** The longest common subsequence; none if that would take too long to find. */
function longestCommon(
  a: readonly Json[],
  b: readonly Json[],
  diff: Diff,
): Pair[] {
  const pairCount = a.length * b.length;
  if (pairCount > diff.pairsLeft) return [];
  diff.pairsLeft -= pairCount;
  const known = new Map<string, number>();
  const namesOf = (items: readonly Json[]) =>
    items.map((item) => {
      const text = comparable(item);
      const name = known.get(text) ?? known.size;
      known.set(text, name);
      return name;
    });
  const [left, right] = [namesOf(a), namesOf(b)];
  const width = b.length + 1;
  // lengths[i * width + j]: of the longest common subsequence of what follows i and j.
  const lengths = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] = left[i] === right[j]
        ? lengths[(i + 1) * width + j + 1]! + 1
        : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
    }
  }
  const pairs: Pair[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (left[i] === right[j]) pairs.push({ old: i++, new: j++ });
    else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i++;
    else j++;
  }
  return pairs;
}

/** Text that is the same for the same value, whatever the form of a number or the order of keys. */
function comparable(value: Json): string {
  switch (typeof value) {
    case "object":
      if (value === null) return "null";
      if (isArray(value)) return `[${value.map(comparable).join(",")}]`;
      return `{${
        Object.keys(value).sort()
          .map((key) => `${JSON.stringify(key)}:${comparable(value[key]!)}`)
          .join(",")
      }}`;
    case "string":
      return JSON.stringify(value);
    default:
      return String(value);
  }
}
