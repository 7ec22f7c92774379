/**
 * History with merges, kept the slow and obvious way: whole copies of memory, sets of ancestors. Shares
 * nothing with the store, down to the ids, which it computes with another encoder and another hash.
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

/** Whether two values are one object, or both nothing. */
export function same(
  a: NaiveValue | undefined,
  b: NaiveValue | undefined,
): boolean {
  return a?.object === b?.object;
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
