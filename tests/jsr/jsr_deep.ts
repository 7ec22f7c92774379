/**
 * The packages as JSR has them: published to a registry on loopback, then run, added and installed from
 * there in empty folders, by the lines that the documents give.
 *
 * @module
 */

export const SECONDS = 20;

import assert from "node:assert/strict";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { basename, delimiter, dirname, join } from "node:path";
import { readPackages } from "../../scripts/packages.ts";
import { runLogged } from "../../scripts/run_logged.ts";
import { mnemRoundTrip } from "../support/mnem_round_trip.ts";
import { mcpRoundTrip } from "../support/mcp_round_trip.ts";
import { type Program, runProgram } from "../support/program.ts";
import { tempFolder } from "../support/temp_folder.ts";
import { type JsrRegistry, jsrRegistry } from "./registry.ts";

/** A machine that has Deno, no module of ours in its cache, and the registry. */
interface Machine extends AsyncDisposable {
  readonly registry: JsrRegistry;
  readonly env: { readonly [name: string]: string };
  /** Makes an empty folder. */
  folder(): Promise<string>;
}

const DENO = Deno.execPath();
const packages = await readPackages();
let made: Promise<Machine> | undefined;
const machine = () => made ??= makeMachine();
Deno.test.afterAll(async () => await (await made)?.[Symbol.asyncDispose]());

async function makeMachine(): Promise<Machine> {
  const registry = jsrRegistry();
  const temp = await tempFolder();
  const cache = join(temp.path, "cache");
  await mkdir(cache);
  // What comes from npm need not come again; what comes from JSR must.
  const info = await runProgram([DENO], ["info", "--json"]);
  await symlink(JSON.parse(info.stdout).npmCache, join(cache, "npm"));
  const env = {
    JSR_URL: registry.url,
    DENO_DIR: cache,
    DENO_INSTALL_ROOT: join(temp.path, "installed"),
    PATH: [dirname(DENO), Deno.env.get("PATH")].join(delimiter),
    NO_COLOR: "1",
  };
  const published = await runLogged([
    "run",
    "-A",
    "scripts/publish_jsr.ts",
    "--token=none",
    "--no-provenance",
    "--allow-dirty",
  ], { quiet: true, env: { JSR_URL: registry.url } });
  assert.equal(published.code, 0, published.log);
  let folders = 0;
  return {
    registry,
    env,
    folder: async () => {
      const folder = join(temp.path, `user-${folders++}`);
      await mkdir(folder);
      return folder;
    },
    async [Symbol.asyncDispose]() {
      await registry[Symbol.asyncDispose]();
      await temp[Symbol.asyncDispose]();
    },
  };
}

/** Types a line, which must end well, and shows it with what it printed. */
async function type(
  cwd: string,
  ...args: string[]
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const { env } = await machine();
  const { code, stdout, stderr } = await runProgram([DENO], args, { cwd, env });
  show(`deno ${args.join(" ")}`, stderr.trim(), stdout.trim());
  assert.equal(code, 0, stderr);
  return { stdout, stderr };
}

function show(line: string, ...said: string[]): void {
  console.log([`$ ${line}`, ...said.filter((one) => one !== "")].join("\n"));
}

/** Drives a server that was started in a folder by a line. */
async function serve(cwd: string, program: Program): Promise<void> {
  const [command, ...first] = program;
  const { env } = await machine();
  await mcpRoundTrip(["--store=./mem"], { program, cwd, env });
  await readFile(join(cwd, "mem", ".mnem", "kv.db"));
  show(
    `${[basename(command), ...first].join(" ")} --store=./mem`,
    "made a store, remembered, recalled in a second run",
  );
}

Deno.test("jsr: every package is published, after those it imports", async () => {
  const { published } = (await machine()).registry;
  assert.deepEqual([...published.keys()], packages.map(({ name }) => name));
  const before = new Set<string>();
  for (const [name, files] of published) {
    const code = [...files].filter(([path]) => path.endsWith(".ts"));
    const text = code.map(([, text]) => text).join("\n");
    for (const [, one = ""] of text.matchAll(/from "jsr:(@mnem\/[\w-]+)@/g)) {
      assert.ok(before.has(one), `${name} imports ${one}`);
    }
    before.add(name);
    const paths = [...files.keys()];
    assert.ok(paths.includes("/mod.ts") && paths.includes("/deno.json"));
    assert.ok(paths.includes("/README.md"), name);
    assert.deepEqual(
      paths.filter((path) => /_(test|deep)\.ts$/.test(path)),
      [],
    );
    const { license } = JSON.parse(files.get("/deno.json") ?? "{}");
    assert.equal(license, "Apache-2.0");
  }
});

Deno.test("jsr: deno run -A jsr:@mnem/mcp serves in an empty folder", async () => {
  const folder = await (await machine()).folder();
  await serve(folder, [DENO, "run", "-A", "jsr:@mnem/mcp"]);
});

Deno.test("jsr: under a package.json the server wants --no-config", async () => {
  const { env, folder: empty } = await machine();
  const folder = await empty();
  await writeFile(join(folder, "package.json"), `{ "name": "user" }\n`);
  const line = ["run", "-A", "jsr:@mnem/mcp", "--version"];
  const failed = await runProgram([DENO], line, { cwd: folder, env });
  show(`deno ${line.join(" ")}`, failed.stderr.trim());
  assert.notEqual(failed.code, 0);
  assert.match(failed.stderr, /Could not find a matching package/);
  await serve(folder, [DENO, "run", "-A", "--no-config", "jsr:@mnem/mcp"]);
});

Deno.test("jsr: deno install -g makes mnem-mcp a command", async () => {
  const { env, folder: empty } = await machine();
  const folder = await empty();
  await type(folder, "install", "-g", "-A", "-n", "mnem-mcp", "jsr:@mnem/mcp");
  const command = join(env["DENO_INSTALL_ROOT"] ?? "", "bin", "mnem-mcp");
  await serve(folder, [command]);
});

Deno.test("jsr: deno install -g makes mnem a command", async () => {
  const { env, folder: empty } = await machine();
  const folder = await empty();
  await type(folder, "install", "-g", "-A", "-n", "mnem", "jsr:@mnem/cli");
  const command = join(env["DENO_INSTALL_ROOT"] ?? "", "bin", "mnem");
  await mnemRoundTrip([command], { cwd: folder, env });
  show("mnem init, remember, recall, blame, verify, serve", "all went well");
});

Deno.test("jsr: deno add jsr:@mnem/agents lets a script remember, with types", async () => {
  const { folder: empty } = await machine();
  const folder = await empty();
  await type(folder, "add", "jsr:@mnem/agents", "jsr:@mnem/core");
  const config = JSON.parse(await readFile(join(folder, "deno.json"), "utf8"));
  const [{ version } = { version: "" }] = packages;
  assert.deepEqual(config.imports, {
    "@mnem/agents": `jsr:@mnem/agents@^${version}`,
    "@mnem/core": `jsr:@mnem/core@^${version}`,
  });
  await writeFile(
    join(folder, "main.ts"),
    `import { recall, remember } from "@mnem/agents";
import { openStore } from "@mnem/core";
await using store = await openStore("mem", { create: true });
await remember(store, "plan", "pro");
console.log((await recall<string>(store, "plan"))?.content.toUpperCase());
`,
  );
  assert.equal(
    (await type(folder, "run", "-A", "--check", "main.ts")).stdout,
    "PRO\n",
  );
  await writeFile(
    join(folder, "wrong.ts"),
    `import { recall } from "@mnem/agents";\nexport const n: number = recall;\n`,
  );
  await assert.rejects(type(folder, "check", "wrong.ts"), /TS2322/);
});

for (const { name, folder, entries } of packages) {
  Deno.test(`jsr: ${name} keeps what its score is made of`, async () => {
    for (const [specifier, entry] of entries) {
      const { stdout } = await runProgram([DENO], ["doc", "--json", entry]);
      const { documented, symbols, moduleDoc } = parseDocs(stdout);
      assert.ok(symbols > 0, specifier);
      const share = documented / symbols;
      console.log(
        `${specifier}: ${documented} of ${symbols} symbols documented`,
      );
      assert.ok(share >= 0.8, `${specifier}: ${share}`);
      assert.match(moduleDoc, /^```/m, `${specifier} has no example`);
    }
    // Slow types would have kept it from being published; a README it shows first.
    assert.match(await readFile(join(folder, "README.md"), "utf8"), /^```/m);
  });
}

/** What `deno doc` says of an entry: its own words, and how many of its symbols have any. */
function parseDocs(text: string): {
  readonly symbols: number;
  readonly documented: number;
  readonly moduleDoc: string;
} {
  const { nodes }: {
    readonly nodes: {
      readonly [url: string]: {
        readonly module_doc?: {
          readonly doc?: string;
          readonly tags?: readonly { readonly doc?: string }[];
        };
        readonly symbols: readonly {
          readonly declarations: readonly { readonly jsDoc?: object }[];
        }[];
      };
    };
  } = JSON.parse(text);
  const modules = Object.values(nodes);
  const symbols = modules.flatMap((one) => one.symbols);
  const docs = modules.map((one) => one.module_doc);
  return {
    symbols: symbols.length,
    documented:
      symbols.filter(({ declarations }) =>
        declarations.some((one) => one.jsDoc !== undefined)
      ).length,
    moduleDoc: docs.flatMap((one) => [
      one?.doc ?? "",
      ...(one?.tags ?? []).map((tag) => tag.doc ?? ""),
    ]).join("\n"),
  };
}
