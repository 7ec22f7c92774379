/**
 * `mnem verify`: faults by name, and a check that a damaged file cannot take the caller down with.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Ended } from "../../cli/io.ts";
import { runProgram, type Session, storeSession } from "./session.ts";

async function plantFault(mnem: Session): Promise<void> {
  using kv = await Deno.openKv(`${mnem.path}/.mnem/kv.db`);
  for await (const { key } of kv.list({ prefix: [] })) {
    if (key[0] === "n") await kv.delete(key);
  }
}

Deno.test("verify counts rows, and names faults with status 7", async () => {
  await using mnem = await storeSession();
  await mnem.text("remember", "a", "1");
  const good = Object(await mnem.json("verify", "--in-process"));
  assert.ok(good.checked > 3);
  assert.deepEqual(good.faults, []);
  assert.match(
    await mnem.text("verify", "--in-process"),
    /^\d+ rows checked, 0 faults\n$/,
  );
  await plantFault(mnem);
  const bad = await mnem.mnem("verify", "--in-process", "--json");
  assert.equal(bad.status, 7, bad.err);
  const { faults } = JSON.parse(bad.out);
  assert.equal(faults.length, 1);
  assert.equal(faults[0].code, "link");
  const text = await mnem.mnem("verify", "--in-process");
  assert.equal(text.status, 7);
  assert.match(text.out, /^link: .*\n\d+ rows checked, 1 fault\n$/);
  const apart = await runProgram(["verify", `--store=${mnem.path}`]);
  assert.deepEqual([apart.status, apart.out], [7, text.out]);
});

Deno.test("verify runs apart, and hands on what was found there", async () => {
  await using mnem = await storeSession();
  await mnem.text("remember", "a", "1");
  const inside = `--store=${mnem.path}`;
  for (const flags of [[], ["--json"]]) {
    const here = await mnem.mnem("verify", "--in-process", ...flags);
    const apart = await runProgram(["verify", inside, ...flags]);
    const { status, out, err } = apart;
    const said = err.replace(/^mnem: verifying, \d+ s\n/gm, "");
    assert.deepEqual([status, out, said], [0, here.out, ""]);
  }
  const absent = await runProgram(["verify", `${inside}/absent`, "--json"]);
  assert.equal(absent.status, 6);
  assert.equal(JSON.parse(absent.err).error.code, "no_store");
});

Deno.test("verify of a file that ends the process that opens it is corrupt_store", async () => {
  await using mnem = await storeSession();
  await mnem.text("remember", "a", "x".repeat(20_000));
  const file = `${mnem.path}/.mnem/kv.db`;
  const bytes = await Deno.readFile(file);
  assert.ok(bytes.length > 8_192);
  // The pages of tables and indices, with the header left as it is.
  bytes.fill(0xff, 8_192);
  await Deno.writeFile(file, bytes);
  const ran = await runProgram(["verify", `--store=${mnem.path}`]);
  assert.deepEqual([ran.status, ran.out], [7, ""]);
  // What it would be told to type is what was typed.
  assert.match(ran.err, /^mnem: corrupt_store: .*\n$/m);
  assert.doesNotMatch(ran.err, /panicked/);
});

Deno.test("verify tells a crash by its status, and checks here where it can start nothing", async () => {
  await using mnem = await storeSession();
  const apart = (ended: Partial<Ended>) => ({
    runApart: () =>
      Promise.resolve({ status: 0, stdout: "", stderr: "", ...ended }),
  });
  for (const status of [null, 1, 101, 134]) {
    const ran = await mnem.mnemIn(apart({ status, stderr: "panic" }), "verify");
    assert.equal(ran.status, 7);
    assert.match(ran.err, /^mnem: corrupt_store: .*came to an end/);
    assert.doesNotMatch(ran.err, /panic/);
  }
  const busy = { status: 5, stderr: "mnem: busy: x\n" };
  const handed = await mnem.mnemIn(apart(busy), "verify");
  assert.deepEqual(handed, { status: 5, out: "", err: busy.stderr });
  assert.match(await mnem.text("verify"), /rows checked, 0 faults/);
});

Deno.test("a check of over a second says so on standard error", async () => {
  await using mnem = await storeSession();
  for (const isTerminal of [false, true]) {
    let tick = () => {};
    const ran = await mnem.mnemIn({
      isTerminal,
      onSecond: (given) => tick = given,
      runApart: () => {
        for (let second = 0; second < 5; second++) tick();
        return Promise.resolve({ status: 0, stdout: "done\n", stderr: "" });
      },
    }, "verify");
    assert.equal(ran.out, "done\n");
    const lines = isTerminal
      ? [1, 2, 3, 4, 5].map((s) => `\rmnem: verifying, ${s} s\u001b[K`)
      : [1, 2, 4].map((s) => `mnem: verifying, ${s} s\n`);
    assert.equal(ran.err, lines.join("") + (isTerminal ? "\r\u001b[K" : ""));
  }
  let ticks = 0;
  const json = await mnem.mnemIn(
    {
      onSecond: () => ticks += 1,
      runApart: () =>
        Promise.resolve({ status: 0, stdout: "{}\n", stderr: "" }),
    },
    "verify",
    "--json",
  );
  assert.deepEqual([json.out, json.err, ticks], ["{}\n", "", 0]);
});
