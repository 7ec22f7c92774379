/**
 * The Inspector, a client that others wrote: it judges our schemas, loads a tool, and sends numbers.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { openStore } from "@mnem/core";
import { fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import {
  assertNumbers,
  assertShown,
  DIGITS,
  heldBy,
  itemText,
} from "../mcp/number_checks.ts";
import { tempFolder } from "../support/temp_folder.ts";
import { serveHttp } from "./http_server.ts";
import {
  callTool,
  type Era,
  ERAS,
  inspect,
  INSPECTOR,
  INSPECTOR_VERSION,
  serverScript,
} from "./inspector.ts";
import { isThere } from "../support/program.ts";

/** How long it takes on two busy cores, the Inspector being in the cache. */
export const SECONDS = 50;

const ignore = !await isThere(INSPECTOR, INSPECTOR_VERSION);

const REQUESTS = 2000;
const LOAD = [
  "--load",
  "--load-requests",
  `${REQUESTS}`,
  "--load-concurrency",
  "50",
];

Deno.test({
  name: "inspector --strict finds nothing in our schemas, in three eras",
  ignore,
  fn: async () => {
    const lines: string[] = [];
    for (const tools of ["core", "all"]) {
      for (const era of ERAS) {
        await using folder = await tempFolder();
        const store = `--store=${join(folder.path, "mem")}`;
        const flag = `--tools=${tools}`;
        const script = await serverScript(folder.path, store, flag);
        lines.push(`${era} ${flag}: ${await judge(script, era)}`);
      }
    }
    await assertExpected("inspector_strict.txt", lines);
  },
});

Deno.test({
  name: "inspector --strict counts what is wrong with a schema, warnings too",
  ignore,
  fn: async () => {
    for (
      const [property, verdict] of [
        [{ type: ["string", "null"] }, "exit 0, 1 tools, 1 findings"],
        [true, "exit 6, 1 tools, 1 findings"],
        [{ type: "string" }, "exit 0, 1 tools, 0 findings"],
      ] as const
    ) {
      await using server = serveHttp(() => {
        const planted = new McpServer({ name: "planted", version: "1" });
        const schema = { type: "object", properties: { a: property } };
        planted.registerTool(
          "planted",
          { inputSchema: fromJsonSchema(Object(schema)) },
          () => ({ content: [] }),
        );
        return planted;
      });
      assert.equal(await judge(server.url, "modern"), verdict);
    }
  },
});

Deno.test({
  name: `inspector --load: ${REQUESTS} requests are ${REQUESTS} good answers`,
  ignore,
  fn: async () => {
    const lines: string[] = [];
    for (const era of ERAS) {
      await using folder = await tempFolder();
      const path = join(folder.path, "mem");
      const script = await serverScript(folder.path, `--store=${path}`);
      const args = '{"id":"plan","content":"pro","source":"ticket-7"}';
      const load = await callTool(script, era, "remember", args, ...LOAD);
      // It repeats one call: the first makes a commit, the others change nothing.
      await using store = await openStore(path);
      const log = await Array.fromAsync(store.log());
      assert.equal((await store.node("plan"))?.content, "pro");
      lines.push(`${era}: ${tally(load.answer)}, ${log.length} commit`);
    }
    await assertExpected("inspector_load.txt", lines);
  },
});

Deno.test({
  name: "inspector --load counts calls that the tool refused, and ends with 0",
  ignore,
  fn: async () => {
    await using folder = await tempFolder();
    const store = `--store=${join(folder.path, "mem")}`;
    const script = await serverScript(folder.path, store);
    const args = '{"id":"nobody"}';
    const load = await callTool(script, "modern", "forget", args, ...LOAD);
    assert.equal(load.code, 0);
    assert.equal(
      tally(load.answer),
      `${REQUESTS} requests, 0 ok, ${REQUESTS} tool errors, 0 errors`,
    );
  },
});

for (const era of ERAS) {
  Deno.test({
    name:
      `the Inspector, ${era}, stores numbers exactly where they come as text`,
    ignore,
    fn: async () => {
      await using folder = await tempFolder();
      const path = join(folder.path, "mem");
      const script = await serverScript(folder.path, `--store=${path}`);
      const items = JSON.stringify({ items: [itemText("text")] });
      await callTool(script, era, "remember_many", items);
      await assertNumbers(path, "text");
      const { answer } = await callTool(script, era, "recall", '{"id":"text"}');
      const { structuredContent, content: [{ text }] } = Object(answer).result;
      assertShown(structuredContent.result.content);
      assertShown(JSON.parse(text).result.content);
      // Numbers it reads as doubles, and sends what those print.
      const own = `{"id":"own","content":[${DIGITS}]}`;
      await callTool(script, era, "remember", own);
      const printed = [9007199254740992n, 9223372036854776000n, 1e300];
      assert.deepEqual(await heldBy(path, "own"), printed);
    },
  });
}

/** Lists the tools strictly, and says in a line what came of it. */
async function judge(target: string, era: Era): Promise<string> {
  const strict = ["--method", "tools/list", "--strict"];
  const { code, answer } = await inspect(target, era, ...strict);
  // The Inspector leaves them out where there are none.
  const { result: { tools: { length } }, schemaFindings = [] } = Object(answer);
  const findings = schemaFindings.flatMap(
    (tool: { findings: unknown[] }) => tool.findings,
  );
  return `exit ${code}, ${length} tools, ${findings.length} findings`;
}

/** Says in a line what a load came to. */
function tally(answer: unknown): string {
  const { requests, ok, toolErrors, errors } = Object(answer).result;
  return `${requests} requests, ${ok} ok, ${toolErrors} tool errors, ${errors} errors`;
}

async function assertExpected(
  name: string,
  lines: readonly string[],
): Promise<void> {
  const url = new URL(`./expected/${name}`, import.meta.url);
  const expected = await Deno.readTextFile(url);
  assert.deepEqual(lines, expected.trimEnd().split("\n"));
}
