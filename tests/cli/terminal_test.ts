/**
 * What reaches a person's terminal: colours of ours, and nothing that is stored.
 *
 * @module
 */

import assert from "node:assert/strict";
import { storeSession } from "./session.ts";

const EVIL = "\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e\r\nforged line";

Deno.test("stored control characters never come out raw, at any command, as text or JSON", async () => {
  await using mnem = await storeSession();
  const evidence = ["source", "step", "observation", "tool-call", "note"]
    .map((name) => `--${name}=${EVIL}`);
  const by = ["-m", EVIL, "--author", EVIL];
  await mnem.text("remember", EVIL, EVIL, ...evidence, ...by);
  const json = ["--content-json", JSON.stringify({ [EVIL]: EVIL, n: 1 })];
  await mnem.text("switch", "-c", "side");
  await mnem.text("remember", EVIL, ...json, ...by);
  await mnem.text("switch", "main");
  await mnem.text("remember", EVIL, "ours", ...evidence, ...by);
  await mnem.text("add", EVIL, EVIL, ...evidence);
  const calls = [
    ["log"],
    ["log", "--oneline", "--graph"],
    ["status"],
    ["diff"],
    ["diff", "main", "side"],
    ["diff", "--stat"],
    ["diff", "--name-only"],
    ["show"],
    ["show", "--stat", "side"],
    ["branch"],
    ["recall"],
    ["recall", EVIL],
    ["blame", EVIL],
    ["versions", EVIL],
    ["whats-new"],
    ["when-did", EVIL, "--present"],
    ["merge", "side", "--dry-run"],
    ["remember", EVIL, "late", "--base=HEAD~1", "--note", EVIL],
    ["forget", `ghost${EVIL}`],
    ["switch", EVIL],
    ["merge", "side"],
    [EVIL],
    ["log", `--${EVIL}`],
    ["unstage", "--all"],
  ];
  let escaped = 0;
  for (const args of calls) {
    for (const isTerminal of [true, false]) {
      for (const flags of [[], ["--json"]]) {
        const ran = await mnem.mnemIn({ isTerminal }, ...flags, ...args);
        const text = (ran.out + ran.err).replaceAll(/\p{Cc}\[\d+m/gu, "");
        assert.ok(text !== "", args.join(" "));
        assert.doesNotMatch(text, /[^\P{Cc}\n]|\u202e/u, args.join(" "));
        assert.doesNotMatch(text, /^forged line/m, args.join(" "));
        if (text.includes("\\u001b")) escaped += 1;
      }
    }
  }
  assert.ok(escaped > 60, `${escaped} outputs held what is stored`);
});

Deno.test("there are colours on a terminal alone, and none with NO_COLOR", async () => {
  await using mnem = await storeSession();
  await mnem.text("remember", "a", "1");
  const out = async (
    world: Parameters<typeof mnem.mnemIn>[0],
    flag = "--oneline",
  ) => (await mnem.mnemIn(world, "log", flag)).out;
  const plain = await out({});
  assert.doesNotMatch(plain, /\p{Cc}\[/u);
  const coloured = await out({ isTerminal: true });
  assert.match(coloured, /\p{Cc}\[33m[0-9a-f]{12}\p{Cc}\[39m/u);
  assert.equal(coloured.replaceAll(/\p{Cc}\[\d+m/gu, ""), plain);
  const refused: Record<string, string>[] = [{ NO_COLOR: "1" }, {
    TERM: "dumb",
  }];
  for (const env of refused) {
    assert.equal(await out({ isTerminal: true, env }), plain);
  }
  const empty = { isTerminal: true, env: { NO_COLOR: "" } };
  assert.equal(await out(empty), coloured);
  assert.doesNotMatch(await out({ isTerminal: true }, "--json"), /\p{Cc}\[/u);
});

Deno.test("results go to standard output, hints and errors to standard error, where --json leaves no prose", async () => {
  await using mnem = await storeSession();
  await mnem.text("remember", "a", "1");
  const empty = await mnem.mnem("commit", "-m", "x");
  assert.deepEqual(empty, {
    status: 1,
    out: "nothing staged that is new\n",
    err: "hint: mnem add <id> <text>\n",
  });
  const json = await mnem.mnem("commit", "-m", "x", "--json");
  assert.equal(json.err, "");
  assert.equal(json.out.split("\n").length, 2);
  const failed = await mnem.mnem("blame", "ghost", "--json");
  assert.equal(failed.out, "");
  assert.deepEqual(Object.keys(JSON.parse(failed.err).error), [
    "code",
    "message",
  ]);
});

Deno.test("help and the version are one JSON value where one is asked for", async () => {
  await using mnem = await storeSession();
  for (const args of [[], ["help"], ["help", "log"], ["--version"]]) {
    const text = await mnem.text(...args);
    assert.notEqual(text, "");
    const json = Object(await mnem.json(...args));
    assert.deepEqual(Object.keys(json), ["text"]);
    assert.equal(json.text.trimEnd(), text.trimEnd());
  }
});

Deno.test("a reader that goes away ends a command quietly, a full disk does not", async () => {
  await using mnem = await storeSession();
  await mnem.text("remember", "a", "1");
  const failing = (code: string) => () =>
    Promise.reject(Object.assign(new Error(`write ${code}`), { code }));
  for (const args of [["log"], ["log", "--json"], ["help"], ["recall"]]) {
    const gone = await mnem.mnemIn({ write: failing("EPIPE") }, ...args);
    assert.deepEqual(gone, { status: 0, out: "", err: "" }, args.join(" "));
    const full = await mnem.mnemIn({ write: failing("ENOSPC") }, ...args);
    assert.equal(full.status, 7);
    assert.match(full.err, /store_io.*Cannot write the output: write ENOSPC/);
  }
});
