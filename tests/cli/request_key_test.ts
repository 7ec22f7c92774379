/**
 * `--key`: a command that commits is carried out once, however often it is typed.
 *
 * @module
 */

import assert from "node:assert/strict";
import { type Session, session } from "./session.ts";

/** A store with a plan, and a branch that has seats. */
async function prepared(): Promise<Session> {
  const mnem = await session();
  await mnem.text("init", ".");
  await mnem.text("remember", "plan", "free");
  await mnem.text("switch", "-c", "side");
  await mnem.text("remember", "seats", "3");
  await mnem.text("switch", "main");
  await mnem.text("remember", "other", "1");
  return mnem;
}

const COMMANDS: readonly (readonly string[])[] = [
  ["remember", "plan", "pro"],
  ["forget", "plan"],
  ["merge", "side"],
  ["revert", "HEAD~1"],
];

for (const command of COMMANDS) {
  Deno.test(`mnem ${command[0]} --key is carried out once`, async () => {
    await using mnem = await prepared();
    const keyed = [...command, "--key", "run-7"];
    const first = await mnem.json(...keyed);
    await mnem.text("remember", "plan", "newer");
    await mnem.text("remember", "seats", "newer");
    assert.deepEqual(await mnem.json(...keyed, "-m", "again"), first);
    assert.match(await mnem.text(...keyed), /^\[main [0-9a-f]{12}\] /);
    const { result } = Object(await mnem.json("recall", "plan"));
    assert.equal(result.content, "newer");
    const other = await mnem.mnem("remember", "x", "1", "--key=run-7");
    assert.equal(other.status, 4);
    assert.match(other.err, /"run-7".*a new request needs a new key/);
    assert.ok(other.err.includes(Object(first).commit));
  });
}

Deno.test("mnem commit --key is carried out once, also when the stage is empty by then", async () => {
  await using mnem = await prepared();
  await mnem.text("add", "plan", "pro");
  const keyed = ["commit", "-m", "staged", "--key=run-7"];
  const first = await mnem.json(...keyed);
  await mnem.text("remember", "plan", "newer");
  assert.deepEqual(await mnem.json(...keyed), first);
  await mnem.text("add", "plan", "team");
  const other = await mnem.mnem(...keyed);
  assert.equal(other.status, 4, other.err);
  assert.equal((await mnem.mnem("commit", "-m", "m", "--key=")).status, 2);
});

Deno.test("mnem remember --items --key is carried out once", async () => {
  await using mnem = await prepared();
  const stdin = JSON.stringify([{ id: "a", content: 1 }]);
  const keyed = ["remember", "--items=-", "--key=k", "--json"];
  const first = await mnem.mnemIn({ stdin }, ...keyed);
  assert.equal(first.status, 0, first.err);
  await mnem.text("remember", "a", "newer");
  assert.deepEqual(await mnem.mnemIn({ stdin }, ...keyed), first);
});
