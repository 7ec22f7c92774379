/**
 * 100,000 notes come in as one commit within bounded memory; and what the real server-memory wrote is
 * what it says itself.
 *
 * @module
 */

/** How long it takes on two cores, the server being in the cache. */
export const SECONDS = 30;

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { reportFigures } from "../support/report_figures.ts";
import { isThere, type Program, runProgram } from "../support/program.ts";
import { tempFolder } from "../support/temp_folder.ts";
import type { ImportPeak } from "./import_peak.ts";
import { storeSession } from "./session.ts";

const NOTES = 100_000;
const FILES = 1_000;
const MEGABYTE = 1_000_000;
/** One commit of 100,000 nodes is held whole. */
const MEMORY_MAX = 800 * MEGABYTE;

const CHILD = [
  Deno.execPath(),
  "run",
  "-A",
  new URL("./import_peak.ts", import.meta.url).pathname,
] as const;

async function peakOf(cwd: string, ...args: string[]): Promise<ImportPeak> {
  const { code, stderr } = await runProgram(CHILD, args, { cwd });
  assert.equal(code, 0, stderr);
  return JSON.parse(stderr.trim().split("\n").at(-1) ?? "");
}

Deno.test({
  name: "100,000 notes come in as one commit in bounded memory",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    await using folder = await tempFolder();
    const notes = join(folder.path, "notes");
    mkdirSync(notes);
    for (let file = 0; file < FILES; file++) {
      const lines = Array.from(
        { length: NOTES / FILES },
        (_, at) => `- seat ${at}: taken by customer ${file}, who asked twice\n`,
      );
      const text = `# Customer ${file}\n\n${lines.join("")}`;
      writeFileSync(join(notes, `${file}.md`), text);
    }
    const args = ["--json", "import", "--from=markdown", "notes", "mem"];
    const first = await peakOf(folder.path, ...args);
    const again = await peakOf(folder.path, ...args);
    for (const [what, { seconds, bytes }] of Object.entries({ first, again })) {
      const megabytes = Math.round(bytes / MEGABYTE);
      const said = `${what}: ${seconds.toFixed(1)} s, ${megabytes} MB`;
      console.log(said);
      assert.ok(bytes > MEGABYTE && bytes < MEMORY_MAX, said);
    }
    const count = await runProgram(
      CHILD,
      ["--json", "log", "--store=mem"],
      { cwd: folder.path },
    );
    assert.equal(JSON.parse(count.stdout).result.length, 1);
    reportFigures("import-notes", {
      notes: NOTES,
      commits: 1,
      megabytes: Math.round(first.bytes / MEGABYTE),
    });
  },
});

const SERVER: Program = [
  "npx",
  "--yes",
  "--package=@modelcontextprotocol/server-memory@2026.8.31",
  "--",
  "mcp-server-memory",
];

/** Calls tools of the server one after the other, and returns its answers in text. */
async function callServer(
  file: string,
  calls: readonly (readonly [string, unknown])[],
): Promise<string[]> {
  const [command, ...args] = SERVER;
  const child = new Deno.Command(command, {
    args: [...args],
    env: { MEMORY_FILE_PATH: file },
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let pending = "";
  const ask = async (message: { readonly [name: string]: unknown }) => {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    await writer.write(new TextEncoder().encode(`${text}\n`));
    if (message["id"] === undefined) return "";
    while (!pending.includes("\n")) {
      const { value, done } = await reader.read();
      assert.ok(!done, "the server ended");
      pending += value;
    }
    const end = pending.indexOf("\n");
    const line = pending.slice(0, end);
    pending = pending.slice(end + 1);
    return line;
  };
  const answers: string[] = [];
  try {
    const clientInfo = { name: "test", version: "1" };
    const params = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo,
    };
    await ask({ id: 0, method: "initialize", params });
    await ask({ method: "notifications/initialized" });
    for (const [at, [name, given]] of calls.entries()) {
      const answer = await ask({
        id: at + 1,
        method: "tools/call",
        params: { name, arguments: given },
      });
      answers.push(JSON.parse(answer).result.content[0].text);
    }
  } finally {
    await writer.close();
    await reader.cancel();
    child.kill();
    await child.status;
  }
  return answers;
}

Deno.test({
  name: "what the real server-memory wrote comes in as it says it itself",
  ignore: !await isThere(["npx"]),
  fn: async () => {
    await using mnem = await storeSession();
    const file = join(mnem.path, "memory.jsonl");
    const answers = await callServer(file, [
      ["create_entities", {
        entities: [
          { name: "Alice", entityType: "person", observations: ["likes tea"] },
          { name: "a/b~c", entityType: "", observations: ["\u0000", "é\n"] },
        ],
      }],
      ["create_relations", {
        relations: [
          { from: "Alice", to: "a/b~c", relationType: "works at" },
          { from: "Alice", to: "nobody", relationType: "knows" },
        ],
      }],
      ["add_observations", {
        observations: [{ entityName: "Alice", contents: ["has a dog"] }],
      }],
      ["read_graph", {}],
    ]);
    const graph = JSON.parse(answers.at(-1) ?? "");
    const done = Object(
      await mnem.json("import", "--from=server-memory", "memory.jsonl"),
    );
    assert.deepEqual([done.added, done.skipped, done.warnings.length], [
      4,
      [],
      1,
    ]);
    const { result } = Object(await mnem.json("recall"));
    const contents = result.map(({ content }: { readonly content: unknown }) =>
      JSON.stringify(content)
    ).sort();
    const told = [
      ...graph.entities.map((
        { entityType, observations }: { readonly [name: string]: unknown },
      ) => ({ type: entityType, observations })),
      ...graph.relations.map((
        { from, to, relationType }: { readonly [name: string]: unknown },
      ) => ({ from, type: relationType, to })),
    ];
    const sorted = (value: unknown) =>
      JSON.stringify(Object.fromEntries(Object.entries(Object(value)).sort()));
    assert.deepEqual(
      contents.map((text: string) => sorted(JSON.parse(text))).sort(),
      told.map(sorted).sort(),
    );
  },
});
