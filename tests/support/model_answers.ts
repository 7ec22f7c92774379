/**
 * What the naive model holds, in the shapes in which a store takes it and tells it.
 *
 * @module
 */

import assert from "node:assert/strict";
import { type Edit, isMnemError, type Json, type MemoryNode } from "@mnem/core";
import {
  kindsBetween,
  type NaiveEdits,
  type NaiveNode,
  valueText,
} from "./naive_store.ts";

/** Edits as the store takes them. */
export function editsOf(edits: NaiveEdits): Edit[] {
  return [...edits].map(([id, node]) =>
    node === null ? { id, remove: true } : { id, ...node }
  );
}

/** A node as the store returns it. */
export function nodeOf(
  id: string,
  node: NaiveNode | undefined,
): MemoryNode | null {
  if (node === undefined) return null;
  const { content, contentKind, provenance, eventTimeMs } = node;
  const time = eventTimeMs === undefined ? {} : { eventTimeMs };
  return { id, content, contentKind, provenance, ...time };
}

/** What differs between two memories, as the store tells it. */
export function changesOf(
  before: ReadonlyMap<string, NaiveNode>,
  after: ReadonlyMap<string, NaiveNode>,
): unknown[] {
  return [...kindsBetween(before, after)].map(([id, kind]) => {
    const [old, now] = [before.get(id), after.get(id)];
    const evidenceOnly = old !== undefined && now !== undefined &&
      old.contentKind === now.contentKind && sameContents(old, now);
    return {
      id,
      kind,
      old: nodeOf(id, old),
      new: nodeOf(id, now),
      evidenceOnly,
    };
  });
}

function sameContents(a: NaiveNode, b: NaiveNode): boolean {
  return contentText(a) === contentText(b);
}

/** A text that two nodes share only if their contents have the same value. */
export function contentText(
  node: { readonly content: Json } | undefined,
): string {
  return node === undefined ? "absent" : valueText(node.content);
}

/** The content of a node in wire shape; undefined for none. */
export function contentOf(node: Json | undefined): Json | undefined {
  if (node === null || node === undefined) return undefined;
  assert.ok(typeof node === "object" && "content" in node);
  return node.content;
}

/** The ids of commits. */
export async function idsOf(
  commits: AsyncIterable<{ readonly id: string }>,
): Promise<string[]> {
  return (await Array.fromAsync(commits)).map(({ id }) => id);
}

/** Awaits a call that must fail with a code, and returns the error. */
export async function rejectsWith(
  call: Promise<unknown>,
  code: string,
): Promise<{ readonly data?: { readonly [key: string]: Json } }> {
  const failure = await call.then(
    () => assert.fail(`there was no ${code}`),
    (error: unknown) => error,
  );
  assert.ok(isMnemError(failure), String(failure));
  assert.equal(failure.code, code, failure.message);
  return failure;
}
