/**
 * What becomes of numbers that a double cannot hold, or that look as if it could not.
 *
 * @module
 */

import assert from "node:assert/strict";
import { openStore } from "@mnem/core";
import { type CheckedClient, structureOf } from "./client_checks.ts";

declare global {
  // Newer than the types: a number that JSON.stringify writes digit by digit.
  interface JSON {
    rawJSON(text: string): unknown;
  }
}

/** 2^53 + 1, 2^63 and 1e300, as the digits that a client is to send. */
export const DIGITS: readonly string[] = [
  "9007199254740993",
  "9223372036854775808",
  "1e300",
];
/** The same as a store has to hold them. */
const HELD = [2n ** 53n + 1n, 2n ** 63n, 1e300];
/** The same as the server answers them: integers beyond 2^53 as decimal strings. */
const SHOWN = ["9007199254740993", "9223372036854775808", 1e300];

/**
 * Sends the numbers in the ways that a client of this language has, and looks into the store for what
 * came of them.
 */
export async function checkNumbers(
  client: CheckedClient,
  path: string,
): Promise<void> {
  const raw = DIGITS.map((digits) => JSON.rawJSON(digits));
  for (const [index, content] of raw.entries()) {
    await structureOf(client, "remember", { id: "alone", content });
    assert.equal(await heldBy(path, "alone"), HELD[index]);
    const { result } = await structureOf(client, "recall", { id: "alone" });
    assert.equal(Object(result).content, SHOWN[index]);
  }
  await structureOf(client, "remember", { id: "raw", content: raw });
  await structureOf(client, "remember_many", { items: [itemText("text")] });
  for (const id of ["raw", "text"]) {
    await assertNumbers(path, id);
    const { result } = await structureOf(client, "recall", { id });
    assertShown(Object(result).content);
    const uri = `mnem://memory/${id}`;
    const { contents: [read] } = Object(await client.readResource({ uri }));
    assertShown(JSON.parse(read.text).content);
  }
  await checkOwnNumbers(client, path);
}

/** Returns an item of `remember_many` as JSON text, its content being {@linkcode DIGITS}. */
export function itemText(id: string): string {
  return `{"id":${JSON.stringify(id)},"content":[${DIGITS}]}`;
}

/** Checks that a node in the store holds the numbers, each exactly. */
export async function assertNumbers(path: string, id: string): Promise<void> {
  assert.deepEqual(await heldBy(path, id), HELD);
}

/** Checks that an answer shows the numbers in the documented form. */
export function assertShown(content: unknown): void {
  assert.deepEqual(content, SHOWN);
}

/** Returns the content of a node, as the store holds it. */
export async function heldBy(path: string, id: string): Promise<unknown> {
  await using store = await openStore(path);
  return (await store.node(id))?.content;
}

// What a client makes of a number happens before the server; the digits that it sends are those stored.
async function checkOwnNumbers(
  client: CheckedClient,
  path: string,
): Promise<void> {
  await structureOf(client, "remember", { id: "double", content: 2 ** 63 });
  assert.equal(await heldBy(path, "double"), 9223372036854776000n);
  await structureOf(client, "remember", { id: "safe", content: 2 ** 53 - 1 });
  assert.equal(await heldBy(path, "safe"), 9007199254740991);
  await assert.rejects(
    client.callTool({
      name: "remember",
      arguments: { id: "double", content: 2n ** 63n },
    }),
    TypeError,
  );
  assert.equal(await heldBy(path, "double"), 9223372036854776000n);
}
