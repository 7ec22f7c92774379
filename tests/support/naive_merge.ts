/**
 * Merges, reverts and what they make of history, worked out the slow and obvious way: whole copies of
 * memory, sets of ancestors, recursion. Shares nothing with the store, down to the ids, which it
 * computes with another encoder and another hash.
 *
 * @module
 */

import { blake3 } from "@noble/hashes/blake3.js";
import { encode } from "cborg";

/** A value: `object` is the id of its node. */
export interface NaiveValue {
  /** The object id, in hex. */
  readonly object: string;
  /** The content. */
  readonly content: string;
  /** Whose word it is. */
  readonly source: string | undefined;
  /** When it happened. */
  readonly eventTimeMs: number | undefined;
}

/** All nodes by id. */
export type NaiveMemory = ReadonlyMap<string, NaiveValue>;

/** A commit with all that was in memory. */
export interface NaiveMade {
  /** Its id, computed here. */
  readonly id: string;
  /** None, one, or ours and theirs. */
  readonly parents: readonly NaiveMade[];
  /** Its time. */
  readonly timeMs: number;
  /** What was in memory. */
  readonly memory: NaiveMemory;
}

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

const hex = (bytes: Uint8Array) => bytes.toHex();
const idOf = (object: unknown) => hex(blake3(encode(object)));

/** A value with its object id. */
export function naiveValue(
  id: string,
  content: string,
  source?: string,
  eventTimeMs?: number,
): NaiveValue {
  const object = idOf({
    kind: "memory_node",
    id,
    content,
    content_kind: "note",
    ...source === undefined ? {} : { provenance: { source } },
    ...eventTimeMs === undefined ? {} : { event_time: eventTimeMs },
  });
  return { object, content, source, eventTimeMs };
}

/** A commit with its id; the author is "unknown". */
export function naiveCommit(
  parents: readonly NaiveMade[],
  memory: NaiveMemory,
  message: string,
  timeMs: number,
): NaiveMade {
  const nodes = Object.fromEntries(
    [...memory].map(([id, { object }]) => [id, Uint8Array.fromHex(object)]),
  );
  const state = Uint8Array.fromHex(idOf({ kind: "state", nodes }));
  const id = idOf({
    kind: "commit",
    parents: parents.map((parent) => Uint8Array.fromHex(parent.id)),
    state,
    message,
    author: "unknown",
    time: timeMs,
  });
  return { id, parents, timeMs, memory };
}

/** All that led to a commit, itself included. */
export function ancestors(commit: NaiveMade): Set<NaiveMade> {
  const seen = new Set<NaiveMade>();
  const visit = (at: NaiveMade) => {
    if (seen.has(at)) return;
    seen.add(at);
    at.parents.forEach(visit);
  };
  visit(commit);
  return seen;
}

/** Common ancestors that led to no other one. */
export function naiveBases(a: NaiveMade, b: NaiveMade): NaiveMade[] {
  const others = ancestors(b);
  const common = [...ancestors(a)].filter((commit) => others.has(commit));
  return common.filter((commit) =>
    !common.some((later) => later !== commit && ancestors(later).has(commit))
  );
}

/** The commit that wrote a value: back to the first parent that holds the same. */
export function writerOf(commit: NaiveMade, id: string): NaiveMade {
  const object = commit.memory.get(id)?.object;
  const before = commit.parents.find((parent) =>
    parent.memory.get(id)?.object === object
  );
  return before === undefined ? commit : writerOf(before, id);
}

/** The commit since which a node has been in memory. */
export function bornIn(commit: NaiveMade, id: string): NaiveMade {
  const [first] = commit.parents.filter((parent) => parent.memory.has(id))
    .map((parent) => bornIn(parent, id))
    .sort((a, b) =>
      generation(a) - generation(b) || a.timeMs - b.timeMs ||
      (a.id < b.id ? -1 : 1)
    );
  return first ?? commit;
}

function generation(commit: NaiveMade): number {
  return Math.max(0, ...commit.parents.map((one) => generation(one) + 1));
}

/** What differs between two memories, by node. */
export function kindsOf(
  before: NaiveMemory,
  after: NaiveMemory,
): Map<string, string> {
  const ids = [...new Set([...before.keys(), ...after.keys()])].sort();
  const kinds = ids.map((id): [string, string] => {
    const [old, now] = [before.get(id), after.get(id)];
    const kind = same(old, now)
      ? "same"
      : old === undefined
      ? "added"
      : now === undefined
      ? "removed"
      : "modified";
    return [id, kind];
  });
  return new Map(kinds.filter(([, kind]) => kind !== "same"));
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

function same(a: NaiveValue | undefined, b: NaiveValue | undefined): boolean {
  return a?.object === b?.object;
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

/** Where a test began to hold, by the words of FORMAT.md: through merges into the side that brought it. */
export function naiveWrittenIn(
  found: NaiveMade,
  holds: (commit: NaiveMade) => boolean,
): NaiveMade {
  const [ours, side] = found.parents;
  if (ours === undefined || side === undefined || !holds(side)) return found;
  const known = ancestors(ours);
  let earliest: NaiveMade | undefined;
  for (
    let at: NaiveMade | undefined = side;
    at !== undefined && !known.has(at) && holds(at);
    at = at.parents[0]
  ) earliest = at;
  return earliest === undefined ? found : naiveWrittenIn(earliest, holds);
}
