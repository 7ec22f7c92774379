/**
 * What the fingers of a user of git type.
 *
 * @module
 */

import assert from "node:assert/strict";
import { type Session, storeSession } from "./session.ts";

async function messages(mnem: Session, ...args: string[]): Promise<string[]> {
  const { result } = Object(await mnem.json("log", ...args));
  return result.map(({ message }: { message: string }) => message);
}

/** On main: a b merge d; on side: a c. The merge is of side. */
async function forked(): Promise<Session> {
  const mnem = await storeSession();
  await mnem.text("remember", "n", "1", "-m", "a");
  await mnem.text("branch", "side");
  await mnem.text("remember", "n", "2", "-m", "b");
  await mnem.text("switch", "side");
  await mnem.text("remember", "other", "3", "-m", "c");
  await mnem.text("switch", "main");
  await mnem.text("merge", "side", "-m", "merge");
  await mnem.text("remember", "n", "4", "-m", "d");
  return mnem;
}

Deno.test("log a..b lists what led to b and not to a", async () => {
  await using mnem = await forked();
  const rows = [
    [["side..main"], ["d", "merge", "b"]],
    [["side.."], ["d", "merge", "b"]],
    [["main..side"], []],
    [["..side"], []],
    [["main~2..main^1^2"], ["c"]],
    [["main~3..main"], ["d", "merge", "c", "b"]],
    [["-n2", "main~3..main"], ["d", "merge"]],
    [["-n0", "main~3..main"], []],
    [["--first-parent", "main~3..main"], ["d", "merge", "b"]],
    [["--node=n", "main~3..main"], ["d", "b"]],
  ] as const;
  for (const [args, expected] of rows) {
    assert.deepEqual(await messages(mnem, ...args), expected, args.join(" "));
  }
  assert.equal((await mnem.mnem("log", "nope..main")).status, 3);
  assert.equal((await mnem.mnem("log", "a...main")).status, 3);
});

Deno.test("branch -m renames a branch, and the current one takes HEAD along", async () => {
  await using mnem = await forked();
  const branches = async () =>
    Object(await mnem.json("branch")).result as { [name: string]: string };
  const { main, side } = await branches();
  assert.deepEqual(await mnem.json("branch", "-m", "side", "aside"), {
    branch: "aside",
    renamed: "side",
    commit: side,
  });
  assert.deepEqual(await branches(), { aside: side, main });
  assert.equal(
    await mnem.text("branch", "-m", "trunk"),
    "renamed branch main to trunk\n",
  );
  assert.deepEqual(await branches(), { aside: side, trunk: main });
  assert.equal(Object(await mnem.json("status")).branch, "trunk");
  await mnem.text("branch", "-m", "trunk", "trunk");
  assert.deepEqual(await branches(), { aside: side, trunk: main });
  const rows = [
    [["-m", "aside", "trunk"], 4],
    [["-m", "nope", "x"], 3],
    [["-m", "aside", "bad..name"], 3],
    [["-m", "a", "b", "c"], 2],
    [["-m", "a", "-d", "b"], 2],
  ] as const;
  for (const [args, status] of rows) {
    const ran = await mnem.mnem("branch", ...args);
    assert.equal(ran.status, status, ran.err);
  }
  assert.deepEqual(await branches(), { aside: side, trunk: main });
});

Deno.test("branch -v lists author and time", async () => {
  await using mnem = await forked();
  const plain = await mnem.text("branch");
  const verbose = await mnem.text("branch", "-v");
  assert.match(plain, /side [0-9a-f]{12} c\n/);
  assert.match(verbose, /side [0-9a-f]{12} agent, 1970-01-01 [0-9:]+Z: c\n/);
});

Deno.test("status -s lists what is staged, a line each", async () => {
  await using mnem = await forked();
  assert.equal(await mnem.text("status", "-s"), "");
  await mnem.text("add", "n", "5");
  await mnem.text("add", "new", "6");
  await mnem.text("rm", "other");
  assert.equal(await mnem.text("status", "-s"), "M n\nA new\nD other\n");
});
