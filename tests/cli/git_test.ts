/**
 * `mnem export --git` and `mnem import --from=git`, with the real git.
 *
 * @module
 */

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "@mnem/core";
import { playBundleHistory } from "../support/bundle_history.ts";
import { exported } from "../support/bundles.ts";
import { gitRepository } from "../support/git_repository.ts";
import { isThere } from "../support/program.ts";
import { Chance } from "../support/tree_cases.ts";
import {
  PROGRAM,
  runProgram,
  type Session,
  session,
  storeSession,
} from "./session.ts";

const SEED = 20_261_201;
const ignore = !(await isThere(["git"]));

/** The commit that a commit of git was made of. */
const OWN = "--format=%(trailers:key=Mnem-Commit,valueonly,separator=)";

async function json(mnem: Session, ...args: string[]) {
  return Object(await mnem.json(...args));
}

async function committed(mnem: Session, ...args: string[]): Promise<string> {
  return (await json(mnem, ...args)).commit;
}

/** Content of a whole memory, by node id. */
async function memory(mnem: Session, ...args: string[]) {
  const { result } = await json(mnem, "recall", ...args);
  return Object.fromEntries(
    result.map((node: { id: string; content: unknown }) => [
      node.id,
      node.content,
    ]),
  );
}

Deno.test({
  name: "git log, blame and bisect tell of an export what mnem tells",
  ignore,
}, async () => {
  await using mnem = await storeSession();
  const root = await committed(
    mnem,
    ...["remember", "plan", "enterprise", "--author=Ann <ann@example.com>"],
  );
  await mnem.text("branch", "side");
  for (const n of [1, 2, 3]) await mnem.text("remember", `n${n}`, String(n));
  const wrong = await committed(
    mnem,
    ...["remember", "plan", "pro", "--observation=billing-note-8842"],
  );
  await mnem.text("switch", "side");
  const side = await committed(mnem, "remember", "other", "x");
  await mnem.text("switch", "main");
  const merge = await committed(mnem, "merge", "side", "-m", "take side in");
  await using repository = await gitRepository();
  const { git } = repository;
  assert.equal(await repository.feed(await mnem.text("export", "--git")), "");
  assert.equal((await git("rev-list", "--count", "--all")).trim(), "7");
  assert.equal(await git("fsck", "--strict"), "");
  assert.equal((await git("log", "-1", OWN, "main^1")).trim(), wrong);
  assert.equal((await git("log", "-1", OWN, "main^2")).trim(), side);
  assert.equal((await git("log", "-1", OWN, "main")).trim(), merge);
  assert.equal(
    await git("log", "-1", "--format=%an|%ae|%s", "main~5"),
    "Ann|ann@example.com|remember plan\n",
  );
  assert.match(
    await git("log", "-1", "main^1"),
    /Mnem-Node: "plan" \{"observation":"billing-note-8842"\}\n/,
  );
  await git("reset", "--quiet", "--hard", "main");
  const blamed = await git("blame", "--porcelain", "nodes/plan.json");
  const line = blamed.split("\n").findIndex((text) =>
    text === '\t  "content": "pro",'
  );
  const by = blamed.split("\n").slice(0, line).findLast((text) =>
    /^[0-9a-f]{40} /.test(text)
  )?.slice(0, 40) ?? "";
  assert.equal((await git("log", "-1", OWN, by)).trim(), wrong);
  await git("bisect", "start", "main", "main~5");
  await git("bisect", "run", "sh", "-c", "! grep -q pro nodes/plan.json");
  assert.equal(
    (await git("log", "-1", OWN, "refs/bisect/bad")).trim(),
    wrong,
  );
  assert.equal((await git("log", "-1", OWN, "main~5")).trim(), root);
});

Deno.test({
  name:
    "a store that went through git is the same store, and comes again without a change",
  ignore,
}, async () => {
  await using mnem = await session();
  const place = join(mnem.path, "first");
  {
    await using store = await openStore(place, { create: true });
    const chance = new Chance(SEED);
    const shape = { chance, steps: 40, ids: 30, edits: 5 };
    await playBundleHistory(store, shape);
    await store.write(
      [
        ...["", "a", "a/b", "A", "😀".repeat(250), "x/../.git", "con"].map((
          id,
        ) => ({ id, content: [1, -0, 1e300, 2n ** 63n, id] })),
      ].filter(({ id }) => id !== ""),
      { message: "odd\n\nids\n", timeMs: -5 },
    );
    await store.createBranch("a.lock");
    await store.createBranch("main/x");
  }
  const whole = await mnem.text("export", "--store=first");
  await using repository = await gitRepository();
  const stream = await mnem.text("export", "--git", "--store=first");
  assert.equal(await repository.feed(stream), "");
  assert.equal(await repository.git("fsck", "--strict"), "");
  await mnem.text("import", "--from=git", repository.path, "second");
  assert.ok(
    await mnem.text("export", "--store=second") === whole,
    `seed ${SEED}`,
  );
  const again = await json(
    mnem,
    "import",
    "--from=git",
    repository.path,
    "second",
  );
  assert.equal(again.passed_over_count, 0);
  assert.ok(await mnem.text("export", "--store=second") === whole);
  const ran = await mnem.mnemIn(
    { stdin: stream },
    ...["import", "--from=git", "-", "third"],
  );
  assert.equal(ran.status, 0, ran.err);
  assert.ok(await mnem.text("export", "--store=third") === whole);
});

Deno.test({
  name:
    "what another program wrote goes through git, and so does HEAD at a commit",
  ignore,
}, async () => {
  await using mnem = await session();
  const bundle = new URL(
    "../data/traces/trace-101.bundle.json",
    import.meta.url,
  );
  const traced = await Deno.readTextFile(bundle).catch(() => undefined);
  assert.ok(traced !== undefined);
  await Deno.writeTextFile(join(mnem.path, "b.json"), traced);
  await mnem.text("import", "b.json", "first");
  await mnem.text("switch", "--detach", "HEAD", "--store=first");
  const stream = await mnem.text("export", "--git", "--store=first");
  const ran = await mnem.mnemIn(
    { stdin: stream },
    ...["import", "--from=git", "-", "second"],
  );
  assert.equal(ran.status, 0, ran.err);
  await using first = await openStore(join(mnem.path, "first"));
  await using second = await openStore(join(mnem.path, "second"));
  assert.deepEqual(await second.head(), await first.head());
  assert.equal((await second.head()).branch, null);
  assert.deepEqual(await second.branches(), await first.branches());
  assert.ok((await exported(second)).length > 1_000);
});

Deno.test({
  name:
    "import --from=git takes what people committed, and passes over what is no node",
  ignore,
}, async () => {
  await using mnem = await storeSession();
  const base = await committed(mnem, "remember", "plan", "enterprise");
  await mnem.text("remember", "gone", "x");
  await using repository = await gitRepository();
  const { git, path } = repository;
  await repository.feed(await mnem.text("export", "--git"));
  await git("reset", "--quiet", "--hard", "main");
  const write = (name: string, text: string) =>
    Deno.writeTextFile(join(path, name), text);
  const node = (id: string, content: string) =>
    `{"id": ${
      JSON.stringify(id)
    }, "kind": "memory_node", "content": ${content}, "content_kind": "note"}`;
  const commit = async (message: string, ...args: string[]) => {
    await git("add", "--all");
    await git("commit", "--quiet", "-m", message, ...args);
    return (await git("rev-parse", "HEAD")).trim();
  };
  await git("checkout", "--quiet", "-b", "fix#1");
  await write("nodes/new.json", node("new", "1.0"));
  await commit("add one", "--date=@86400 +0200");
  await git("checkout", "--quiet", "main");
  // As an editor on Windows saves it.
  const saved = node("plan", '"pro"').replaceAll(", ", ",\r\n\t");
  await write("nodes/plan.json", `\ufeff${saved}\r\n`);
  await git("rm", "--quiet", "nodes/gone.json");
  await commit("change and remove");
  await git("merge", "--quiet", "--no-ff", "-m", "a merge of git", "fix#1");
  await write("README.md", "no node");
  await write("nodes/bad.json", "{");
  await write("nodes/plan.json", "not JSON any more");
  await write("nodes/My.json", node("My", "1"));
  await write("nodes/other.json", node("another", "1"));
  await Deno.symlink("/etc/passwd", join(path, "nodes/link.json"));
  const odd = await commit("odd files");
  const at = ["--store=copy"];
  const taken = await json(mnem, "import", "--from=git", path, ...at);
  assert.deepEqual(await memory(mnem, ...at), { new: 1, plan: "pro" });
  assert.deepEqual(Object.keys(taken.branches), ["fix-1", "main"]);
  const names = taken.passed_over.map(
    ({ commit, name }: { commit: string | null; name: string }) =>
      [commit, name] as const,
  );
  assert.deepEqual(names, [
    [null, "fix#1"],
    [odd, "README.md"],
    [odd, "nodes/My.json"],
    [odd, "nodes/link.json"],
    [odd, "nodes/bad.json"],
    [odd, "nodes/other.json"],
    [odd, "nodes/plan.json"],
  ]);
  assert.match(await mnem.text("export", ...at), /"content": 1\.0,/);
  const log = (await json(mnem, "log", ...at)).result;
  const of = (message: string) =>
    log.find((one: { message: string }) => one.message === message);
  assert.deepEqual(
    [of("add one").author, of("add one").time, of("add one").parents.length],
    ["Bo <bo@example.com>", 86_400_000, 1],
  );
  assert.equal(of("add one").parents[0], of("remember gone").id);
  assert.equal(of("remember plan").id, base);
  assert.deepEqual(of("a merge of git").parents, [
    of("change and remove").id,
    of("add one").id,
  ]);
  assert.equal((await json(mnem, "verify", ...at)).faults.length, 0);
  const strict = await mnem.mnem(
    ...["import", "--from=git", "--strict", path, "--store=strict"],
  );
  assert.equal(strict.status, 7);
  assert.match(strict.err, /corrupt_store: Cannot import: "fix#1": /);
  assert.ok(!readdirSync(mnem.path).includes("strict"));
});

/** Streams that no store may come of, and what is said of them. */
const BROKEN: readonly (readonly [stream: string, says: RegExp])[] = [
  ["", /there is no commit on any branch/],
  ["no stream", /git said: fatal: Unsupported command/],
  // Git ends while it is still written to.
  [
    `no stream\n${"x".repeat(8 * 1024 * 1024)}`,
    /git said: fatal: Unsupported command/,
  ],
  ["feature done\n", /git said: fatal: /],
  ["feature import-marks=/etc/passwd\n", /git said: fatal: /],
  ["blob\ndata 100\nx", /git said: fatal: EOF in data/],
];

Deno.test({
  name: "a stream that is cut off or none leaves nothing",
  ignore,
}, async () => {
  await using mnem = await storeSession();
  for (const n of [1, 2, 3]) await mnem.text("remember", `n${n}`, String(n));
  const whole = await mnem.text("export", "--git");
  const cuts = [0.3, 0.6, 0.9].map((part) =>
    [whole.slice(0, whole.length * part), /git said: fatal: /] as const
  );
  for (const [stdin, says] of [...BROKEN, ...cuts]) {
    const ran = await mnem.mnemIn(
      { stdin },
      ...["import", "--from=git", "-", "--store=copy"],
    );
    assert.deepEqual([ran.status, ran.out], [2, ""], stdin.slice(-40));
    assert.match(ran.err, says);
    assert.deepEqual(readdirSync(mnem.path), [".mnem"]);
  }
  const missing = await mnem.mnem("import", "--from=git", ".", "--store=x");
  assert.equal(missing.status, 2, missing.err);
});

/** A commit of git with one file. */
function oneCommit(file: string, head = ""): string {
  return `commit refs/heads/main\nauthor \u00e9 <a> 7 +0000\ncommitter C <c> 7 +0000\n${head}data 2\nm\n${file}\n`;
}

Deno.test({
  name:
    "paths that lead out, links, modules and other encodings come to no harm",
  ignore,
}, async () => {
  await using mnem = await session();
  const files = [
    "M 120000 inline nodes/link.json\ndata 11\n/etc/passwd\n",
    `M 160000 ${"1".repeat(40)} nodes/module.json`,
    'M 100644 inline "nodes/\\377.json"\ndata 2\n{}\n',
    "M 100644 inline nodes/a.json\ndata 2\n{}\n",
    "M 100644 inline nodes/b.json\ndata 1\n\u0000\n",
  ];
  for (const [i, file] of files.entries()) {
    const ran = await mnem.mnemIn(
      { stdin: oneCommit(file) },
      ...["import", "--json", "--from=git", "-", `copy${i}`],
    );
    assert.equal(ran.status, 0, ran.err);
    const { passed_over, passed_over_count } = JSON.parse(ran.out);
    assert.equal(passed_over_count, 1, file);
    assert.ok(passed_over[0].what.length > 5, passed_over[0].what);
    assert.deepEqual(await memory(mnem, `--store=copy${i}`), {});
  }
  const latin = new TextEncoder().encode(
    oneCommit("", "encoding ISO-8859-1\n"),
  ).filter((byte) => byte !== 0xc3);
  const ran = await mnem.mnemIn(
    { stdin: latin },
    ...["import", "--from=git", "-", "latin"],
  );
  assert.equal(ran.status, 0, ran.err);
  const [{ author }] = (await json(mnem, "log", "--store=latin")).result;
  assert.equal(author, "\u00a9 <a>");
});

Deno.test("import --from=git says so where there is no git", async () => {
  await using mnem = await session();
  const ran = await runProgram(["import", "--from=git", ".", "copy"], {
    cwd: mnem.path,
    env: { PATH: "/nonexistent" },
  });
  assert.equal(ran.status, 2);
  assert.match(ran.err, /git is needed, and there is no program of that name/);
  assert.deepEqual(readdirSync(mnem.path), []);
});

Deno.test({
  name: "a signal ends an import from a stream, and leaves nothing",
  ignore: ignore || Deno.build.os === "windows",
}, async () => {
  await using mnem = await storeSession();
  await mnem.text("remember", "n", "1");
  const part = (await mnem.text("export", "--git")).slice(0, 100);
  const scratch = join(mnem.path, "scratch");
  await Deno.mkdir(scratch);
  const watcher = Deno.watchFs(scratch);
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", PROGRAM, "import", "--from=git", "-", "--store=copy"],
    cwd: mnem.path,
    env: { TMPDIR: scratch },
    stdin: "piped",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(part));
  // Its repository comes once it listens.
  for await (const { kind } of watcher) if (kind === "create") break;
  child.kill("SIGINT");
  const said = await new Response(child.stderr).text();
  const { code } = await child.status;
  await writer.close().catch(() => {});
  assert.deepEqual([code, said], [130, "mnem: interrupted\n"]);
  assert.deepEqual(readdirSync(scratch), []);
  assert.deepEqual(readdirSync(mnem.path).sort(), [".mnem", "scratch"]);
});
