/**
 * What a user can type wrong, and ids that are hard to type.
 *
 * @module
 */

import assert from "node:assert/strict";
import { COMMANDS } from "../../cli/command_table.ts";
import { parseCommandLine } from "../../cli/parser.ts";
import { session, storeSession } from "./session.ts";

const ODD_IDS = [
  "a=b",
  "=",
  "a/b c",
  " lead and trail ",
  ":",
  "/",
  "-x",
  "--json",
  "__proto__",
  "constructor",
  "👩‍👩‍👧 é",
  'a"b\\c',
  "a\nb\tc",
  "\u001b[31mred\u0007\u009b",
  "ours=theirs",
  "HEAD~1",
  "x".repeat(1_024),
];

Deno.test("an id of any form goes through every command that takes one", async (t) => {
  await using mnem = await storeSession();
  await mnem.text("remember", "other", "1");
  await mnem.text("branch", "side");
  for (const [i, id] of ODD_IDS.entries()) {
    await t.step(JSON.stringify(id.slice(0, 20)), async () => {
      const known = async () =>
        Object(await mnem.json("recall", "--", id)).result;
      await mnem.text("add", "--source=s", "--", id, `-value ${i}`);
      assert.deepEqual(Object.keys(Object(await mnem.json("status")).staged), [
        id,
      ]);
      await mnem.text("commit", "-m", "add");
      assert.deepEqual([(await known()).id, (await known()).content], [
        id,
        `-value ${i}`,
      ]);
      assert.equal(Object(await mnem.json("blame", "--", id)).node.id, id);
      const { result } = Object(await mnem.json("log", `--node=${id}`));
      assert.equal(result.length, 1);
      await mnem.text("switch", "side");
      await mnem.text("remember", "--", id, "theirs");
      await mnem.text("switch", "main");
      const merged = Object(
        await mnem.json("merge", "side", `--resolve=${id}=theirs`),
      );
      assert.deepEqual(Object.keys(merged.changes), [id]);
      assert.equal((await known()).content, "theirs");
      await mnem.text("remember", "--content-json=[1]", "--", id);
      const bisect = ["bisect", "--node", id, "--equals", "[1.0]"];
      assert.equal(Object(await mnem.json(...bisect)).blame.node.id, id);
      const when = await mnem.json("when-did", "--equals=[1]", "--", id);
      assert.deepEqual(when, await mnem.json(...bisect));
      const { result: changes } = Object(
        await mnem.json("diff", "HEAD~1", "HEAD"),
      );
      assert.equal(changes[0].id, id);
      await mnem.text("rm", "--", id);
      await mnem.text("unstage", "--", id);
      await mnem.text("forget", "--", id);
      assert.equal((await mnem.mnem("recall", "--", id)).status, 3);
      const versions = Object(await mnem.json("versions", "--", id)).result;
      assert.equal(versions[0].node, null);
      await mnem.text("switch", "side");
      await mnem.text("merge", "main");
      await mnem.text("switch", "main");
    });
  }
});

Deno.test("a resolution of a value may hold = on both sides", async () => {
  await using mnem = await storeSession();
  await mnem.text("remember", "a=1", "base");
  await mnem.text("switch", "-c", "side");
  await mnem.text("remember", "a=1", "theirs");
  await mnem.text("switch", "main");
  await mnem.text("remember", "a=1", "ours");
  await mnem.text("merge", "side", '--set=a=1="x=1"');
  const { result } = Object(await mnem.json("recall", "a=1"));
  assert.equal(result.content, "x=1");
});

Deno.test("a value that looks like a flag is a value", async () => {
  await using mnem = await storeSession();
  const ran = await mnem.mnem("remember", "a", "1", "--source", "--json");
  assert.match(ran.out, /\] remember a\n \+ a\n$/);
  assert.match(await mnem.text("recall", "a"), /\n {2}source: --json\n$/);
});

Deno.test("an id that cannot be is a usage error, and nothing is written", async () => {
  await using mnem = await storeSession();
  for (const id of ["", "a\0b", "x".repeat(1_025), "é".repeat(513)]) {
    for (const command of ["remember", "add"]) {
      const ran = await mnem.mnem(command, id, "x");
      assert.equal(ran.status, 2, ran.err);
      assert.equal(ran.out, "");
      assert.match(ran.err, /^mnem: invalid_argument: .*\nhint: mnem help/);
    }
  }
  const { head, staged } = Object(await mnem.json("status"));
  assert.deepEqual([head, staged], ["none", {}]);
});

Deno.test("content over the limits is refused with the limit and the size", async () => {
  await using mnem = await storeSession();
  const over = "x".repeat(8 * 1024 * 1024 + 1);
  for (const command of ["remember", "add"]) {
    const ran = await mnem.mnemIn({ stdin: over }, command, "a");
    assert.equal(ran.status, 2);
    assert.match(ran.err, /: \d+ bytes, the limit is 8388608\n/);
  }
  const deep = "[".repeat(128) + "]".repeat(128);
  assert.equal((await mnem.mnem("add", "a", "--content-json", deep)).status, 2);
  const big = "x".repeat(8_000_000);
  await mnem.mnemIn({ stdin: big }, "remember", "a");
  const { result } = Object(await mnem.json("recall", "a"));
  assert.equal(result.content, big);
  const note = await mnem.mnem("add", "b", "1", "--note", "x".repeat(65_537));
  assert.equal(note.status, 2);
});

const USAGE_ERRORS: readonly (readonly [args: string[], says: RegExp])[] = [
  [
    ["lgo"],
    /^mnem: unknown command 'lgo'\n {2}\(Did you mean log\?\)\nhint: mnem help\n$/,
  ],
  [
    ["help", "lgo"],
    /^mnem: unknown command 'lgo'\n {2}\(Did you mean log\?\)\n/,
  ],
  [["--store", "x", "help", "lgo"], /^mnem: unknown command 'lgo'\n/],
  [["constructor"], /unknown command 'constructor'/],
  [
    ["log", "--onelin"],
    /unknown option '--onelin'\n {2}\(Did you mean --oneline\?\)\nhint: mnem help log\n$/,
  ],
  [["--stor=x", "log"], /unknown option '--stor=x'/],
  [
    ["recall", "-x"],
    /unknown option '-x'\n {2}an id or a text that begins with - goes after --\n/,
  ],
  [
    ["recall", "two", "words"],
    /too many arguments for 'recall'.*\n {2}an id or a text with spaces goes in quotes\nhint: mnem help recall\n$/,
  ],
  [["recal", "log"], /\(Did you mean recall\?\)\nhint: mnem help\n$/],
  [["--store", "log", "log", "-x"], /\nhint: mnem help log\n$/],
  [["why"], /missing required argument 'id'\nhint: mnem help blame\n/],
  [["blame"], /missing required argument 'id'\nhint: mnem help blame\n/],
  [["log", "-n"], /option '-n, --limit <count>' argument missing/],
  [["log", "-n", "x"], /--limit must be an integer from 0, not "x"/],
  [["log", "-n", "-1"], /--limit must be an integer from 0, not "-1"/],
  [["log", "-n", "1e3"], /--limit must be an integer/],
  [["recall", "-n", "0"], /--limit must be an integer from 1, not "0"/],
  [
    ["add", "a", "1", "--event-time", "soon"],
    /--event-time must be an integer, not "soon"/,
  ],
  [
    ["add", "a", "1", "--event-time", "99999999999999999999"],
    /--event-time must be an integer within -2\^53 \+ 1 and 2\^53 - 1, not/,
  ],
  [
    ["add", "a", "--content-json", "text"],
    /must be a value; a text is JSON only in double quotes\n/,
  ],
  [["add", "a", "--content-json", "1e999"], /that a double can hold\n/],
  [["commit"], /-m must be given/],
  [
    ["diff", "--stat", "--name-only"],
    /--stat and --name-only exclude each other/,
  ],
  [["recall", "a", "--prefix=b"], /--prefix is for a list, not beside an id/],
  [["recall", "--cursor=x"], /no cursor that an earlier page/],
  [["remember"], /an id must be given, or --items <file>/],
  [["remember", "a", "--items=x"], /an id must be given, or --items <file>/],
  [["merge", "x", "--strategy=mine"], /Allowed choices are ours, theirs/],
  [["completions", "tcsh"], /elvish, not for "tcsh"/],
  [["init", "--store="], /Cannot use an empty text as a store/],
  [["status", "--store=ftp://x"], /Cannot use .* as a store/],
  [["status", "--store=:memory:"], /Cannot use .* as a store/],
];

Deno.test("a command line that cannot be followed ends with 2, says why and what to type next", async (t) => {
  await using mnem = await storeSession();
  for (const [args, says] of USAGE_ERRORS) {
    await t.step(args.join(" "), async () => {
      const ran = await mnem.mnem(...args);
      assert.equal(ran.status, 2, ran.err);
      assert.equal(ran.out, "");
      assert.match(ran.err, says);
      assert.match(ran.err, /\nhint: mnem help/);
      const json = await mnem.mnem("--json", ...args);
      assert.deepEqual([json.status, json.out], [2, ""]);
      const { error } = JSON.parse(json.err);
      assert.equal(error.code, "invalid_argument");
      assert.equal(json.err.split("\n").length, 2);
    });
  }
});

Deno.test("an id like --json asks for no JSON, also where the line cannot be read", async () => {
  await using mnem = await storeSession();
  const ran = await mnem.mnem("recal", "--", "--json");
  assert.equal(ran.status, 2);
  assert.match(ran.err, /^mnem: unknown command 'recal'\n/);
});

const REVISIONS = [
  "nope",
  "HEAD~9",
  "HEAD^2",
  "abc",
  "@{never}",
  "",
  "a b",
  "ffffffff",
  "side@{x}",
];

Deno.test("a revision that names nothing is invalid_ref at every command", async () => {
  await using mnem = await storeSession();
  await mnem.text("remember", "a", "1");
  const calls = (revision: string) => [
    ["log", revision],
    ["show", revision],
    ["diff", revision, "HEAD"],
    ["diff", revision],
    ["switch", revision],
    ["merge", revision],
    ["revert", revision],
    ["blame", "a", revision],
    ["versions", "a", revision],
    ["whats-new", revision],
    ["branch", "b", revision],
    ["recall", `--at=${revision}`],
    ["recall", "a", `--at=${revision}`],
    ["when-did", "a", "--present", `--bad=${revision}`],
  ];
  const logs = REVISIONS.map((revision) => ["log", revision]);
  for (const args of [...logs, ...calls("nope"), ...calls("HEAD~9")]) {
    const ran = await mnem.mnem(...args);
    assert.equal(ran.status, 3, `${args.join(" ")}: ${ran.err}`);
    assert.match(ran.err, /^mnem: invalid_ref: .*\nhint: /);
  }
  const json = await mnem.mnem("log", "nope", "--json");
  assert.equal(JSON.parse(json.err).error.code, "invalid_ref");
  assert.equal((await mnem.mnem("log", "HEAD")).status, 0);
});

Deno.test("a dirty stage stops a switch, a merge and a revert, names what is staged, and nothing moves", async () => {
  await using mnem = await storeSession();
  await mnem.text("remember", "a", "1");
  await mnem.text("switch", "-c", "side");
  await mnem.text("remember", "b", "1");
  await mnem.text("switch", "main");
  await mnem.text("add", "pending", "1");
  await mnem.text("rm", "a");
  const before = await mnem.json("status");
  const calls = [
    ["switch", "side"],
    ["checkout", "side"],
    ["checkout", "-b", "new"],
    ["merge", "side"],
    ["revert", "HEAD"],
  ];
  for (const args of calls) {
    const ran = await mnem.mnem(...args);
    assert.deepEqual([ran.status, ran.out], [4, ""], ran.err);
    assert.match(
      ran.err,
      /^mnem: conflict: Cannot \w+: changes are staged of "pending", "a"; /,
    );
    assert.deepEqual(await mnem.json("status"), before);
  }
  assert.deepEqual(Object.keys(Object(await mnem.json("branch")).result), [
    "main",
    "side",
  ]);
  // To where HEAD is already nothing has to be left behind.
  await mnem.text("switch", "main");
  await mnem.text("merge", "side", "--dry-run");
  const lost = await mnem.mnem("switch", "nope", "--discard");
  assert.equal(lost.status, 3);
  assert.deepEqual(await mnem.json("status"), before);
  await mnem.text("switch", "side", "--discard");
  const after = Object(await mnem.json("status"));
  assert.deepEqual([after.branch, after.staged], ["side", {}]);
  assert.equal(Object(await mnem.json("recall", "a")).result.content, "1");
});

Deno.test("a merge on a detached HEAD is refused, and nothing is written", async () => {
  await using mnem = await storeSession();
  await mnem.text("remember", "a", "1");
  await mnem.text("switch", "-c", "side");
  await mnem.text("remember", "b", "1");
  await mnem.text("switch", "--detach", "main");
  const before = await mnem.json("status");
  for (const args of [["merge", "side"], ["revert", "HEAD"]]) {
    const ran = await mnem.mnem(...args);
    assert.equal(ran.status, 3, ran.err);
    assert.match(ran.err, /^mnem: invalid_ref: /);
  }
  assert.deepEqual(await mnem.json("status"), before);
});

Deno.test("a store that is none, or damaged, ends with 6 and 7", async () => {
  await using mnem = await session();
  const at = (name: string) => `${mnem.path}/${name}`;
  Deno.mkdirSync(at("damaged/.mnem"), { recursive: true });
  Deno.writeTextFileSync(at("damaged/.mnem/kv.db"), "no database ".repeat(999));
  Deno.writeTextFileSync(at("file"), "");
  const rows = [
    ["absent", 6, "no_store"],
    ["damaged", 7, "corrupt_store"],
    ["file", 7, "store_io"],
  ] as const;
  for (const [name, status, code] of rows) {
    const ran = await mnem.mnem("log", `--store=${at(name)}`);
    assert.deepEqual([ran.status, ran.out], [status, ""], ran.err);
    assert.match(ran.err, new RegExp(`^mnem: ${code}: `));
  }
  assert.deepEqual(
    [...Deno.readDirSync(mnem.path)].map(({ name }) => name).sort(),
    ["damaged", "file"],
  );
});

/** The words of a line that a shell would see, quotes taken away. */
function wordsOf(line: string): string[] {
  const words = line.match(/(?:'[^']*'|"[^"]*"|[^ '"])+/g) ?? [];
  return words.map((word) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, a, b) => a ?? b)
  );
}

/** The command of an example, which may be typed by its other name. */
function readAs(name: string, line: string): string {
  const [word] = wordsOf(line);
  return word === "why" ? "blame" : word === name ? name : `not ${word}`;
}

Deno.test("help says how each command is typed, with examples that can be read", async (t) => {
  await using mnem = await session();
  const banner = await mnem.text();
  assert.match(banner, /^mnem \d+\.\d+\.\d+\n/);
  const list = await mnem.text("help");
  assert.equal(list, await mnem.text("--help"));
  for (const { name, summary, examples } of COMMANDS) {
    await t.step(name, async () => {
      assert.match(list, new RegExp(`\n {2}${name}\\b`));
      const help = await mnem.text("help", name);
      assert.equal(help, await mnem.text(name, "--help"));
      assert.ok(help.includes(summary.slice(1)));
      for (const flag of ["--store <place>", "--json", "-h, --help"]) {
        assert.ok(help.includes(`  ${flag} `), flag);
      }
      for (const example of examples) {
        const [, line = ""] = /\bmnem (.*?)( [>|]|$)/.exec(example) ?? [];
        const parsed = parseCommandLine(wordsOf(line), COMMANDS);
        assert.equal(
          parsed.kind === "run" && parsed.command.name,
          readAs(name, line),
        );
        assert.ok(help.includes(`\n  ${example}\n`));
      }
      assert.ok(help.split("\n").every((line) => line.length <= 90), help);
    });
  }
  assert.match(await mnem.text("--version"), /^mnem \d+\.\d+\.\d+\n$/);
});

Deno.test("cli/README.md lists the commands as help does", async () => {
  const page = new URL("../../cli/README.md", import.meta.url);
  const text = await Deno.readTextFile(page);
  const [, table = ""] = /\| command +\| does +\|\n\|[-| ]+\n((?:\|.*\n)+)/
    .exec(text) ?? [];
  const rows = table.trim().split("\n").map((row) =>
    row.split("|").slice(1, 3).map((cell) => cell.trim())
  );
  assert.deepEqual(
    rows,
    COMMANDS.map(({ name, alias, summary }) => [
      alias === undefined ? `\`${name}\`` : `\`${name}\`, \`${alias}\``,
      summary,
    ]),
  );
});
