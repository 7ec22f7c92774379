/**
 * docs/SETUP.md: each block is read as its client reads it, and what it starts is a memory.
 *
 * @module
 */

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { tempFolder } from "../support/temp_folder.ts";
import {
  answerTo,
  call,
  INITIALIZE,
  resultOf,
  runServer,
  serverEnv,
} from "./server_process.ts";

const PAGE = new URL("../../docs/SETUP.md", import.meta.url);
const PLACE = "--store=/absolute/path/to/mem";
/** The line that is typed in a folder where nothing is in its way, and the one for all others. */
const PLAIN = ["deno", "run", "-A", "jsr:@mnem/mcp", PLACE];
const ANYWHERE = ["deno", "run", "-A", "--no-config", "jsr:@mnem/mcp", PLACE];

interface Entry {
  readonly command: string;
  readonly args: readonly string[];
}

/** Where each client has its servers, what an entry must say of its kind, and what the client runs. */
const CLIENTS: {
  readonly [heading: string]: {
    readonly under: string;
    readonly fields: readonly string[];
    readonly line: readonly string[];
  };
} = {
  "Claude Desktop": {
    under: "mcpServers",
    fields: ["command", "args"],
    line: PLAIN,
  },
  "Claude Code": {
    under: "mcpServers",
    fields: ["type", "command", "args"],
    line: ANYWHERE,
  },
  "Cursor": {
    under: "mcpServers",
    fields: ["command", "args"],
    line: ANYWHERE,
  },
  "VS Code": {
    under: "servers",
    fields: ["type", "command", "args"],
    line: ANYWHERE,
  },
  "Codex": {
    under: "mcp_servers",
    fields: ["command", "args", "startup_timeout_sec"],
    line: ANYWHERE,
  },
};

const sections = new Map(
  (await readFile(PAGE, "utf8")).split(/^## /m).slice(1).map((text) => {
    const [heading = "", ...lines] = text.split("\n");
    return [heading, lines.join("\n")];
  }),
);

function blocksOf(heading: string, language: string): string[] {
  const text = sections.get(heading) ?? "";
  const fence = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm");
  return [...text.matchAll(fence)].map(([, block = ""]) => block);
}

/** As much of TOML as the page has: a table, and values that JSON writes the same. */
function parseToml(text: string): { [table: string]: unknown } {
  const [head = "", ...lines] = text.trimEnd().split("\n");
  const names = /^\[([\w.]+)\]$/.exec(head)?.[1]?.split(".") ?? [];
  assert.equal(names.length, 2, head);
  const values = lines.map((line) => {
    const [, name = "", value = ""] = /^(\w+) = (.+)$/.exec(line) ?? [];
    return [name, JSON.parse(value)];
  });
  return { [names[0] ?? ""]: { [names[1] ?? ""]: Object.fromEntries(values) } };
}

/** The one server of a client's file. */
function entryOf(heading: string): Entry {
  const { under, fields } = CLIENTS[heading] ?? assert.fail(heading);
  const [json] = blocksOf(heading, "json");
  const [toml] = blocksOf(heading, "toml");
  const file = json === undefined ? parseToml(toml ?? "") : JSON.parse(json);
  assert.deepEqual(Object.keys(file), [under]);
  assert.deepEqual(Object.keys(file[under]), ["memory"]);
  const entry = file[under].memory;
  assert.deepEqual(Object.keys(entry), fields);
  if ("type" in entry) assert.equal(entry.type, "stdio");
  return entry;
}

Deno.test("docs/SETUP.md has a section for each client, with the page of its documentation", () => {
  const [, ...rest] = [...sections.keys()].toReversed();
  assert.deepEqual(rest.toReversed(), Object.keys(CLIENTS));
  for (const heading of Object.keys(CLIENTS)) {
    assert.match(
      sections.get(heading) ?? "",
      /\[Documented here\.\]\(https:\/\/\S+\)/,
      heading,
    );
  }
});

for (const [heading, { line }] of Object.entries(CLIENTS)) {
  Deno.test(`docs/SETUP.md: ${heading} starts a memory`, async () => {
    const { command, args } = entryOf(heading);
    assert.deepEqual([command, ...args], line);
    await using folder = await tempFolder();
    // A client gives a server little of its environment, and any folder to start in.
    const env = { ...serverEnv(), HOME: Deno.env.get("HOME") ?? "" };
    const options = { cwd: folder.path, clearEnv: true, env };
    await writeFile(`${folder.path}/package.json`, '{"name": "project"}');
    const place = `--store=${folder.path}/mem`;
    const flags = args.slice(args.indexOf("jsr:@mnem/mcp") + 1)
      .map((flag) => flag.replace(PLACE, place));
    assert.deepEqual(flags, [place]);
    const fact = { id: "plan", content: "pro" };
    const first = await runServer(
      flags,
      INITIALIZE + call(1, "remember", fact),
      options,
    );
    assert.equal(first.code, 0, first.stderr);
    assert.equal(answerTo(first, "init").error, undefined);
    assert.deepEqual(resultOf(first, 1)["changes"], { plan: "added" });
  });
}

for (const heading of ["Claude Code", "Codex"]) {
  Deno.test(`docs/SETUP.md: ${heading}'s command gives the same line`, () => {
    const [block = ""] = blocksOf(heading, "sh");
    const [before = "", line = ""] = block.trimEnd().split(" -- ");
    assert.match(before, /^(claude|codex) mcp add (--scope user )?memory$/);
    assert.deepEqual(line.split(" "), ANYWHERE);
  });
}
