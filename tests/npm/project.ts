/**
 * A fresh project of somebody who uses npm, with the packages of this workspace installed from their
 * tarballs, and programs of ours compiled as they would compile them.
 *
 * @module
 */

import assert from "node:assert/strict";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readPackages } from "../../scripts/packages.ts";
import { runLogged } from "../../scripts/run_logged.ts";
import { type Program, runProgram } from "../support/program.ts";
import { tempFolder } from "../support/temp_folder.ts";

/** A project; `await using` removes it. */
export interface NpmProject extends AsyncDisposable {
  /** Its folder. */
  readonly folder: string;
  /** The tarballs that were built, by name of the package. */
  readonly tarballs: ReadonlyMap<string, string>;
  /** Runs a program in the folder, which must end well, and returns what it printed. */
  run(program: Program, ...args: string[]): Promise<string>;
}

/** The compiler that the types are held to. */
const TYPESCRIPT = "5.9.3";
const PINS: { readonly [name: string]: string } = {
  "@types/node": "^20.0.0",
  typescript: TYPESCRIPT,
};
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SOURCES = "src";
/** Elsewhere it is undefined, and a program waits to be called. */
const NEWER_RUNTIMES = `interface ImportMeta {
  /** Whether it is the program: Node 24, Bun and Deno tell. */
  readonly main?: boolean;
}
`;

/** How the programs of a project are compiled, and with what resolution. */
export function compilerOptions(
  resolution: "nodenext" | "bundler",
): { readonly [option: string]: unknown } {
  return {
    strict: true,
    skipLibCheck: false,
    target: "es2022",
    // What Node 20 has, and what TypeScript itself brings along for `using`.
    lib: ["es2023", "esnext.disposable", "dom"],
    types: ["node"],
    module: resolution === "bundler" ? "esnext" : "nodenext",
    moduleResolution: resolution,
    noEmit: true,
  };
}

/** Builds the tarballs and installs them with some tools: `name` in the version of `deno.json`, or `name@version`. */
export async function npmProject(
  tools: readonly string[] = [],
): Promise<NpmProject> {
  const temp = await tempFolder();
  const folder = join(temp.path, "project");
  const tarballs = await buildTarballs(join(temp.path, "tarballs"));
  await mkdir(join(folder, SOURCES), { recursive: true });
  await writePrograms(join(folder, SOURCES));
  const own = [...tarballs].map(([name, path]) =>
    [name, `file:${path}`] as const
  );
  await writeJson(join(folder, "package.json"), {
    name: "user",
    private: true,
    type: "module",
    dependencies: Object.fromEntries(own),
    devDependencies: await toolVersions([
      "typescript",
      "@types/node",
      ...tools,
    ]),
    // Siblings ask the registry for each other, where this version is not yet.
    overrides: Object.fromEntries(own.map(([name]) => [name, `$${name}`])),
  });
  const run = async (program: Program, ...args: string[]) => {
    const { code, stdout, stderr } = await runProgram(program, args, {
      cwd: folder,
      env: { MNEM_STORE: "", MNEM_AUTHOR: "" },
    });
    assert.equal(code, 0, `${program.join(" ")} ${args}: ${stdout}${stderr}`);
    return stdout;
  };
  await run(["npm", "install", "--no-audit", "--no-fund"]);
  return {
    folder,
    tarballs,
    run,
    [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
  };
}

/** Compiles the programs of a project to JavaScript beside them, without judging their types. */
export async function compilePrograms(project: NpmProject): Promise<void> {
  await writeJson(join(project.folder, "tsconfig.json"), {
    compilerOptions: {
      ...compilerOptions("nodenext"),
      noEmit: false,
      noCheck: true,
    },
    include: [SOURCES],
  });
  await project.run(["npx", "tsc"]);
}

/** Writes a value as JSON. */
export async function writeJson(path: string, value: unknown): Promise<void> {
  await writeFile(path, JSON.stringify(value, null, 2));
}

async function buildTarballs(folder: string): Promise<Map<string, string>> {
  const script = join(ROOT, "scripts", "build_npm.ts");
  const args = ["run", "-A", "--frozen", script, folder];
  const { code, log } = await runLogged(args, { quiet: true });
  assert.equal(code, 0, log);
  const names = (await readPackages()).map(({ name, version }) => {
    const stem = name.replace("@", "").replace("/", "-");
    return [name, join(folder, `${stem}-${version}.tgz`)] as const;
  });
  assert.equal((await readdir(folder)).length, names.length);
  return new Map(names);
}

/** The examples, what the tests run, and every code block of the documents that ship. */
async function writePrograms(folder: string): Promise<void> {
  for (const name of await readdir(join(ROOT, "examples"))) {
    await cp(join(ROOT, "examples", name), join(folder, name));
  }
  for (
    const name of ["contending_program.ts", "round_trip.ts", "user_program.ts"]
  ) {
    await cp(join(ROOT, "tests/npm", name), join(folder, name));
  }
  await writeFile(join(folder, "runtime.d.ts"), NEWER_RUNTIMES);
  for (const { folder: of } of await readPackages()) {
    const blocks = await codeBlocks(join(ROOT, of, "README.md"));
    for (const [i, block] of blocks.entries()) {
      const name = `readme_${of === "." ? "root" : of}_${i}.ts`;
      await writeFile(join(folder, name), withoutDeno(block));
    }
  }
}

async function codeBlocks(path: string): Promise<string[]> {
  const text = await readFile(path, "utf8").catch(() => "");
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((match) =>
    match[1] ?? ""
  );
}

/** In a document a temporary folder stands for one of the reader's own. */
function withoutDeno(block: string): string {
  const given = 'mkdtemp(join(tmpdir(), "mnem_test_"))';
  const changed = block.replaceAll(/Deno\.makeTempDir\(\)/g, given);
  return changed === block
    ? block
    : `import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
${changed}`;
}

/** What the programs import beside our packages, and the tools, in the versions that are asked for. */
async function toolVersions(
  tools: readonly string[],
): Promise<{ readonly [name: string]: string }> {
  const { imports } = parseConfig(
    await readFile(join(ROOT, "deno.json"), "utf8"),
  );
  const names = await readdir(join(ROOT, "examples"));
  const texts = await Promise.all(
    names.map((name) => readFile(join(ROOT, "examples", name), "utf8")),
  );
  const imported = texts.flatMap((text) =>
    [...text.matchAll(/ from "((?:@[\w-]+\/)?[\w-]+)/g)].map(([, one]) =>
      one ?? ""
    )
  ).filter((name) => name in imports);
  return Object.fromEntries([...imported, ...tools].map((tool) => {
    const [, name = "", version] = /^(@?[^@]+)(?:@(.+))?$/.exec(tool) ?? [];
    const listed = imports[name]?.slice(`npm:${name}@`.length);
    const range = version ?? PINS[name] ?? listed;
    assert.ok(range !== undefined, `no version of ${tool} is known`);
    return [name, range];
  }));
}

function parseConfig(
  text: string,
): { readonly imports: { readonly [name: string]: string } } {
  return JSON.parse(text);
}
