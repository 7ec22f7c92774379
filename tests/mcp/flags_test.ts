import assert from "node:assert/strict";
import { join } from "node:path";
import { tempFolder } from "../support/temp_folder.ts";
import { call, resultOf, runServer } from "./server_process.ts";
import { READ_NAMES } from "./tool_names.ts";

interface Refusal {
  readonly name: string;
  readonly flags: string[];
  readonly env?: Record<string, string>;
  readonly code: number;
  readonly says: RegExp;
}

const USAGE = /\nusage: mnem-mcp --store=DIR\|URL /;

const USAGE_ERRORS: Refusal[] = [
  { name: "no store", flags: [], code: 2, says: /No store: --store/ },
  {
    name: "--store without a value",
    flags: ["--store"],
    code: 2,
    says: /--store needs a value/,
  },
  {
    name: "an unknown flag",
    flags: ["--store=./mem", "--stroe=x"],
    code: 2,
    says: /Unknown flag --stroe/,
  },
  {
    name: "an argument too many",
    flags: ["./mem"],
    env: { MNEM_STORE: "./mem" },
    code: 2,
    says: /Unexpected argument ".\/mem"/,
  },
  // The place of a store is read as the library reads it, and no folder is named after a URL.
  ...["ftp://x/y", ":memory:", "http://192.0.2.1/", "file:///a?b"].map((
    place,
  ) => ({
    name: `the place ${place}`,
    flags: [`--store=${place}`],
    code: 2,
    says: /Cannot use .* as a store/,
  })),
];

const STORE_ERRORS: Refusal[] = [
  {
    name: "a folder of other things",
    flags: ["--store=."],
    code: 6,
    says: /^mnem-mcp: no_store: .* only in an empty or absent folder\n/,
  },
  {
    name: "a file",
    flags: ["--store=./notes.txt"],
    code: 7,
    says: /^mnem-mcp: store_io: /,
  },
  {
    name: "no store where only reading is asked for",
    flags: ["--store=./mem", "--read-only"],
    code: 6,
    says: /^mnem-mcp: no_store: /,
  },
  {
    name: "a branch that cannot be",
    flags: ["--store=./mem", "--branch=a..b"],
    code: 3,
    says: /^mnem-mcp: invalid_ref: /,
  },
];

/** Names and sizes of everything in a folder. */
function listing(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory
      ? [`${path}/`, ...listing(path)]
      : [`${path} ${Deno.statSync(path).size}`];
  }).sort();
}

async function assertRefused(refusal: Refusal): Promise<string> {
  await using folder = await tempFolder();
  Deno.writeTextFileSync(join(folder.path, "notes.txt"), "not a store");
  const before = listing(folder.path);
  const { code, stdout, stderr } = await runServer(refusal.flags, "", {
    cwd: folder.path,
    ...(refusal.env === undefined ? {} : { env: refusal.env }),
  });
  assert.match(stderr, refusal.says);
  assert.equal(code, refusal.code, stderr);
  assert.equal(stdout, "");
  assert.deepEqual(listing(folder.path), before);
  assert.equal(before.length, 1);
  return stderr;
}

Deno.test("the server refuses bad flags with a usage line and status 2, and touches nothing", async (t) => {
  for (const refusal of USAGE_ERRORS) {
    await t.step(refusal.name, async () => {
      assert.match(await assertRefused(refusal), USAGE);
    });
  }
});

Deno.test("the server refuses a store that it cannot serve by its code, and touches nothing", async (t) => {
  for (const refusal of STORE_ERRORS) {
    await t.step(refusal.name, () => assertRefused(refusal).then(() => {}));
  }
});

Deno.test("the server refuses a missing branch and damaged stores by their codes", async () => {
  await using folder = await tempFolder();
  const store = join(folder.path, "mem");
  const made = await runServer([`--store=${store}`]);
  assert.equal(made.code, 0, made.stderr);
  const missing = await runServer([`--store=${store}`, "--branch=nowhere"]);
  assert.match(missing.stderr, /^mnem-mcp: invalid_ref: .*nowhere/);
  assert.equal(missing.code, 3);
  for (const name of ["kv.db-wal", "kv.db-shm"]) {
    try {
      Deno.removeSync(join(store, ".mnem", name));
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  Deno.writeTextFileSync(
    join(store, ".mnem", "kv.db"),
    "this is no database ".repeat(500),
  );
  const damaged = await runServer([`--store=${store}`]);
  assert.match(damaged.stderr, /^mnem-mcp: (corrupt_store|store_io): /);
  assert.equal(damaged.code, 7);
});

Deno.test("the server makes a store in an absent or empty folder, says so, and only once", async () => {
  await using folder = await tempFolder();
  const absent = join(folder.path, "deep", "mem");
  const flags = ["--store=./deep/mem"];
  const first = await runServer(flags, "", { cwd: folder.path });
  assert.equal(first.code, 0, first.stderr);
  assert.equal(
    first.stderr,
    `mnem-mcp: made a new store in ${absent}\nmnem-mcp: serving ${absent} (branch main)\n`,
  );
  const second = await runServer(flags, "", { cwd: folder.path });
  assert.equal(second.code, 0);
  assert.equal(
    second.stderr,
    `mnem-mcp: serving ${absent} (branch main)\n`,
  );
  const empty = join(folder.path, "empty");
  Deno.mkdirSync(empty);
  const third = await runServer([`--store=${empty}`]);
  assert.match(third.stderr, /made a new store in /);
});

Deno.test("the server takes store and author from the environment, and flags before them", async () => {
  await using folder = await tempFolder();
  const env = { MNEM_STORE: "./mem", MNEM_AUTHOR: "env-author" };
  const options = { cwd: folder.path, env };
  const write = (id: string) =>
    call(id, "remember", { id, content: 1 }) + call(`${id}-log`, "history");
  const fromEnv = await runServer(
    [],
    call(1, "remember", { id: "a", content: 1 }),
    options,
  );
  assert.equal(fromEnv.code, 0, fromEnv.stderr);
  const authors = async (flags: string[]) => {
    const { result } = resultOf(
      await runServer(flags, call("log", "history"), options),
      "log",
    );
    assert.ok(Array.isArray(result));
    return result.map((commit) => commit.author);
  };
  assert.deepEqual(await authors([]), ["env-author"]);
  await runServer(["--author=flag-author"], write("b"), options);
  assert.deepEqual(await authors(["--store=mem"]), [
    "flag-author",
    "env-author",
  ]);
  const plain = { cwd: folder.path };
  await runServer(
    ["--store=mem"],
    call(1, "remember", { id: "c", content: 1 }),
    plain,
  );
  assert.equal((await authors([]))[0], "agent");
});

Deno.test("the server binds to --branch, and a new store begins with it", async () => {
  await using folder = await tempFolder();
  const store = `--store=${join(folder.path, "mem")}`;
  const made = await runServer(
    [store, "--branch=trial"],
    call(1, "remember", { id: "a", content: 1 }),
  );
  assert.match(made.stderr, /\(branch trial\)\n$/);
  const again = await runServer([store], call(1, "recall", { id: "a" }));
  assert.match(again.stderr, /\(branch trial\)\n$/);
  assert.notEqual(resultOf(again, 1)["result"], null);
});

Deno.test("--help and --version print to standard output and end with 0", async () => {
  const help = await runServer(["--help"]);
  assert.equal(help.code, 0);
  assert.match(help.stdout, /usage: mnem-mcp --store/);
  const version = await runServer(["--version"]);
  assert.equal(version.code, 0);
  const config = new URL("../../mcp/deno.json", import.meta.url);
  const { version: released } = JSON.parse(Deno.readTextFileSync(config));
  assert.match(released, /^\d+\.\d+\.\d+$/);
  assert.equal(version.stdout, `mnem-mcp ${released}\n`);
});

Deno.test("--read-only lists no tool that writes and refuses one that is called", async () => {
  await using folder = await tempFolder();
  const store = `--store=${join(folder.path, "mem")}`;
  await runServer([store], call(1, "remember", { id: "a", content: 1 }));
  const finished = await runServer(
    [store, "--read-only"],
    call(1, "remember", { id: "b", content: 1 }) + call(2, "recall") +
      '{"jsonrpc":"2.0","id":3,"method":"tools/list"}\n',
  );
  const [refused] = finished.answers.filter((answer) => answer.id === 1);
  assert.equal(refused?.error?.code, -32602);
  const { result: nodes } = resultOf(finished, 2);
  assert.ok(Array.isArray(nodes));
  assert.deepEqual(nodes.map((node) => node.id), ["a"]);
  const [listed] = finished.answers.filter((answer) => answer.id === 3);
  const tools = listed?.result?.["tools"];
  assert.ok(Array.isArray(tools));
  assert.deepEqual(tools.map((tool) => tool.name), READ_NAMES);
});
