/**
 * What each command does, and the JSON that it prints.
 *
 * @module
 */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "@mnem/core";
import { type Session, session, storeSession } from "./session.ts";

const NO_EVIDENCE = {
  agent_step: null,
  observation: null,
  tool_call: null,
  source: null,
  note: null,
};

function node(id: string, content: unknown, evidence: object = {}): object {
  return {
    id,
    content,
    content_kind: "note",
    provenance: { ...NO_EVIDENCE, ...evidence },
    event_time: null,
  };
}

/** A field of a JSON result that must be text. */
function fieldOf(value: unknown, name: string): string {
  const field: unknown = Object(value)[name];
  assert.ok(typeof field === "string", `${name} of ${JSON.stringify(value)}`);
  return field;
}

async function commitOf(mnem: Session, ...args: string[]): Promise<string> {
  return fieldOf(await mnem.json(...args), "commit");
}

/** The messages of a log, newest first. */
async function messages(mnem: Session, ...args: string[]): Promise<string[]> {
  const { result } = Object(await mnem.json("log", ...args));
  return Array.from(result, (commit) => fieldOf(commit, "message"));
}

Deno.test("init makes a store here, there, or where --store says, and never twice", async () => {
  await using mnem = await session();
  assert.deepEqual(await mnem.json("init", "-b", "trunk"), {
    store: mnem.path,
    branch: "trunk",
    head: "none",
    format_version: 1,
  });
  for (const args of [[], ["."], ["--store=."]]) {
    const again = await mnem.mnem("init", ...args);
    assert.equal(again.status, 6, again.err);
    assert.match(again.err, /^mnem: store_exists: /);
  }
  const below = join(mnem.path, "below");
  const nested = await mnem.mnem("init", "below");
  assert.match(nested.err, /store_exists: .* there is one above it, in /);
  assert.equal(nested.status, 6);
  assert.match(await mnem.text("init", "--store=below"), new RegExp(below));
  const twice = await mnem.mnem("init", "x", "--store=y");
  assert.equal(twice.status, 2);
});

Deno.test("a store is found upward, unless one is named", async () => {
  await using mnem = await storeSession();
  const deep = join(mnem.path, "a", "b", "c");
  Deno.mkdirSync(deep, { recursive: true });
  const found = await mnem.mnemIn({ directory: deep }, "status", "--json");
  assert.equal(fieldOf(JSON.parse(found.out), "store"), mnem.path);
  for (
    const [args, env] of [
      [["status", "--store=."], {}],
      [["--store=.", "status"], {}],
      [["status"], { MNEM_STORE: deep }],
    ] as const
  ) {
    const named = await mnem.mnemIn({ directory: deep, env }, ...args);
    assert.equal(named.status, 6, named.err);
    assert.match(named.err, /^mnem: no_store: .*\nhint: mnem init --store=/);
  }
  const flag = ["status", `--store=${mnem.path}`, "--json"];
  const env = { MNEM_STORE: deep };
  const first = await mnem.mnemIn({ directory: deep, env }, ...flag);
  assert.equal(fieldOf(JSON.parse(first.out), "store"), mnem.path);
});

Deno.test("without any store a command says how to make one", async () => {
  await using mnem = await session();
  const ran = await mnem.mnem("log");
  assert.equal(ran.status, 6);
  assert.equal(ran.out, "");
  assert.equal(
    ran.err,
    `mnem: no_store: There is no store in "${mnem.path}" or in a folder above it\nhint: mnem init\n`,
  );
});

Deno.test("remember, recall and forget make one commit a call", async () => {
  await using mnem = await storeSession();
  const wrote = await mnem.json(
    "remember",
    "plan",
    "pro",
    "--source=s",
    "--step=step-31",
    "--observation=o",
    "--tool-call=t",
    "--note=n",
    "--event-time=-5",
  );
  const commit = fieldOf(wrote, "commit");
  assert.deepEqual(wrote, { commit, changes: { plan: "added" } });
  const evidence = {
    source: "s",
    agent_step: "step-31",
    observation: "o",
    tool_call: "t",
    note: "n",
  };
  assert.deepEqual(await mnem.json("recall", "plan"), {
    result: { ...node("plan", "pro", evidence), event_time: -5 },
    as_of: commit,
  });
  assert.deepEqual(await messages(mnem), ["remember plan"]);
  const again = await mnem.json("remember", "plan", "pro", "--event-time=-5");
  assert.notEqual(fieldOf(again, "commit"), commit);
  const same = await mnem.json("remember", "plan", "pro", "--event-time=-5");
  assert.deepEqual(same, { ...Object(again), changes: {} });
  await mnem.text("forget", "plan", "-m", "it was wrong", "--author=ada");
  assert.deepEqual(await messages(mnem), [
    "it was wrong",
    "remember plan",
    "remember plan",
  ]);
  const { result: [last] } = Object(await mnem.json("log", "-n1"));
  assert.equal(last.author, "ada");
  const ghost = await mnem.mnem("forget", "plan");
  assert.equal(ghost.status, 3);
  assert.match(ghost.err, /^mnem: not_found: .*\nhint: /);
});

Deno.test("recall of a node that is absent ends with 3: an error as text, null as JSON", async () => {
  await using mnem = await storeSession();
  const unborn = await mnem.mnem("recall", "ghost", "--json");
  assert.deepEqual(
    [unborn.status, unborn.out, unborn.err],
    [3, '{"result":null,"as_of":"none"}\n', ""],
  );
  const text = await mnem.mnem("recall", "ghost");
  assert.deepEqual([text.status, text.out], [3, ""]);
  assert.match(text.err, /^mnem: not_found: Cannot recall node "ghost"/);
});

Deno.test("recall reads everything, one page of it, or what matches", async () => {
  await using mnem = await storeSession();
  assert.deepEqual(await mnem.json("recall"), { result: [], as_of: "none" });
  const items = Array.from({ length: 120 }, (_, i) => ({
    id: `n${String(i).padStart(3, "0")}`,
    content: i % 2 === 0 ? "even" : "odd",
  }));
  const file = join(mnem.path, "items.json");
  writeFileSync(file, JSON.stringify(items));
  const as_of = await commitOf(mnem, "remember", "--items", "items.json");
  const all = Object(await mnem.json("recall"));
  assert.equal(all.result.length, 120);
  assert.deepEqual(Object.keys(all), ["result", "as_of"]);
  assert.equal(all.as_of, as_of);
  const page = Object(await mnem.json("recall", "-n", "2", "--query=ODD"));
  assert.deepEqual(page.result.map(({ id }: { id: string }) => id), [
    "n001",
    "n003",
  ]);
  const next = await mnem.json(
    "recall",
    "-n1",
    "--query=odd",
    `--cursor=${page.next_cursor}`,
  );
  assert.equal(Object(next).result[0].id, "n005");
  const some = Object(await mnem.json("recall", "--prefix=n11"));
  assert.equal(some.result.length, 10);
  const hint = await mnem.mnem("recall", "-n1");
  assert.match(hint.err, /^hint: there are more: --cursor=nodes:/);
});

Deno.test("remember --items takes a list, all or nothing, and keeps integers", async () => {
  await using mnem = await storeSession();
  const stdin =
    '[{"id":"a","content":9007199254740993,"tool_call":"t","event_time":5,"note":null},{"id":"b","content":null}]';
  const ran = await mnem.mnemIn({ stdin }, "remember", "--items", "-");
  assert.equal(ran.status, 0, ran.err);
  assert.match(ran.out, /\] remember 2 nodes\n \+ a\n \+ b\n$/);
  const { out } = await mnem.mnem("recall", "a", "--json");
  assert.match(out, /"content":9007199254740993,/);
  const { provenance, event_time } = JSON.parse(out).result;
  assert.deepEqual([provenance.tool_call, event_time], ["t", 5]);
  const bad = [
    "{}",
    '[{"id":"c","content":1,"toolCall":"t"}]',
    '[{"id":"c"}]',
    '[{"content":1}]',
    '[{"id":"c","content":1,"sorce":"x"}]',
    '["c"]',
    "[null]",
    "not json",
  ];
  for (const stdin of bad) {
    const good = '{"id":"d","content":1},';
    const list = stdin.startsWith("[") ? `[${good}${stdin.slice(1)}` : stdin;
    const ran = await mnem.mnemIn({ stdin: list }, "remember", "--items", "-");
    assert.equal(ran.status, 2, list);
  }
  const typo = { stdin: '[{"id":"c","content":1,"event-time":1}]' };
  const { err } = await mnem.mnemIn(typo, "remember", "--items=-");
  assert.match(err, /item 0 has the field "event-time", .*, event_time only\n/);
  assert.deepEqual(await messages(mnem), ["remember 2 nodes"]);
});

Deno.test("remember --base refuses what changed since, and shows both values", async () => {
  await using mnem = await storeSession();
  const base = await commitOf(mnem, "remember", "plan", "enterprise");
  const head = await commitOf(mnem, "remember", "plan", "team");
  const lost = await mnem.mnem("remember", "plan", "pro", "--base", base);
  assert.equal(lost.status, 4);
  assert.match(lost.err, /^mnem: conflict: /);
  assert.match(lost.err, /as you had read it {2}"enterprise"\n/);
  assert.match(lost.err, /as it is now {8}"team"\n/);
  assert.match(lost.err, new RegExp(`\nhint: .* --base ${head}\n$`));
  const json = await mnem.mnem("forget", "plan", "--base=HEAD~1", "--json");
  assert.deepEqual([json.status, json.out], [4, ""]);
  const { error } = JSON.parse(json.err);
  assert.equal(error.code, "conflict");
  assert.deepEqual(error.data, {
    head,
    conflicts: [{
      id: "plan",
      base: node("plan", "enterprise"),
      head: node("plan", "team"),
    }],
  });
  const none = await mnem.mnem("remember", "plan", "pro", "--base=none");
  assert.equal(none.status, 4);
  await mnem.text("remember", "plan", "pro", "--base", head);
});

Deno.test("the stage is filled, compared, emptied and committed", async () => {
  await using mnem = await storeSession();
  await mnem.text("remember", "keep", "1");
  await mnem.text("remember", "drop", "1");
  const added = await mnem.json("add", "keep", "2", "--source=s");
  assert.match(fieldOf(added, "object"), /^[0-9a-f]{64}$/);
  await mnem.text("add", "fresh", "1");
  await mnem.text("add", "gone", "1");
  assert.deepEqual(await mnem.json("rm", "drop", "gone"), {
    result: ["drop", "gone"],
  });
  await mnem.text("add", "extra", "1");
  assert.deepEqual(await mnem.json("unstage", "extra"), { result: ["extra"] });
  const { staged, staged_unchanged } = Object(await mnem.json("status"));
  assert.deepEqual(staged, {
    drop: "removed",
    fresh: "added",
    keep: "modified",
  });
  assert.deepEqual(staged_unchanged, []);
  assert.equal(
    await mnem.text("diff"),
    `- drop
  - "1"
+ fresh
  + "1"
~ keep
  - "1"
  + "2"
  + source: s
`,
  );
  assert.equal(await mnem.text("diff", "--name-only"), "drop\nfresh\nkeep\n");
  assert.equal(await mnem.text("diff", "--staged"), await mnem.text("diff"));
  assert.equal((await mnem.mnem("diff", "--staged", "HEAD", "HEAD")).status, 2);
  const made = await mnem.text("commit", "-m", "all at once", "-m", "and why");
  assert.match(
    made,
    /^\[main [0-9a-f]{12}\] all at once\n - drop\n \+ fresh\n ~ keep\n$/,
  );
  assert.deepEqual((await messages(mnem))[0], "all at once\n\nand why");
  assert.deepEqual(Object(await mnem.json("status")).staged, {});
  assert.equal(await mnem.text("diff"), "no changes\n");
  assert.equal(await mnem.text("diff", "--name-only"), "");
});

Deno.test("commit with nothing staged ends with 1, and --allow-empty makes one", async () => {
  await using mnem = await storeSession();
  const head = await commitOf(mnem, "remember", "a", "1");
  const empty = await mnem.mnem("commit", "-m", "x", "--json");
  assert.deepEqual([empty.status, JSON.parse(empty.out)], [1, {
    commit: head,
    changes: {},
  }]);
  await mnem.text("add", "a", "1");
  const { staged, staged_unchanged } = Object(await mnem.json("status"));
  assert.deepEqual([staged, staged_unchanged], [{}, ["a"]]);
  assert.match(await mnem.text("status"), /\n {2}= a {2}\(as it is already\)/);
  assert.equal((await mnem.mnem("commit", "-m", "x")).status, 1);
  assert.equal((await mnem.mnem("commit", "--allow-empty")).status, 2);
  await mnem.text("commit", "--allow-empty", "-m", "nothing");
  assert.deepEqual(await messages(mnem), ["nothing", "remember a"]);
});

Deno.test("rm and unstage touch nothing if one of the ids is nowhere", async () => {
  await using mnem = await storeSession();
  await mnem.text("remember", "a", "1");
  const rm = await mnem.mnem("rm", "a", "ghost");
  assert.equal(rm.status, 3);
  assert.match(rm.err, /not_found: .*"ghost"/);
  assert.deepEqual(Object(await mnem.json("status")).staged, {});
  await mnem.text("rm", "a");
  assert.equal((await mnem.mnem("unstage", "a", "ghost")).status, 3);
  assert.equal((await mnem.mnem("unstage")).status, 2);
  assert.deepEqual(await mnem.json("unstage", "--all"), { result: ["a"] });
});

Deno.test("diff compares two commits, and one with the stage, field by field", async () => {
  await using mnem = await storeSession();
  const json = (value: unknown) => ["--content-json", JSON.stringify(value)];
  await mnem.text("remember", "c", ...json({ plan: "pro", tags: ["a", "b"] }));
  await mnem.text("remember", "c", ...json({ plan: "pro", tags: ["b"], n: 1 }));
  await mnem.text(
    "remember",
    "c",
    ...json({ plan: "pro", tags: ["b"], n: 1 }),
    "--note=seen",
  );
  assert.equal(
    await mnem.text("diff", "HEAD~2", "HEAD"),
    '~ c\n  + /n: 1\n  - /tags/0: "a"\n  + note: seen\n',
  );
  assert.equal(
    await mnem.text("diff", "HEAD~1", "HEAD", "--stat"),
    "~ c  (evidence only)\n1 modified\n",
  );
  const { result } = Object(await mnem.json("diff", "HEAD~2", "HEAD~1"));
  assert.deepEqual(result, [{
    id: "c",
    kind: "modified",
    old: node("c", { plan: "pro", tags: ["a", "b"] }),
    new: node("c", { plan: "pro", tags: ["b"], n: 1 }),
    evidence_only: false,
    fields: [{ path: "/n", new: 1 }, { path: "/tags/0", old: "a" }],
  }]);
  await mnem.text("add", "d", "1");
  assert.match(
    await mnem.text("diff", "HEAD~1", "--stat"),
    /^~ c .*\n\+ d\n1 added, 1 modified\n$/,
  );
  assert.equal(await mnem.text("diff", "HEAD~1", "--node=d"), '+ d\n  + "1"\n');
  // As a user of git types it.
  const two = await mnem.text("diff", "HEAD~1", "HEAD");
  assert.notEqual(two, "no changes\n");
  assert.equal(await mnem.text("diff", "HEAD~1..HEAD"), two);
  assert.equal(await mnem.text("diff", "HEAD~1.."), two);
  assert.equal(await mnem.text("diff", "--cached"), await mnem.text("diff"));
  for (const range of ["HEAD~1...HEAD", "HEAD~1..nope"]) {
    assert.equal((await mnem.mnem("diff", range)).status, 3, range);
  }
});

Deno.test("branch lists, makes and deletes", async () => {
  await using mnem = await storeSession();
  assert.equal(await mnem.text("branch"), "* main (no commits yet)\n");
  assert.equal((await mnem.mnem("branch", "early")).status, 3);
  const first = await commitOf(mnem, "remember", "a", "1");
  const second = await commitOf(mnem, "remember", "a", "2");
  assert.deepEqual(await mnem.json("branch", "retry", "HEAD~1"), {
    branch: "retry",
    commit: first,
  });
  assert.deepEqual(await mnem.json("branch"), {
    result: { main: second, retry: first },
  });
  assert.equal(
    await mnem.text("branch"),
    `* main ${second.slice(0, 12)} remember a\n  retry ${
      first.slice(0, 12)
    } remember a\n`,
  );
  const taken = await mnem.mnem("branch", "retry");
  assert.deepEqual([taken.status, taken.out], [4, ""]);
  assert.equal((await mnem.mnem("branch", "has space")).status, 3);
  assert.equal((await mnem.mnem("branch", "-d", "main")).status, 4);
  const ghost = await mnem.mnem("branch", "-d", "ghost");
  assert.equal(ghost.status, 3);
  assert.match(ghost.err, /^mnem: not_found: .*\nhint: "mnem branch" lists/);
  const meant = await mnem.mnem("branch", "-d", "rerty");
  assert.match(meant.err, /\nhint: did you mean retry\?\n$/);
  assert.equal((await mnem.mnem("branch", "x", "-d", "retry")).status, 2);
  assert.deepEqual(await mnem.json("branch", "-d", "retry"), {
    deleted: "retry",
    commit: first,
  });
});

Deno.test("switch and checkout move HEAD, make branches, and detach", async () => {
  await using mnem = await storeSession();
  assert.match(await mnem.text("switch", "main"), /^already on branch main\n$/);
  const first = await commitOf(mnem, "remember", "a", "1");
  assert.deepEqual(await mnem.json("switch", "-c", "one"), {
    head: "ref: one",
  });
  assert.deepEqual(await mnem.json("checkout", "-b", "two", "main"), {
    head: "ref: two",
  });
  await mnem.text("remember", "a", "2");
  assert.deepEqual(await mnem.json("checkout", "main"), { head: "ref: main" });
  assert.deepEqual(await mnem.json("checkout", first.slice(0, 8)), {
    head: first,
  });
  assert.match(await mnem.text("status"), /^detached at [0-9a-f]{12}\n/);
  assert.match(await mnem.text("switch", first), /^already at .*, detached\n/);
  assert.match(await mnem.text("branch"), /^\* \(detached at /);
  const write = await mnem.mnem("remember", "b", "1");
  assert.equal(write.status, 3, write.err);
  await mnem.text("switch", "two");
  assert.deepEqual(await mnem.json("switch", "--detach", "main"), {
    head: first,
  });
  const lost = await mnem.mnem("switch", "mian");
  assert.equal(lost.status, 3);
  assert.match(lost.err, /\nhint: did you mean main\?\n$/);
  assert.equal((await mnem.mnem("switch")).status, 2);
});

Deno.test("log lists commits, of one node, of first parents, from a revision, and in lines", async () => {
  await using mnem = await storeSession();
  assert.equal(await mnem.text("log"), "no commits yet\n");
  assert.deepEqual(await mnem.json("log"), { result: [] });
  await mnem.text(
    "remember",
    "a",
    "1",
    "--author=ada",
    "-m",
    "one\n\nand more",
  );
  await mnem.text("switch", "-c", "side");
  await mnem.text("remember", "b", "1");
  await mnem.text("switch", "main");
  const head = await commitOf(mnem, "remember", "a", "2");
  await mnem.text("merge", "side");
  assert.deepEqual(await messages(mnem), [
    "merge side into main",
    "remember a",
    "remember b",
    "one\n\nand more",
  ]);
  assert.deepEqual(await messages(mnem, "--first-parent", "-n2"), [
    "merge side into main",
    "remember a",
  ]);
  assert.deepEqual(await messages(mnem, "--node=b"), ["remember b"]);
  assert.deepEqual(await messages(mnem, "HEAD~2"), ["one\n\nand more"]);
  assert.deepEqual(await messages(mnem, "-n0"), []);
  assert.equal((await messages(mnem, "--oneline", "-3")).length, 3);
  const elsewhere = ["--store", mnem.path, "log", "--oneline", "-2"];
  assert.equal((await mnem.text(...elsewhere)).split("\n").length, 3);
  const text = await mnem.text("log");
  assert.match(
    text,
    /^commit [0-9a-f]{64} \(HEAD -> main\)\nMerge: {2}[0-9a-f]{12} [0-9a-f]{12}\n/,
  );
  assert.match(
    text,
    /\nAuthor: ada\nDate: {3}1970-01-01 00:00:01Z\n\n {4}one\n\n {4}and more\n$/,
  );
  assert.match(text, new RegExp(`\n\ncommit ${head}\nAuthor: agent\n`));
  const lines = (await mnem.text("log", "--oneline", "--graph")).split("\n");
  assert.deepEqual(lines.map((line) => line.replace(/[0-9a-f]{12}/, "ID")), [
    "*   ID (HEAD -> main) merge side into main",
    "|\\",
    "* | ID remember a",
    "| * ID (side) remember b",
    "|/",
    "* ID one",
    "",
  ]);
  const graph = await mnem.text("log", "--graph", "--first-parent");
  assert.match(
    graph,
    /^\* commit .*\n\| Merge: .*\n\| Author: .*\n\| Date: .*\n\|\n\| {5}merge side into main\n\|\n\* commit /,
  );
  assert.equal((await mnem.mnem("log", "--graph", "--node=a")).status, 2);
});

Deno.test("log --all lists every branch, as log does where one leads to all", async () => {
  await using mnem = await storeSession();
  assert.deepEqual(await messages(mnem, "--all"), []);
  for (const name of ["a", "b", "c"]) {
    await mnem.text("remember", name, "1");
    await mnem.text("branch", name);
  }
  await mnem.text("switch", "a");
  await mnem.text("remember", "x", "1");
  await mnem.text("switch", "--detach", "b");
  assert.deepEqual(await messages(mnem, "--all"), [
    "remember x",
    "remember c",
    "remember b",
    "remember a",
  ]);
  assert.deepEqual(await messages(mnem, "--all", "-2"), [
    "remember x",
    "remember c",
  ]);
  const drawn = (await mnem.text("log", "--all", "--graph", "--oneline"))
    .split("\n").map((line) => line.replace(/[0-9a-f]{12}.*/, "").trim());
  assert.deepEqual(drawn, ["*", "| *", "| *", "|/", "*", ""]);
  await mnem.text("switch", "main");
  await mnem.text("merge", "a");
  assert.deepEqual(await mnem.json("log", "--all"), await mnem.json("log"));
  for (const args of [["HEAD"], ["--node=a"], ["--first-parent"]]) {
    assert.equal((await mnem.mnem("log", "--all", ...args)).status, 2);
  }
});

Deno.test("show prints a commit with all memory, or what it changed", async () => {
  await using mnem = await storeSession();
  assert.equal((await mnem.mnem("show")).status, 3);
  const first = await commitOf(mnem, "remember", "b", "1", "--source=s");
  const second = await commitOf(mnem, "remember", "a", "2");
  const shown = Object(await mnem.json("show"));
  assert.equal(shown.commit.id, second);
  assert.deepEqual(shown.changed, { a: "added" });
  assert.deepEqual(shown.state, [
    node("a", "2"),
    node("b", "1", { source: "s" }),
  ]);
  const stat = Object(await mnem.json("show", "--stat", "HEAD~1"));
  assert.deepEqual([stat.commit.id, stat.changed, stat.state], [
    first,
    { b: "added" },
    undefined,
  ]);
  assert.match(await mnem.text("show", "--stat"), /\n\n\+ a\n1 added\n$/);
  assert.match(
    await mnem.text("show"),
    /\n {4}remember a\n\na\n {2}"2"\nb\n {2}"1"\n {2}source: s\n$/,
  );
  await mnem.text("rm", "a", "b");
  await mnem.text("commit", "-m", "nothing left");
  assert.match(await mnem.text("show"), /\n\n\(empty\)\n$/);
});

Deno.test("blame, when-did, bisect, whats-new and versions trace a belief through a merge", async () => {
  await using mnem = await storeSession();
  await mnem.text("remember", "plan", "enterprise", "--source=contract-17");
  await mnem.text("switch", "-c", "billing");
  const wrote = await commitOf(
    mnem,
    ...["remember", "plan", "pro", "--observation=note-1", "--author=clerk"],
  );
  await mnem.text("switch", "main");
  await mnem.text("remember", "seats", "3");
  const merge = await commitOf(mnem, "merge", "billing");
  const blamed = {
    commit: wrote,
    node: node("plan", "pro", { observation: "note-1" }),
    time: 2_000,
  };
  assert.deepEqual(await mnem.json("blame", "plan"), blamed);
  assert.deepEqual(await mnem.json("why", "plan"), blamed);
  const text = await mnem.text("blame", "plan");
  assert.match(
    text,
    new RegExp(
      `^commit ${wrote}\nAuthor: clerk\nDate: {3}1970-01-01 00:00:02Z\n\n {4}remember plan\n`,
    ),
  );
  assert.match(text, /\nplan\n {2}"pro"\n {2}observation: note-1\n/);
  assert.match(await mnem.text("blame", "seats"), /\n {2}no provenance\n/);
  assert.doesNotMatch(text, /no provenance/);
  assert.equal(
    Object(await mnem.json("blame", "plan", "HEAD~1")).node.content,
    "enterprise",
  );
  const when = {
    commit: merge,
    written_in: wrote,
    flips: [merge],
    flips_complete: true,
    blame: blamed,
  };
  const equals = ["--equals", '"pro"'];
  assert.deepEqual(await mnem.json("when-did", "plan", ...equals), when);
  assert.deepEqual(await mnem.json("bisect", "--node=plan", ...equals), when);
  assert.match(
    await mnem.text("bisect", "--node=plan", ...equals),
    new RegExp(`\n\nwritten in\ncommit ${wrote}\n`),
  );
  assert.deepEqual(await mnem.json("whats-new"), {
    result: { plan: "modified" },
  });
  assert.equal(await mnem.text("whats-new", "HEAD~1"), "+ seats\n");
  const { result } = Object(await mnem.json("versions", "plan"));
  assert.deepEqual(
    Array.from(
      result,
      (one) => [Object(one).commit.id, Object(one).node.content],
    ),
    [[wrote, "pro"], [result[1].commit.id, "enterprise"]],
  );
  assert.match(
    await mnem.text("versions", "plan", "-n1"),
    /^[0-9a-f]{12} remember plan\n {2}1970-01-01 00:00:02Z clerk\n {2}"pro"\n {2}observation: note-1\n$/,
  );
});

Deno.test("blame tells what has no provenance, whatever else is known of it", async () => {
  await using mnem = await storeSession();
  await mnem.text("add", "sky", "blue", "--content-kind=claim");
  await mnem.text("add", "sea", "--content-json=1", "--event-time=0");
  await mnem.text("commit", "-m", "look");
  assert.match(
    await mnem.text("blame", "sky"),
    /\n {2}kind: claim\n {2}no provenance\n {2}since: /,
  );
  assert.match(
    await mnem.text("blame", "sea"),
    /\n {2}event time: 1970-01-01 00:00:00Z\n {2}no provenance\n {2}since: /,
  );
});

Deno.test("versions of a node that never was end with 3, as text and as JSON", async () => {
  await using mnem = await storeSession();
  await mnem.text("remember", "a", "1");
  const text = await mnem.mnem("versions", "ghost");
  assert.deepEqual([text.status, text.out], [3, ""]);
  assert.match(text.err, /^mnem: not_found: .* was never in memory\n/);
  assert.deepEqual(await mnem.mnem("versions", "ghost", "--json"), {
    status: 3,
    out: '{"result":[]}\n',
    err: "",
  });
  assert.equal((await mnem.mnem("versions", "a", "-n0")).status, 0);
});

Deno.test("when-did asks one question, and finds absence and null", async () => {
  await using mnem = await storeSession();
  const first = await commitOf(mnem, "remember", "a", "--content-json=null");
  const gone = await commitOf(mnem, "forget", "a");
  const ask = async (...args: string[]) =>
    fieldOf(await mnem.json("when-did", "a", ...args), "commit");
  assert.equal(await ask("--absent"), gone);
  assert.equal(await ask("--present", "--bad=HEAD~1"), first);
  assert.equal(await ask("--equals=null", "--bad=HEAD~1"), first);
  assert.match(await mnem.text("when-did", "a", "--absent"), /\nabsent here\n/);
  for (
    const args of [
      [],
      ["--absent", "--present"],
      ["--absent", "--equals=1"],
      ["--equals=pro"],
    ]
  ) {
    const ran = await mnem.mnem("when-did", "a", ...args);
    assert.equal(ran.status, 2, args.join(" "));
  }
  const early = await mnem.mnem("when-did", "a", "--absent", "--good=HEAD");
  assert.equal(early.status, 3);
  assert.equal((await mnem.mnem("bisect", "--absent")).status, 2);
});

Deno.test("merge decides by flags, says what it did, and ends with 1 for conflicts", async () => {
  await using mnem = await storeSession();
  await mnem.text("remember", "plan", "enterprise");
  await mnem.text("switch", "-c", "billing");
  await mnem.text("remember", "plan", "pro", "--observation=note-1");
  await mnem.text("remember", "x=y", "theirs");
  await mnem.text("switch", "main");
  assert.match(await mnem.text("merge", "main"), /^already up to date\n$/);
  await mnem.text("remember", "plan", "team", "--source=sales");
  await mnem.text("remember", "x=y", "ours");
  const before = await mnem.text("log", "--oneline");
  const dry = await mnem.mnem(
    "merge",
    "billing",
    "--dry-run",
    "--strategy=ours",
  );
  assert.match(dry.out, /^would make a commit: no changes\n$/);
  const preview = await mnem.mnem("merge", "billing", "--dry-run");
  const tried = await mnem.mnem("merge", "billing");
  assert.deepEqual([preview.status, preview.out], [1, tried.out]);
  assert.equal(tried.status, 1);
  assert.equal(
    tried.out,
    `conflict in plan (edit/edit)
  base    "enterprise"
  ours    "team"
          source: sales
  theirs  "pro"
          observation: note-1
conflict in x=y (add/add)
  base    (none)
  ours    "ours"
  theirs  "theirs"
`,
  );
  assert.match(
    tried.err,
    /^hint: nothing was written; .*\n {2}mnem merge billing --resolve=plan=theirs\n/,
  );
  // What is to be typed next says all that was typed before.
  const half = await mnem.mnem(
    ...["merge", "billing", "--resolve=x=y=ours", "-m", "both sides"],
    ...["--dry-run", "--allow-unrelated"],
  );
  assert.match(
    half.err,
    /\n {2}mnem merge billing --resolve=x=y=ours '--message=both sides' --allow-unrelated --resolve=plan=theirs\n/,
  );
  const json = await mnem.mnem(
    "merge",
    "billing",
    "--json",
    "--resolve=x=y=ours",
  );
  assert.deepEqual([json.status, json.err], [1, ""]);
  const { status, commit, conflicts } = JSON.parse(json.out);
  assert.deepEqual([status, commit, conflicts.length], ["conflicts", null, 1]);
  assert.deepEqual(
    conflicts[0].theirs,
    node("plan", "pro", { observation: "note-1" }),
  );
  assert.equal(await mnem.text("log", "--oneline"), before);
  const bad = [
    ["--resolve=plan"],
    ["--resolve=plan=mine"],
    ["--set=plan=text"],
    ["--set=plan"],
    ["--resolve=plan=ours", "--set=plan=1"],
    ["--source=s"],
    ["--strategy=mine"],
  ];
  for (const args of bad) {
    const ran = await mnem.mnem("merge", "billing", ...args);
    assert.equal(ran.status, 2, args.join(" "));
  }
  const stale = await mnem.mnem("merge", "billing", "--resolve=ghost=ours");
  assert.equal(stale.status, 3, stale.err);
  const made = await mnem.text(
    ...["merge", "billing", "--resolve=x=y=theirs", '--set=plan={"is":"a=b"}'],
    ...["--source=customer", "-m", "ask", "--author=ada"],
  );
  assert.match(made, /^\[main [0-9a-f]{12}\] ask\n ~ plan\n ~ x=y\n$/);
  assert.deepEqual(
    Object(await mnem.json("recall", "plan")).result,
    node("plan", { is: "a=b" }, { source: "customer" }),
  );
});

Deno.test("merge goes forward, and keeps the later evidence where both agree", async () => {
  await using mnem = await storeSession();
  await mnem.text("remember", "a", "1");
  await mnem.text("switch", "-c", "side");
  const ahead = await commitOf(mnem, "remember", "b", "same", "--source=one");
  await mnem.text("switch", "main");
  const dry = await mnem.text("merge", "side", "--dry-run");
  assert.equal(dry, "would go forward: 1 added\n + b\n");
  assert.equal(
    await mnem.text("merge", "side"),
    `branch main went forward to ${ahead.slice(0, 12)}\n + b\n`,
  );
  await mnem.text("switch", "side");
  await mnem.text("remember", "c", "same", "--source=two");
  await mnem.text("switch", "main");
  await mnem.text("remember", "c", "same", "--source=three");
  const both = await mnem.text("merge", "side");
  assert.match(
    both,
    /\n = c {2}\(both agree; the later evidence was kept\)\n$/,
  );
});

Deno.test("revert takes back one commit, and of a merge needs --parent", async () => {
  await using mnem = await storeSession();
  await mnem.text("remember", "plan", "enterprise");
  const wrong = await commitOf(mnem, "remember", "plan", "pro");
  await mnem.text("remember", "seats", "3");
  const dry = await mnem.text("revert", wrong, "--dry-run");
  assert.equal(dry, "would make a commit: 1 modified\n ~ plan\n");
  const made = await mnem.text("revert", wrong.slice(0, 8), "--time-ms=5");
  assert.match(
    made,
    new RegExp(`^\\[main [0-9a-f]{12}\\] revert ${wrong}\n ~ plan\n$`),
  );
  assert.equal(
    Object(await mnem.json("recall", "plan")).result.content,
    "enterprise",
  );
  assert.equal(await mnem.text("revert", wrong), "nothing to take back\n");
  await mnem.text("remember", "plan", "team");
  const late = await mnem.mnem("revert", wrong);
  assert.equal(late.status, 1);
  assert.match(
    late.err,
    new RegExp(`mnem revert ${wrong} --resolve=plan=theirs\n`),
  );
  await mnem.text("switch", "-c", "side", "HEAD~1");
  await mnem.text("remember", "b", "1");
  await mnem.text("switch", "main");
  await mnem.text("merge", "side");
  const merge = await mnem.mnem("revert", "HEAD");
  assert.equal(merge.status, 2, merge.err);
  assert.equal((await mnem.mnem("revert", "HEAD", "--parent=3")).status, 2);
  assert.match(await mnem.text("revert", "HEAD", "--parent=1"), /\n - b\n$/);
});

Deno.test("author and time come from flags, MNEM_AUTHOR and the clock", async () => {
  await using mnem = await storeSession();
  const env = { MNEM_AUTHOR: "env" };
  const author = async () => {
    const { result: [last] } = Object(await mnem.json("log", "-n1"));
    return [last.author, last.time];
  };
  await mnem.text("remember", "a", "1", "--time-ms=7");
  assert.deepEqual(await author(), ["agent", 7]);
  await mnem.mnemIn({ env }, "remember", "a", "2", "--time-ms=-8");
  assert.deepEqual(await author(), ["env", -8]);
  await mnem.mnemIn({ env }, "remember", "a", "3", "--author=flag");
  assert.equal((await author())[0], "flag");
  await mnem.text("add", "a", "4");
  await mnem.text("commit", "-m", "x", "--time-ms", "9");
  assert.deepEqual(await author(), ["unknown", 9]);
  await mnem.text("add", "a", "5");
  await mnem.mnemIn({ env }, "commit", "-m", "x");
  assert.equal((await author())[0], "env");
});

Deno.test("content is text, JSON, a file, or standard input", async () => {
  await using mnem = await storeSession();
  const content = async () =>
    Object(await mnem.json("recall", "a")).result.content;
  const stdin = "from stdin\n\n";
  await mnem.mnemIn({ stdin }, "remember", "a");
  assert.equal(await content(), "from stdin");
  await mnem.mnemIn({ stdin }, "add", "a", "--content-file=-");
  await mnem.text("remember", "a", "--content-json", '{"n":[1,1e300,-0]}');
  assert.deepEqual(await content(), { n: [1, 1e300, -0] });
  await mnem.text("remember", "a", "");
  assert.equal(await content(), "");
  writeFileSync(join(mnem.path, "note.txt"), "line 1\nline 2\n");
  await mnem.text("remember", "a", "--content-file=note.txt");
  assert.equal(await content(), "line 1\nline 2");
  writeFileSync(join(mnem.path, "plan.json"), '{"n":9007199254740993}\n');
  await mnem.text("add", "file", "--content-file=plan.json");
  assert.match(await mnem.text("diff"), /\{"n":9007199254740993\}/);
  writeFileSync(join(mnem.path, "no.json"), "line 1");
  writeFileSync(join(mnem.path, "bytes"), Uint8Array.of(0xff, 0xfe));
  const bad = [
    ["a", "x", "--content-json=1"],
    ["a", "--content-json=1", "--content-file=note.txt"],
    ["a", "--content-json={"],
    ["a", "--content-json=1e400"],
    ["a", "--content-file=missing"],
    ["a", "--content-file=no.json"],
    ["a", "--content-file=bytes"],
    ["a", "--content-file=."],
  ];
  for (const args of bad) {
    const ran = await mnem.mnem("remember", ...args);
    assert.equal(ran.status, 2, `${args}: ${ran.err}`);
    assert.match(ran.err, /\nhint: mnem help remember\n$/);
  }
  assert.equal(await content(), "line 1\nline 2");
});

Deno.test("the command line follows what others write to the store meanwhile", async () => {
  await using mnem = await storeSession();
  await using store = await openStore(mnem.path);
  await mnem.text("remember", "a", "1");
  await store.write([{ id: "b", content: 2 }], { message: "another process" });
  assert.deepEqual(await messages(mnem), ["another process", "remember a"]);
  assert.equal((await store.node("a"))?.content, "1");
});
