/**
 * `mnem verify`: faults by name, and a check that a damaged file cannot take the caller down with.
 *
 * @module
 */

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import process from "node:process";
import type { Ended } from "../../cli/io.ts";
import { holdLock } from "../support/hold_lock.ts";
import { PROGRAM, runProgram, type Session, storeSession } from "./session.ts";

const DONE: Ended = { status: 0, signal: null, stdout: "", stderr: "" };

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
    // A machine with much to do may take over a second.
    const said = apart.err.replace(/^mnem: verifying, \d+ s\n/gm, "");
    assert.deepEqual([apart.status, apart.out, said], [0, here.out, ""]);
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
  assert.match(ran.err, /(^|s\n)mnem: corrupt_store: .*\n$/);
  assert.doesNotMatch(ran.err, /panicked/);
});

Deno.test("verify tells a crash by its status, and checks here where it can start nothing", async () => {
  await using mnem = await storeSession();
  const apart = (ended: Partial<Ended>) => ({
    runApart: () => Promise.resolve({ ...DONE, ...ended }),
  });
  const crashes = [
    ...[1, 101, 134].map((status) => ({ status })),
    ...["SIGABRT", "SIGSEGV"].map((signal) => ({ status: null, signal })),
  ];
  for (const crash of crashes) {
    const ended = { ...crash, stderr: "panic" };
    const ran = await mnem.mnemIn(apart(ended), "verify");
    assert.equal(ran.status, 7);
    assert.match(ran.err, /^mnem: corrupt_store: .*came to an end/);
    assert.doesNotMatch(ran.err, /panic/);
  }
  const killed = { status: null, signal: "SIGKILL" };
  const ran = await mnem.mnemIn(apart(killed), "verify");
  assert.match(ran.err, /^mnem: store_io: .*\(SIGKILL\); run it again\n/);
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
        return Promise.resolve({ ...DONE, stdout: "done\n" });
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
      runApart: () => Promise.resolve({ ...DONE, stdout: "{}\n" }),
    },
    "verify",
    "--json",
  );
  assert.deepEqual([json.out, json.err, ticks], ["{}\n", "", 0]);
});

const STOPS = [["SIGINT", 130], ["SIGTERM", 143], ["SIGHUP", 129]] as const;

Deno.test({
  name: "a signal to verify ends the process that checks, and then verify",
  ignore: Deno.build.os !== "linux",
}, async (t) => {
  await using mnem = await storeSession();
  // A check waits for the lock of a writer.
  await using _ = await holdLock(`${mnem.path}/.mnem/kv.db`);
  for (const [signal, status] of STOPS) {
    await t.step(signal, () => stopVerify(mnem.path, { signal, status }));
  }
});

async function stopVerify(
  path: string,
  { signal, status }: { readonly signal: Deno.Signal; readonly status: number },
): Promise<void> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", PROGRAM, "verify"],
    cwd: path,
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const reader = child.stderr.getReader();
  // It says so once a second: by then the other process is there.
  const first = new TextDecoder().decode((await reader.read()).value);
  assert.match(first, /^mnem: verifying, \d+ s\n/);
  const checking = await childrenOf(child.pid);
  assert.equal(checking.length, 1);
  child.kill(signal);
  let rest = "";
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    rest += new TextDecoder().decode(step.value);
  }
  const { code } = await child.status;
  assert.equal(code, status);
  assert.match(rest, /^(mnem: verifying, \d+ s\n)*mnem: interrupted\n$/);
  assert.equal(isRunning(checking[0]!), false);
}

/** The ids of the processes that one has started. */
async function childrenOf(pid: number): Promise<number[]> {
  const children: number[] = [];
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    // The one before may have ended by now.
    const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    // Its name may hold anything; what comes after it is state and parent.
    const [, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (Number(parent) === pid) children.push(Number(name));
  }
  return children;
}

function isRunning(pid: number): boolean {
  try {
    // Signal 0 reaches nobody, and tells whether there is somebody.
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
