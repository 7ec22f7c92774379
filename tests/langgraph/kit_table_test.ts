/**
 * The table of the kit's README is what the tests hold the stores to.
 *
 * @module
 */

import assert from "node:assert/strict";
import { STORE_CASES } from "@mnem/langgraph/testing";
import { COLUMNS, README, readmeWith, tableOf } from "./kit_table.ts";

Deno.test("tableOf() has a line for each rule and one for each reason", () => {
  const [first, second] = STORE_CASES;
  assert.ok(first && second);
  const reasons = new Map([["it is so", [second.id]], ["why not", []]]);
  const lines = tableOf([{ name: "S", letter: "L", reasons }]).split("\n");
  const kept = STORE_CASES.length - 1;
  assert.deepEqual(lines.slice(0, 5), [
    "| rule | rests on | S |",
    "| --- | --- | --- |",
    `| kept |  | ${kept} of ${STORE_CASES.length} |`,
    `| \`${first.id}\` | ${first.basis} | yes |`,
    `| \`${second.id}\` | ${second.basis} | L1 |`,
  ]);
  assert.equal(lines.length, 3 + STORE_CASES.length + 3);
  assert.deepEqual(lines.slice(-2), ["- L1: it is so", "- L2: why not"]);
});

Deno.test("the README of the kit holds the table of what is tested", async () => {
  // deno run -A tests/langgraph/kit_table.ts --write
  const expected = await readmeWith(tableOf(COLUMNS));
  assert.equal(await Deno.readTextFile(README), expected);
  assert.match(expected, /`list\/emptied-vanishes` +\| choice +\| yes +\| M5/);
});

Deno.test("the README of the kit names the versions that are locked", async () => {
  const lock = new URL("../../deno.lock", import.meta.url);
  const locked = Object.keys(JSON.parse(await Deno.readTextFile(lock)).npm);
  const text = (await Deno.readTextFile(README)).replaceAll(/\s+/g, " ");
  for (
    const name of ["langgraph-checkpoint", "langgraph-checkpoint-postgres"]
  ) {
    const named = new RegExp(`\`@langchain/${name}\` (\\d+\\.\\d+\\.\\d+)`);
    const version = named.exec(text)?.[1];
    const key = `@langchain/${name}@${version}`;
    assert.ok(locked.some((one) => one.split("_")[0] === key), key);
  }
});
