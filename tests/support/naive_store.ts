/**
 * What a store must answer, worked out the slow and obvious way from whole copies of memory. Shares
 * nothing with the store: it is what the store is held to.
 *
 * @module
 */

import type { Json, Provenance } from "@mnem/core";

/** A node's value, by everything that makes it differ from another. */
export interface NaiveNode {
  /** The content. */
  readonly content: Json;
  /** What it is. */
  readonly contentKind: "note" | "claim";
  /** Where it came from. */
  readonly provenance: Provenance;
  /** When it happened. */
  readonly eventTimeMs: number | undefined;
}

/** A commit with all that was in memory. */
export interface NaiveCommit {
  /** As the store named it. */
  readonly id: string;
  /** By which parents it was made: one, or none. */
  readonly parents: readonly NaiveCommit[];
  /** Its time. */
  readonly timeMs: number;
  /** Its message. */
  readonly message: string;
  /** Its author. */
  readonly author: string;
  /** All nodes by id. */
  readonly memory: ReadonlyMap<string, NaiveNode>;
}

/** A change asked for; null removes. */
export type NaiveEdits = ReadonlyMap<string, NaiveNode | null>;

/** Tells whether two nodes have the same value: numbers by what they are worth. */
export function sameNaive(
  a: NaiveNode | undefined,
  b: NaiveNode | undefined,
): boolean {
  return textOf(a, worthOf) === textOf(b, worthOf);
}

/** Tells whether two nodes are one object: 0 and -0 differ, and so do a float and an integer. */
export function identicalNaive(
  a: NaiveNode | undefined,
  b: NaiveNode | undefined,
): boolean {
  return textOf(a, formOf) === textOf(b, formOf);
}

/** The ids of a memory in bytewise order of their UTF-8. */
export function sortedIds(ids: Iterable<string>): string[] {
  const utf8 = new TextEncoder();
  return [...ids].map((id) => ({ id, bytes: utf8.encode(id) })).sort(
    (a, b) => {
      for (let i = 0;; i++) {
        const left = a.bytes[i] ?? -1;
        const right = b.bytes[i] ?? -1;
        if (left !== right) return left - right;
        if (left === -1) return 0;
      }
    },
  ).map(({ id }) => id);
}

/** What a memory becomes by edits, and what that changes. */
export function applyNaive(
  memory: ReadonlyMap<string, NaiveNode>,
  edits: NaiveEdits,
): { memory: Map<string, NaiveNode>; changes: Map<string, string> } {
  const next = new Map(memory);
  for (const [id, node] of edits) {
    if (node === null) next.delete(id);
    else if (!sameNaive(node, next.get(id))) next.set(id, node);
  }
  return { memory: next, changes: kindsBetween(memory, next) };
}

/** What differs between two memories: kinds by id, in order. */
export function kindsBetween(
  before: ReadonlyMap<string, NaiveNode>,
  after: ReadonlyMap<string, NaiveNode>,
): Map<string, string> {
  const kinds = new Map<string, string>();
  for (const id of sortedIds(new Set([...before.keys(), ...after.keys()]))) {
    const old = before.get(id);
    const now = after.get(id);
    if (identicalNaive(old, now)) continue;
    kinds.set(id, !old ? "added" : !now ? "removed" : "modified");
  }
  return kinds;
}

/** All commits that led to one, itself included. */
export function ancestorsOf(commit: NaiveCommit): NaiveCommit[] {
  const seen = new Set<NaiveCommit>();
  const visit = (at: NaiveCommit) => {
    if (seen.has(at)) return;
    seen.add(at);
    at.parents.forEach(visit);
  };
  visit(commit);
  return [...seen];
}

/** The chain of first parents, newest first. */
export function chainOf(commit: NaiveCommit | null): NaiveCommit[] {
  const chain: NaiveCommit[] = [];
  for (let at = commit; at !== null; at = at.parents[0] ?? null) chain.push(at);
  return chain;
}

/** Children before parents; among those that are free the newest, then the greatest id. */
export function logOf<C extends Pick<NaiveCommit, "id" | "timeMs">>(
  commits: readonly (C & { readonly parents: readonly C[] })[],
): C[] {
  const left = new Set(commits);
  const log: C[] = [];
  while (left.size > 0) {
    const free = [...left].filter((commit) =>
      ![...left].some(({ parents }) =>
        parents.some(({ id }) => id === commit.id)
      )
    );
    free.sort((a, b) => b.timeMs - a.timeMs || (a.id < b.id ? 1 : -1));
    const next = free[0];
    if (next === undefined) throw new Error("the commits make a circle");
    left.delete(next);
    log.push(next);
  }
  return log;
}

/** The commit that a node's value is blamed on: back to the first parent that has the same, as long as one has. */
export function blameOf(commit: NaiveCommit, id: string): NaiveCommit | null {
  const node = commit.memory.get(id);
  if (node === undefined) return null;
  for (let at = commit;;) {
    const before = at.parents.find((parent) =>
      identicalNaive(parent.memory.get(id), node)
    );
    if (before === undefined) return at;
    at = before;
  }
}

/** The commits of a chain that changed a node, newest first, with what it became. */
export function versionsOf(
  chain: readonly NaiveCommit[],
  id: string,
): { commit: string; node: NaiveNode | null }[] {
  return chain.filter((commit) => {
    const before = commit.parents[0]?.memory.get(id);
    return !identicalNaive(before, commit.memory.get(id));
  }).map((commit) => ({
    commit: commit.id,
    node: commit.memory.get(id) ?? null,
  }));
}

/** A text that two contents share only if they have the same value. */
export function valueText(content: Json): string {
  return textOf(content, worthOf);
}

type NumberText = (value: number | bigint) => string;

/** A text that two values share only if they are the same: keys sorted, numbers written one way. */
function textOf(value: unknown, numberText: NumberText): string {
  if (typeof value === "number" || typeof value === "bigint") {
    return numberText(value);
  }
  if (typeof value !== "object" || value === null) {
    return typeof value === "string" ? JSON.stringify(value) : String(value);
  }
  if (Array.isArray(value)) {
    return `[${value.map((item) => textOf(item, numberText)).join()}]`;
  }
  const fields = Object.entries(value).filter(([, field]) =>
    field !== undefined
  ).map(([name, field]) =>
    `${JSON.stringify(name)}:${textOf(field, numberText)}`
  );
  return `{${fields.sort().join()}}`;
}

function worthOf(value: number | bigint): string {
  return Number.isInteger(value) ? String(BigInt(value)) : String(value);
}

function formOf(value: number | bigint): string {
  if (Object.is(value, -0)) return "float -0";
  const isFloat = typeof value === "number" && !Number.isSafeInteger(value);
  return isFloat ? `float ${value}` : String(value);
}
