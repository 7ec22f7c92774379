import assert from "node:assert/strict";
import { type Json, parseJson, stringifyJson } from "@mnem/core";
import { fromGit, type GitCommit, toGit } from "./commit_text.ts";

const ID = "9".repeat(64);

function object(fields: { readonly [name: string]: Json }): string {
  return stringifyJson({
    kind: "commit",
    parents: [],
    state: "0".repeat(64),
    message: "m",
    author: "agent",
    time: 1_999,
    ...fields,
  });
}

function git(fields: { readonly [name: string]: Json }): GitCommit {
  return toGit(object(fields), { id: ID, form: "flat", lines: [] });
}

Deno.test("toGit() writes an author, seconds and trailers that git's programs read", () => {
  assert.deepEqual(git({ author: "Ann Lee <ann@example.com>" }), {
    ident: { name: "Ann Lee", mail: "ann@example.com" },
    seconds: 1n,
    text: `m\n\nMnem-Commit: ${ID}\nMnem-Time: 1999\nMnem-State: flat\n`,
  });
  assert.deepEqual(git({}).ident, { name: "agent", mail: "" });
  assert.deepEqual(git({ author: "<a>\n<b>" }).ident, {
    name: "a b",
    mail: "",
  });
  assert.deepEqual(git({ author: "" }).ident, { name: "unknown", mail: "" });
  assert.equal(git({ time: -5 }).seconds, 0n);
  assert.equal(git({ time: 2n ** 62n }).seconds, 253_402_300_799n);
  assert.equal(git({ message: "a\0b" }).text.slice(0, 3), "a\u2400b");
});

Deno.test("fromGit() gives back what toGit() was given", () => {
  const rows: readonly { readonly [name: string]: Json }[] = [
    {},
    { message: "" },
    { message: "\n\n" },
    { message: "a\n\nMnem-Commit: x\n" },
    { message: `a\n\nMnem-Commit: ${"8".repeat(64)}` },
    { message: "  title \r\n\nbody\u2028 é😀\0\n" },
    { message: "\u2400" },
    { author: "" },
    { author: " spaces " },
    { author: "a <b" },
    { author: "a <b> c" },
    { author: "Ann <ann@example.com>" },
    { author: "<ann@example.com>" },
    { author: "x\n\0y" },
    { time: -1 },
    { time: -(2n ** 63n) },
    { time: 2n ** 63n - 1n },
    { run: { step: [1, "two"] } },
  ];
  for (const fields of rows) {
    const back = fromGit(git(fields));
    assert.deepEqual(parseJson(back.object), parseJson(object(fields)));
    assert.equal(back.form, "flat");
  }
});

Deno.test("fromGit() believes git where somebody changed the commit with it", () => {
  const own = git({ author: "a <b", time: 5_500 });
  const changed = fromGit({
    ident: { name: "Bo", mail: "bo@example.com" },
    seconds: 77n,
    text: `${own.text.replace(/^m/, "other")}Signed-off-by: Bo\n`,
  });
  const { message, author, time } = Object(parseJson(changed.object));
  assert.deepEqual([message, author, time], [
    "other\n\nSigned-off-by: Bo",
    "Bo <bo@example.com>",
    77_000,
  ]);
  const foreign = fromGit({
    ident: { name: "Bo", mail: "" },
    seconds: 1n,
    text: "subject\n\nMnem-Time: 5\nx: y\n",
  });
  const { message: kept } = Object(parseJson(foreign.object));
  assert.equal(kept, "subject\n\nMnem-Time: 5\nx: y");
  assert.equal(foreign.form, "tree");
});
