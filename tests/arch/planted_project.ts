/**
 * A small workspace that keeps every rule, in a temporary folder, and the same with a fault.
 *
 * @module
 */

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Project, readProject } from "./project.ts";

/** File contents by path; a file that is undefined is left out. */
export type Files = { readonly [path: string]: string | undefined };

const member = (name: string): string =>
  JSON.stringify({
    name: `@small/${name}`,
    version: "1.0.0",
    license: "Apache-2.0",
    exports: "./mod.ts",
    publish: { exclude: ["**/*_test.ts"] },
  });

const doc = (what: string): string => `/**\n * ${what}\n *\n * @module\n */\n`;

/** The start of every file: what it is for. */
export const DOC = doc("A part.");

const SOUND: Files = {
  ".ci/run": "npx --yes deno@2.9.6 task test\n",
  "README.md": "    npx --yes deno@2.9.6 task test\n",
  "deno.json": JSON.stringify({
    name: "@small/all",
    version: "1.0.0",
    license: "Apache-2.0",
    exports: "./mod.ts",
    workspace: ["./core", "./agents", "./mcp", "./cli"],
    tasks: {
      bench: "deno run -A tests/bench/main.ts",
      test: "deno test -A",
    },
  }),
  "core/deno.json": member("core"),
  "agents/deno.json": member("agents"),
  "mcp/deno.json": member("mcp"),
  "cli/deno.json": member("cli"),
  "mod.ts": `${DOC}export { list, open } from "@small/core";\n`,
  "core/mod.ts": `${DOC}export { open } from "./store/open.ts";
export { list } from "./bundle/list.ts";\n`,
  "core/errors.ts": `${DOC}export class Broken extends Error {}\n`,
  "core/object/codec.ts":
    `${DOC}import { Broken } from "../errors.ts";\nexport function encodeCommit(): Broken { return new Broken(); }\n`,
  "core/state/tree.ts":
    `${DOC}import { encodeCommit } from "../object/codec.ts";\nexport const tree = encodeCommit;\n`,
  "core/history/log.ts":
    `${DOC}import { tree } from "../state/tree.ts";\nexport const log = tree;\n`,
  "core/storage/open_driver.ts":
    `${DOC}import { tree } from "../state/tree.ts";\nexport const openDriver = [tree, Deno.openKv];\n`,
  "core/store/open.ts":
    `${DOC}import { log } from "../history/log.ts";\nimport { encodeCommit } from "../object/codec.ts";
import { openDriver } from "../storage/open_driver.ts";
export const open = () => [log, openDriver, encodeCommit()];\n`,
  "core/bundle/list.ts":
    `${DOC}import { open } from "../store/open.ts";\nexport const list = open;\n`,
  "core/bundle/list_test.ts": `import "../../tests/planted/board.ts";\n`,
  "agents/mod.ts":
    `${DOC}import { open } from "@small/core";\nexport const remember = open;\n`,
  "mcp/mod.ts": `${DOC}import { remember } from "@small/agents";
import { McpServer } from "@modelcontextprotocol/server";\nexport const serve = [remember, McpServer];\n`,
  "cli/mod.ts":
    `${DOC}export const main = async () => { await import("@small/mcp"); };\n`,
  "examples/first.ts": `import { open } from "@small/core";\nopen();\n`,
  "scripts/build.ts": `console.log(Date.now());\n`,
  "tests/bench/main.ts": `import "../planted/board.ts";\n`,
  "tests/planted/board.ts": `export const child = "./child.ts";\n`,
  "tests/planted/child.ts": `export {};\n`,
  "tests/arch/exports.json": JSON.stringify({
    "@small/all": ["list", "open"],
    "@small/core": ["list", "open"],
    "@small/agents": ["remember"],
    "@small/mcp": ["serve"],
    "@small/cli": ["main"],
  }),
};

/** Reads the small workspace with some files put in place of its own, or left out. */
export async function plantedProject(files: Files = {}): Promise<Project> {
  const root = await mkdtemp(join(tmpdir(), "mnem-arch-"));
  try {
    for (const [name, text] of Object.entries({ ...SOUND, ...files })) {
      if (text === undefined) continue;
      await mkdir(dirname(join(root, name)), { recursive: true });
      await writeFile(join(root, name), text);
    }
    return await readProject(root);
  } finally {
    await rm(root, { recursive: true });
  }
}

/** A file of the small workspace with lines put at its end. */
export function grown(path: string, lines: string): Files {
  return { [path]: `${SOUND[path] ?? DOC}${lines}\n` };
}

/** A settings file of the small workspace with some fields put in place of its own. */
export function reset(
  path: string,
  fields: { readonly [name: string]: unknown },
): Files {
  return {
    [path]: JSON.stringify({ ...JSON.parse(SOUND[path] ?? "{}"), ...fields }),
  };
}
