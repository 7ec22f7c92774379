/**
 * The npm packages do on Node and on Bun what they do on Deno, with the same stores.
 *
 * @module
 */

export const SECONDS = 65;

import assert from "node:assert/strict";
import { copyFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { denokv } from "../reference/programs.ts";
import { startDenokv } from "../support/denokv_server.ts";
import { kvConnectServer, TEST_TOKEN } from "../support/kv_connect_server.ts";
import { mnemRoundTrip } from "../support/mnem_round_trip.ts";
import { mcpRoundTrip } from "../support/mcp_round_trip.ts";
import { isThere, type Program, runProgram } from "../support/program.ts";
import { tempFolder } from "../support/temp_folder.ts";
import { compilePrograms, type NpmProject, npmProject } from "./project.ts";
import { findRuntimes, type Runtime } from "./runtimes.ts";

const npm = await isThere(["npm"]);
const runtimes = npm ? await findRuntimes() : [];
const DENO: Program = [Deno.execPath(), "run", "-A"];
const WALK = fileURLToPath(
  new URL("../support/store_walk.ts", import.meta.url),
);
const SERVER_WALK = `import { walkImports, walkStore } from "./store_walk.js";
const [one, two, three] = process.argv.slice(2);
await walkStore(one);
await walkImports(two, three);
console.log("walked");
`;
const ROUND_TRIP = fileURLToPath(new URL("./round_trip.ts", import.meta.url));

let made: Promise<NpmProject> | undefined;
const project = () => made ??= makeProject();
Deno.test.afterAll(async () => await (await made)?.[Symbol.asyncDispose]());

async function makeProject(): Promise<NpmProject> {
  const one = await npmProject();
  const sources = join(one.folder, "src");
  await copyFile(WALK, join(sources, "store_walk.ts"));
  await Deno.writeTextFile(join(sources, "server_walk.ts"), SERVER_WALK);
  await compilePrograms(one);
  return one;
}

/** A server of Deno KV: the true one where it can be had. */
async function serveKv(file: string): Promise<KvServer> {
  const { path } = await denokv();
  return path === undefined
    ? await kvConnectServer(file, TEST_TOKEN)
    : await startDenokv({ program: path, file });
}

function isOddOne({ name }: Runtime): boolean {
  return name === "Node 20" || name === "Bun";
}

interface KvServer extends AsyncDisposable {
  readonly url: string;
}

for (const { name, program } of runtimes) {
  const ignore = program === undefined;
  const run = program ?? [""];

  Deno.test(
    { name: `npm: every module loads on ${name}`, ignore },
    async () => {
      const { folder, run: runIn, tarballs } = await project();
      for (const one of tarballs.keys()) {
        const at = join(folder, "node_modules", one);
        const modules = (await readdir(at, { recursive: true }))
          .filter((path) => path.endsWith(".js") && path !== "bin.js")
          .map((path) => join(at, path));
        assert.ok(modules.length > 0);
        const load = modules.map((path) =>
          `await import(${JSON.stringify(path)})`
        );
        const text = `${load.join(";\n")};\nconsole.log("loaded");`;
        await Deno.writeTextFile(join(folder, "load.mjs"), text);
        assert.equal(await runIn(run, "load.mjs"), "loaded\n");
      }
    },
  );

  Deno.test({ name: `npm: the examples run on ${name}`, ignore }, async () => {
    const { folder, run: runIn } = await project();
    const sources = await readdir(join(folder, "src"));
    const blocks = sources.filter((one) => /^readme_.*\.js$/.test(one));
    assert.ok(blocks.length > 3);
    // One process for all: each block is a program of its own, and says nothing.
    const text = blocks.map((one) => `await import("./src/${one}");\n`).join(
      "",
    );
    await Deno.writeTextFile(join(folder, "blocks.mjs"), text);
    assert.equal(await runIn(run, "blocks.mjs"), "");

    const examples = sources.filter((one) =>
      one.endsWith(".js") && !blocks.includes(one) &&
      !/^(round|user|store|server)_/.test(one)
    );
    assert.ok(examples.length >= 2);
    for (const one of examples) {
      const server = JSON.stringify([...run, "node_modules/@mnem/mcp/bin.js"]);
      await Deno.writeTextFile(
        join(folder, "example.mjs"),
        `import { main } from "./src/${one}";\nawait main({ server: ${server} });\n`,
      );
      assert.match(await runIn(run, "example.mjs"), /.{100}/s);
    }
  });

  Deno.test({ name: `npm: mnem-mcp serves on ${name}`, ignore }, async () => {
    const { folder } = await project();
    await using temp = await tempFolder();
    const bin = join(folder, "node_modules", "@mnem", "mcp", "bin.js");
    await mcpRoundTrip([`--store=${temp.path}`], { program: [...run, bin] });
  });

  Deno.test(
    { name: `npm: mnem keeps a memory on ${name}`, ignore },
    async () => {
      const { folder } = await project();
      await using temp = await tempFolder();
      const bin = join(folder, "node_modules", "@mnem", "cli", "bin.js");
      await mnemRoundTrip([...run, bin], { cwd: temp.path, env: {} });
    },
  );
}

// The oldest Node, and the one that asks servers in a way of its own.
for (const { name, program } of runtimes.filter(isOddOne)) {
  const ignore = program === undefined;
  const run = program ?? [""];

  Deno.test(
    { name: `npm: a store on a server, on ${name}`, ignore },
    async () => {
      const { folder } = await project();
      await using temp = await tempFolder();
      const file = (at: string) => join(temp.path, at);
      await using one = await serveKv(file("one.db"));
      await using two = await serveKv(file("two.db"));
      await using three = await serveKv(file("three.db"));
      await using four = await serveKv(file("four.db"));
      const env = { DENO_KV_ACCESS_TOKEN: TEST_TOKEN };
      const walk = await runProgram(run, [
        join(folder, "src", "server_walk.js"),
        ...[one.url, two.url, three.url],
      ], { env });
      assert.equal(walk.stdout, "walked\n", walk.stderr);
      const bin = join(folder, "node_modules", "@mnem", "mcp", "bin.js");
      const program = [...run, bin] as const;
      await mcpRoundTrip([`--store=${four.url}`], { program, env });
    },
  );
}

Deno.test({ name: "npm: npx mnem-mcp serves", ignore: !npm }, async () => {
  const { folder } = await project();
  await using temp = await tempFolder();
  await mcpRoundTrip([`--store=${temp.path}`], {
    program: ["npx", "mnem-mcp"],
    cwd: folder,
  });
});

Deno.test({
  name: "npm: a store is read and written by Deno, Node and Bun in turn",
  ignore: !npm,
}, async () => {
  await using temp = await tempFolder();
  const programs = await roundTrips();
  const tell = async (program: Program, ...args: string[]) => {
    const [what = "", writer = ""] = args;
    const run = await runProgram(program, [what, temp.path, writer]);
    assert.equal(run.code, 0, run.stderr);
    return run.stdout;
  };
  for (const [name, program] of programs) {
    const told = await tell(program, "write", name);
    for (const [reader, other] of programs) {
      assert.equal(await tell(other, "tell"), told, `${reader} after ${name}`);
    }
  }
  const [, last] = programs.at(-1) ?? ["", DENO];
  checkNodes(
    JSON.parse(await tell(last, "tell")),
    programs.map(([name]) => name),
  );
});

Deno.test({
  name: "npm: Deno, Node and Bun write to one branch at once, nothing is lost",
  ignore: !npm,
}, async () => {
  await using temp = await tempFolder();
  const programs = await roundTrips();
  const runs = await Promise.all(
    programs.map(([name, program]) =>
      runProgram(program, ["often", temp.path, name])
    ),
  );
  for (const { code, stderr } of runs) assert.equal(code, 0, stderr);
  const [, deno = DENO] = programs[0] ?? [];
  const { stdout } = await runProgram(deno, ["tell", temp.path]);
  const { log, nodes }: {
    log: { message: string }[];
    nodes: { id: string }[];
  } = JSON.parse(stdout);
  const written = programs.flatMap(([name]) =>
    Array.from({ length: 40 }, (_, i) => `${name}/${i}`)
  ).toSorted();
  assert.deepEqual(nodes.map(({ id }) => id).toSorted(), written);
  assert.deepEqual(
    log.map(({ message }) => message).toSorted(),
    written.map((id) => `remember ${id}`),
  );
});

/** The same program for each runtime that is there, Deno's first. */
async function roundTrips(): Promise<(readonly [string, Program])[]> {
  const { folder } = await project();
  const compiled = join(folder, "src", "round_trip.js");
  const others = runtimes.flatMap(({ name, program }) =>
    program === undefined
      ? []
      : [[name.replace(" ", ""), [...program, compiled]] as const]
  );
  assert.ok(others.length > 0, "no other runtime is there");
  return [["deno", [...DENO, ROUND_TRIP]], ...others];
}

/** What `round_trip.ts` writes, written out by hand. */
function checkNodes(
  { log, nodes }: {
    readonly log: readonly unknown[];
    readonly nodes: readonly unknown[];
  },
  writers: readonly string[],
): void {
  assert.equal(log.length, writers.length * 7);
  const content = new Map(
    nodes.map((node) => [Object(node).id, Object(node).content]),
  );
  assert.equal(content.size, nodes.length);
  const expected = writers.flatMap((writer) =>
    [
      [`${writer}/odd`, {
        big: "1152921504606846976n",
        half: 0.5,
        list: [null, true, [], {}],
        minus: -7,
        text: "é🎉\n\u0001",
      }],
      [`${writer}/large`, writer.repeat(40_000)],
      [`${writer}/apart`, "on a branch"],
      [`${writer}/beside`, "meanwhile"],
    ] as const
  );
  assert.deepEqual(Object.fromEntries(content), Object.fromEntries(expected));
}
