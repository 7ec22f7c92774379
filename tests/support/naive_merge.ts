/**
 * Merges and reverts worked out the slow and obvious way, by recursion over whole copies of memory.
 * Shares nothing with the store.
 *
 * @module
 */

import {
  ancestors,
  kindsOf,
  naiveBases,
  type NaiveMade,
  type NaiveMemory,
  type NaiveValue,
  same,
  writerOf,
} from "./naive_graph.ts";

/** What both sides started from. */
type NaiveBase =
  | { readonly torn: false; readonly value: NaiveValue | undefined }
  | { readonly torn: true; readonly value: NaiveValue | undefined };

/** A conflict, by objects. */
export interface NaiveConflict {
  /** The node. */
  readonly id: string;
  /** How the sides disagree. */
  readonly kind: string;
  /** The objects shown. */
  readonly sides: readonly (string | null)[];
}

/** What one says of a conflict. */
export type NaiveChoice = "ours" | "theirs" | "base" | "delete" | NaiveValue;

/** What a merge comes to. */
export type NaiveMerged =
  | { readonly is: "not_found" | "unrelated" | "fast-forwarded" }
  // A revert may keep our evidence of what it would bring back, and so change nothing.
  | { readonly is: "up-to-date"; readonly reconciled: readonly string[] }
  | { readonly is: "conflicts"; readonly conflicts: readonly NaiveConflict[] }
  | {
    readonly is: "merged";
    readonly memory: NaiveMemory;
    readonly reconciled: readonly string[];
  };

/** How to merge. */
export interface NaiveOptions {
  /** By node. */
  readonly resolutions: ReadonlyMap<string, NaiveChoice>;
  /** For the rest. */
  readonly strategy: "ours" | "theirs" | undefined;
  /** Also without a common commit. */
  readonly allowUnrelated: boolean;
}

/** A value at a commit, with the commit that wrote it there. */
interface Stand {
  readonly value: NaiveValue | undefined;
  readonly timeMs: number;
}

function standAt(commit: NaiveMade, id: string): Stand {
  const value = commit.memory.get(id);
  const timeMs = value?.eventTimeMs ??
    (value === undefined ? 0 : writerOf(commit, id).timeMs);
  return { value, timeMs };
}

/** The result of the table; null: a conflict. */
function table(base: NaiveBase, ours: Stand, theirs: Stand): Stand | null {
  if (same(ours.value, theirs.value)) return ours;
  if (base.torn) return null;
  if (same(base.value, ours.value)) return theirs;
  if (same(base.value, theirs.value)) return ours;
  return null;
}

/** Which of two values of the same content is kept; null: the contents differ. */
function reconcile(a: Stand, b: Stand): Stand | null {
  if (a.value === undefined || b.value === undefined) return null;
  if (a.value.content !== b.value.content) return null;
  if (a.timeMs !== b.timeMs) return a.timeMs > b.timeMs ? a : b;
  return a.value.object > b.value.object ? a : b;
}

/** What two commits started from, for one node. */
export function naiveBase(a: NaiveMade, b: NaiveMade, id: string): NaiveBase {
  const bases = naiveBases(a, b);
  const held = bases.map((base) => standAt(base, id));
  const first = held[0]?.value;
  if (held.every(({ value }) => same(value, first))) {
    return { torn: false, value: first };
  }
  const shown: (NaiveValue | undefined)[] = [];
  for (const [i, own] of held.entries()) {
    let wins = true;
    for (const [j, other] of held.entries()) {
      if (same(own.value, other.value)) continue;
      const base = naiveBase(bases[i]!, bases[j]!, id);
      shown.push(base.value);
      const result = table(base, own, other) ?? reconcile(own, other);
      wins &&= result !== null && same(result.value, own.value);
    }
    if (wins) return { torn: false, value: own.value };
  }
  const agreed = shown.every((value) => same(value, shown[0]));
  return { torn: true, value: agreed ? shown[0] : undefined };
}

/** One node with two sides. */
interface NaiveCase {
  readonly id: string;
  readonly base: NaiveBase;
  readonly ours: Stand;
  readonly theirs: Stand;
}

/** Merges one commit into another. */
export function naiveMerge(
  ours: NaiveMade,
  theirs: NaiveMade,
  options: NaiveOptions,
): NaiveMerged {
  const stale = options.resolutions.size > 0;
  if (ancestors(ours).has(theirs)) {
    return stale ? { is: "not_found" } : { is: "up-to-date", reconciled: [] };
  }
  if (ancestors(theirs).has(ours)) {
    return { is: stale ? "not_found" : "fast-forwarded" };
  }
  if (!options.allowUnrelated && naiveBases(ours, theirs).length === 0) {
    return { is: "unrelated" };
  }
  const ids = new Set([...ours.memory.keys(), ...theirs.memory.keys()]);
  const cases = [...ids].sort().map((id) => ({
    id,
    base: naiveBase(ours, theirs, id),
    ours: standAt(ours, id),
    theirs: standAt(theirs, id),
  }));
  return settle(ours.memory, cases, options);
}

/** Takes back on `head` what a commit changed against a parent. */
export function naiveRevert(
  head: NaiveMade,
  { commit, parent }: {
    readonly commit: NaiveMade;
    readonly parent: NaiveMade | undefined;
  },
  options: NaiveOptions,
): NaiveMerged {
  const nothing: NaiveMemory = new Map();
  const before = parent?.memory ?? nothing;
  const ids = new Set([...commit.memory.keys(), ...before.keys()]);
  const cases = [...ids].filter((id) =>
    !same(commit.memory.get(id), before.get(id))
  ).sort().map((id) => ({
    id,
    base: { torn: false, value: commit.memory.get(id) } as const,
    ours: standAt(head, id),
    theirs: parent === undefined
      ? { value: undefined, timeMs: 0 }
      : standAt(parent, id),
  }));
  const result = settle(head.memory, cases, options);
  if (result.is !== "merged") return result;
  const { memory, reconciled } = result;
  const changes = kindsOf(head.memory, memory).size > 0;
  return changes ? result : { is: "up-to-date", reconciled };
}

function settle(
  from: NaiveMemory,
  cases: readonly NaiveCase[],
  { resolutions, strategy }: NaiveOptions,
): NaiveMerged {
  const memory = new Map(from);
  const put = (id: string, value: NaiveValue | undefined) => {
    if (value === undefined) memory.delete(id);
    else memory.set(id, value);
  };
  const conflicts: NaiveConflict[] = [];
  const reconciled: string[] = [];
  const met = new Set<string>();
  let noBase = false;
  for (const { id, base, ours, theirs } of cases) {
    const result = table(base, ours, theirs);
    if (result !== null) {
      put(id, result.value);
      continue;
    }
    met.add(id);
    const choice = resolutions.get(id) ?? strategy;
    const kept = choice === undefined ? reconcile(ours, theirs) : null;
    if (choice === "ours") put(id, ours.value);
    else if (choice === "theirs") put(id, theirs.value);
    else if (choice === "delete") put(id, undefined);
    else if (choice === "base") {
      noBase ||= base.value === undefined;
      put(id, base.value);
    } else if (choice !== undefined) put(id, choice);
    else if (kept !== null) {
      put(id, kept.value);
      reconciled.push(id);
    } else {
      conflicts.push(conflictOf(id, base.value, ours.value, theirs.value));
    }
  }
  const isStale = [...resolutions.keys()].some((id) => !met.has(id));
  if (isStale || noBase) return { is: "not_found" };
  if (conflicts.length > 0) return { is: "conflicts", conflicts };
  return { is: "merged", memory, reconciled };
}

function conflictOf(
  id: string,
  base: NaiveValue | undefined,
  ours: NaiveValue | undefined,
  theirs: NaiveValue | undefined,
): NaiveConflict {
  const kind = ours === undefined
    ? "delete/edit"
    : theirs === undefined
    ? "edit/delete"
    : base === undefined
    ? "add/add"
    : "edit/edit";
  const sides = [base, ours, theirs].map((side) => side?.object ?? null);
  return { id, kind, sides };
}
