/**
 * `mnem import` of what other programs remember: what is written, what is told, and what is not
 * touched.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type Session, session, storeSession } from "./session.ts";

const ALICE =
  '{"type":"entity","name":"Alice","entityType":"person","observations":["likes tea"]}';
const ACME =
  '{"type":"entity","name":"Acme","entityType":"company","observations":[]}';
const WORKS =
  '{"type":"relation","from":"Alice","to":"Acme","relationType":"works_at"}';
const KNOWS =
  '{"type":"relation","from":"Alice","to":"Bob","relationType":"knows"}';

function put(mnem: Session, name: string, ...lines: string[]): void {
  writeFileSync(join(mnem.path, name), lines.join("\n"));
}

const FROM = ["import", "--from=server-memory"] as const;

async function commits(mnem: Session): Promise<number> {
  return Object(await mnem.json("log")).result.length;
}

Deno.test("import --from=server-memory makes one commit, and why names the line of a fact", async () => {
  await using mnem = await storeSession();
  put(mnem, "memory.jsonl", ALICE, ACME, WORKS);
  const done = Object(await mnem.json(...FROM, "memory.jsonl"));
  assert.deepEqual(
    [done.added, done.modified, done.removed, done.unchanged],
    [3, 0, 0, 0],
  );
  assert.equal(done.commits.length, 1);
  assert.deepEqual([done.skipped, done.warnings], [[], []]);
  const why = Object(await mnem.json("why", "relation/Alice/works_at/Acme"));
  assert.equal(why.commit, done.commit);
  assert.deepEqual(why.node.content, {
    from: "Alice",
    type: "works_at",
    to: "Acme",
  });
  assert.equal(why.node.provenance.source, "memory.jsonl");
  assert.equal(why.node.provenance.agent_step, "line 3");
  assert.equal(why.node.provenance.observation, WORKS);
  const [only] = Object(await mnem.json("log")).result;
  assert.equal(only.message, "import server-memory memory.jsonl");
});

Deno.test("import of a source again makes no commit, also where its lines were moved", async () => {
  await using mnem = await storeSession();
  put(mnem, "memory.jsonl", ALICE, ACME);
  const { commit } = Object(await mnem.json(...FROM, "memory.jsonl"));
  put(mnem, "memory.jsonl", "", ACME, "", ALICE);
  const again = Object(await mnem.json(...FROM, "memory.jsonl"));
  assert.deepEqual(
    [again.commit, again.commits, again.unchanged, again.changes],
    [commit, [], 2, {}],
  );
  const { node } = Object(await mnem.json("why", "entity/Alice"));
  assert.equal(node.provenance.agent_step, "line 1");
  put(mnem, "memory.jsonl", ACME, ALICE.replace("tea", "coffee"));
  const changed = Object(await mnem.json(...FROM, "memory.jsonl"));
  assert.deepEqual(changed.changes, { "entity/Alice": "modified" });
  assert.deepEqual(changed.replaced, {});
  assert.equal(await commits(mnem), 2);
});

Deno.test("import leaves a fact as it is that somebody else said, and tells whose word it replaces", async () => {
  await using mnem = await storeSession();
  const content = { type: "person", observations: ["likes tea"] };
  const flag = `--content-json=${JSON.stringify(content)}`;
  await mnem.text("remember", "entity/Alice", flag, "--source", "a call");
  await mnem.text("remember", "entity/Acme", "a customer", "--source", "crm");
  put(mnem, "memory.jsonl", ALICE, ACME);
  const done = Object(await mnem.json(...FROM, "memory.jsonl"));
  assert.deepEqual(done.changes, { "entity/Acme": "modified" });
  assert.deepEqual(done.replaced, { "entity/Acme": "crm" });
  const { node } = Object(await mnem.json("why", "entity/Alice"));
  assert.equal(node.provenance.source, "a call");
  const text = await mnem.text(...FROM, "memory.jsonl");
  assert.equal(text, "imported: no changes, 2 unchanged\n");
});

Deno.test("import reports what it skips with its line, and imports the rest", async () => {
  await using mnem = await storeSession();
  const long = ALICE.replace("Alice", "x".repeat(1_018));
  const half = ALICE.slice(0, 30);
  put(mnem, "memory.jsonl", ALICE, "{", KNOWS, WORKS, ALICE, long, ACME, half);
  const done = Object(await mnem.json(...FROM, "memory.jsonl"));
  assert.deepEqual(Object.keys(done.changes).sort(), [
    "entity/Acme",
    "entity/Alice",
    "relation/Alice/knows/Bob",
    "relation/Alice/works_at/Acme",
  ]);
  const places = done.skipped.map((one: { readonly line: number }) => one.line);
  assert.deepEqual(places, [2, 5, 6, 8]);
  assert.match(
    done.skipped[2].reason,
    /would have 1025 bytes, the limit is 1024/,
  );
  assert.deepEqual(done.warnings, [{
    source: "memory.jsonl",
    line: 3,
    reason: 'the relation leads to "Bob", which the file does not describe',
  }]);
  const text = await mnem.text(...FROM, "memory.jsonl");
  assert.match(
    text,
    /^imported: no changes, 4 unchanged\nskipped: 4\n {2}memory\.jsonl:2: /,
  );
  assert.match(
    text,
    /\n {2}memory\.jsonl:8: .*the file ends within the line\n/,
  );
});

Deno.test("import --dry-run and --strict write nothing, not even a folder", async () => {
  await using mnem = await session();
  put(mnem, "memory.jsonl", ALICE, "{");
  const dry = await mnem.text(...FROM, "memory.jsonl", "new", "--dry-run");
  assert.match(
    dry,
    /^would be: 1 added, 0 unchanged\n \+ entity\/Alice\nskipped: 1\n/,
  );
  const strict = await mnem.mnem(
    ...FROM,
    "memory.jsonl",
    "new",
    "--strict",
    "--json",
  );
  assert.equal(strict.status, 1, strict.err);
  const { refused, commit, added, skipped } = JSON.parse(strict.out);
  assert.deepEqual([refused, commit, added, skipped.length], [
    true,
    "none",
    1,
    1,
  ]);
  assert.deepEqual(readdirSync(mnem.path), ["memory.jsonl"]);
  put(mnem, "memory.jsonl", ALICE);
  const good = Object(
    await mnem.json(...FROM, "memory.jsonl", "new", "--strict"),
  );
  assert.deepEqual([good.refused, good.added], [false, 1]);
  const again = Object(await mnem.json(...FROM, "memory.jsonl", "new"));
  assert.equal(again.unchanged, 1);
  const found = Object(await mnem.json("why", "entity/Alice", "--store=new"));
  assert.equal(found.node.provenance.source, join(mnem.path, "memory.jsonl"));
});

Deno.test("import keeps what a source says no more, and --prune forgets what it had written", async () => {
  await using mnem = await storeSession();
  put(mnem, "memory.jsonl", ALICE, ACME, WORKS);
  put(mnem, "other.jsonl", ACME.replaceAll("Acme", "Zeta"));
  await mnem.text(...FROM, "memory.jsonl");
  await mnem.text(...FROM, "other.jsonl");
  await mnem.text("remember", "entity/Mine", "1", "--source", "memory.jsonl");
  put(mnem, "memory.jsonl", ALICE, "{");
  const gone = ["entity/Acme", "relation/Alice/works_at/Acme"];
  // What could not be read may be what still says so.
  const kept = Object(await mnem.json(...FROM, "memory.jsonl", "--prune"));
  assert.deepEqual([kept.vanished, kept.changes], [gone, {}]);
  assert.match(
    await mnem.text(...FROM, "memory.jsonl", "--prune"),
    /^said no more by the source, and kept, since something was skipped: 2$/m,
  );
  assert.match(
    await mnem.text(...FROM, "memory.jsonl"),
    /^said no more by the source, and kept \(--prune forgets them\): 2$/m,
  );
  put(mnem, "memory.jsonl", ALICE);
  const told = Object(await mnem.json(...FROM, "memory.jsonl"));
  assert.deepEqual([told.vanished, told.changes], [gone, {}]);
  const dry = Object(
    await mnem.json(...FROM, "memory.jsonl", "--prune", "--dry-run"),
  );
  assert.deepEqual([dry.removed, dry.commits], [2, []]);
  const pruned = Object(await mnem.json(...FROM, "memory.jsonl", "--prune"));
  assert.deepEqual(
    [pruned.vanished, Object.keys(pruned.changes)],
    [[], gone],
  );
  const { result } = Object(await mnem.json("recall"));
  assert.deepEqual(
    result.map(({ id }: { readonly id: string }) => id),
    ["entity/Alice", "entity/Mine", "entity/Zeta"],
  );
});

Deno.test("import --from refuses what it cannot read, and takes ids with a prefix", async () => {
  await using mnem = await storeSession();
  put(mnem, "memory.jsonl", ALICE);
  mkdirSync(join(mnem.path, "folder"));
  for (
    const args of [
      ["missing.jsonl"],
      ["folder"],
      ["-"],
      ["memory.jsonl", "new", "--store=other"],
    ]
  ) {
    const ran = await mnem.mnem(...FROM, ...args);
    assert.deepEqual([ran.status, ran.out], [2, ""], ran.err);
  }
  // Of a bundle it would be passed over, and written.
  const dry = await mnem.mnem("import", "memory.jsonl", "new", "--dry-run");
  assert.equal(dry.status, 2);
  assert.match(dry.err, /--dry-run cannot be used with --from=bundle/);
  const unknown = await mnem.mnem("import", "--from=nothing", "memory.jsonl");
  assert.equal(unknown.status, 2);
  assert.match(unknown.err, /server-memory/);
  const done = Object(
    await mnem.json(...FROM, "memory.jsonl", "--prefix=team/", "-m", "mine"),
  );
  assert.deepEqual(done.changes, { "team/entity/Alice": "added" });
  const [only] = Object(await mnem.json("log")).result;
  assert.equal(only.message, "mine");
});

Deno.test("import --from=mem0 keeps the time of a memory, and updates it by its id", async () => {
  await using mnem = await storeSession();
  const memory = (text: string) =>
    JSON.stringify({
      results: [{
        id: "m1",
        memory: text,
        created_at: "2025-01-02T03:04:05Z",
        user_id: "dev",
      }, { id: "m1", memory: "again" }],
    });
  put(mnem, "all.json", memory("drinks tea"));
  const first = Object(await mnem.json("import", "--from=mem0", "all.json"));
  assert.deepEqual(first.changes, {
    "mem0/m1": "added",
    "mem0/m1/2": "added",
  });
  assert.match(first.warnings[0].reason, /"mem0\/m1" stands in line 1/);
  put(mnem, "all.json", memory("drinks coffee"));
  const second = Object(await mnem.json("import", "--from=mem0", "all.json"));
  assert.deepEqual(second.changes, { "mem0/m1": "modified" });
  const why = Object(await mnem.json("why", "mem0/m1"));
  assert.equal(why.commit, second.commit);
  assert.equal(why.time, Date.UTC(2025, 0, 2, 3, 4, 5));
  assert.deepEqual(why.node.content, {
    memory: "drinks coffee",
    user_id: "dev",
  });
});

const NOTES = ["import", "--from=markdown"] as const;

Deno.test("import --from=markdown reads a folder of notes, and says what it leaves aside", async () => {
  await using mnem = await storeSession();
  for (const name of ["notes", "notes/sub", "notes/.hidden", "out"]) {
    mkdirSync(join(mnem.path, name));
  }
  put(
    mnem,
    "notes/a.md",
    "# Acme",
    "- plan: pro",
    "",
    "@sub/b.md",
    "@../out/o.md",
  );
  put(mnem, "notes/sub/b.md", "see @missing.md", "", "Tea is green.");
  put(mnem, "notes/.c.md", "hidden");
  put(mnem, "notes/.hidden/d.md", "hidden");
  put(mnem, "notes/e.md", "a\0b");
  put(mnem, "notes/f.txt", "no note");
  put(mnem, "notes/g.md", "x".repeat(8 * 1024 * 1024 + 1));
  put(mnem, "out/o.md", "outside");
  symlinkSync("../out", join(mnem.path, "notes/h"));
  symlinkSync("../out/o.md", join(mnem.path, "notes/i.md"));
  symlinkSync("a.md", join(mnem.path, "notes/j.md"));
  symlinkSync("nothing.md", join(mnem.path, "notes/k.md"));
  const done = Object(await mnem.json(...NOTES, "notes"));
  assert.deepEqual(Object.keys(done.changes).sort(), [
    "a.md#acme/plan",
    "a.md#acme/sub-b-md-out-o-md",
    "sub/b.md#see-missing-md",
    "sub/b.md#tea-is-green",
  ]);
  const skipped = done.skipped.map((
    one: { readonly [name: string]: unknown },
  ) => [one.source, one.line, one.reason, one.fault]);
  assert.deepEqual(skipped, [
    ["notes/.c.md", null, "it is hidden", false],
    ["notes/.hidden", null, "it is hidden", false],
    [
      "notes/a.md",
      5,
      '"@../out/o.md" is not followed; import it as a source of its own',
      false,
    ],
    ["notes/e.md", null, "it holds a NUL: it is no text", true],
    ["notes/g.md", null, "it has 8388609 bytes, the limit is 8388608", true],
    ["notes/h", null, "the link leads out of the folder", true],
    ["notes/i.md", null, "the link leads out of the folder", true],
    ["notes/j.md", null, "it is a link to a.md, which is read there", false],
    ["notes/k.md", null, "the link leads to nothing", true],
    ["notes/sub/b.md", 1, '"@missing.md" is not there', false],
  ]);
  const { node } = Object(await mnem.json("why", "sub/b.md#tea-is-green"));
  assert.deepEqual([node.provenance.source, node.provenance.agent_step], [
    "notes/sub/b.md",
    "line 3",
  ]);
});

Deno.test("import --from=markdown of a changed note changes what it says, and --prune forgets a file", async () => {
  await using mnem = await storeSession();
  mkdirSync(join(mnem.path, "notes"));
  put(mnem, "notes/a.md", "- plan: pro", "- seats: 3");
  put(mnem, "notes/b.md", "gone soon");
  await mnem.text(...NOTES, "notes");
  put(mnem, "notes/a.md", "new", "", "- plan: team", "- seats: 3");
  rmSync(join(mnem.path, "notes/b.md"));
  const done = Object(await mnem.json(...NOTES, "notes", "--prune"));
  assert.deepEqual(done.changes, {
    "a.md#new": "added",
    "a.md#plan": "modified",
    "b.md#gone-soon": "removed",
  });
  assert.equal(await commits(mnem), 2);
  // A file alone has the same ids as in its folder, and nothing to forget of the others.
  const alone = Object(await mnem.json(...NOTES, "notes/a.md", "--prune"));
  assert.deepEqual([alone.changes, alone.unchanged], [{}, 3]);
});

Deno.test("import --from=langgraph runs a module, and takes in the store that it exports", async () => {
  await using mnem = await storeSession();
  const module = (value: string) => `
const at = new Date(1_000);
const items = [
  { namespace: ["users", "u1"], key: "plan", value: { tier: ${value} }, createdAt: at, updatedAt: at },
  { namespace: ["users"], key: "bad", value: { n: 1n }, createdAt: at, updatedAt: at },
];
export default () => ({
  listNamespaces: ({ offset }) => Promise.resolve(offset ? [] : [["users", "u1"], ["users"]]),
  search: (_, { offset }) => Promise.resolve(offset ? [] : items),
});`;
  put(mnem, "store1.mjs", module('"pro"'));
  const from = ["import", "--from=langgraph"] as const;
  const dry = Object(
    await mnem.json(...from, "store1.mjs", "--dry-run"),
  );
  assert.deepEqual([dry.added, dry.commits], [1, []]);
  const strict = await mnem.mnem(...from, "store1.mjs", "--strict");
  assert.equal(strict.status, 1, strict.err);
  const done = Object(await mnem.json(...from, "store1.mjs"));
  assert.deepEqual(done.changes, { "users:u1:plan": "added" });
  assert.match(done.skipped[0].reason, /^\["users","bad"\]: .*bigint/);
  const why = Object(await mnem.json("why", "users:u1:plan"));
  assert.deepEqual(
    [why.commit, why.node.provenance.source, why.time],
    [done.commit, "store1.mjs", 1_000],
  );
  put(mnem, "none.mjs", "export default 7;");
  put(mnem, "fails.mjs", "throw new Error('no database');");
  for (
    const [file, says] of [
      ["none.mjs", /must export a LangGraph store/],
      ["fails.mjs", /cannot run fails\.mjs: no database/],
      ["missing.mjs", /it must be a file/],
    ] as const
  ) {
    const ran = await mnem.mnem(...from, file);
    assert.deepEqual([ran.status, ran.out], [2, ""]);
    assert.match(ran.err, says);
  }
});
