/**
 * What hosts and providers demand of the listed tools.
 *
 * @module
 */

import assert from "node:assert/strict";
import { coreTools, listedTools } from "../../mcp/tools.ts";
import { tempFolder } from "../support/temp_folder.ts";
import { toolFindings } from "./schema_rules.ts";
import {
  answerTo,
  modernRequest,
  request,
  runServer,
} from "./server_process.ts";
import {
  CORE_BYTES_MAX,
  overBudget,
  toolBytes,
  toolTable,
  withToolTables,
} from "./tool_table.ts";
import {
  ALL_NAMES,
  CORE_NAMES,
  HARNESS_NAMES,
  READ_NAMES,
  WRITE_NAMES,
} from "./tool_names.ts";

const ALL_TOOLS = [
  ...listedTools({ tools: "all" }),
  ...listedTools({ tools: "all", readOnly: true }),
];
Deno.test("the core tools are listed in a stable order", () => {
  assert.deepEqual(coreTools().map((tool) => tool.name), CORE_NAMES);
});

Deno.test("no tool holds what a host or a provider refuses", () => {
  assert.ok(ALL_TOOLS.length > ALL_NAMES.length);
  for (const { input, output, ...tool } of ALL_TOOLS) {
    const listed = { ...tool, inputSchema: input, outputSchema: output };
    assert.deepEqual(toolFindings(listed), []);
  }
});

// Else what a client lists could be other than what is looked at here.
Deno.test("what a client lists is what is checked, in both eras", async () => {
  await using folder = await tempFolder();
  for (const frame of [request, modernRequest]) {
    const finished = await runServer(
      [`--store=${folder.path}/mem`, "--tools=all"],
      frame(1, "tools/list"),
    );
    const listed = answerTo(finished, 1).result?.["tools"];
    assert.deepEqual(
      listed,
      listedTools({ tools: "all" }).map((tool) => ({
        name: tool.name,
        title: tool.title,
        description: tool.description,
        inputSchema: tool.input,
        outputSchema: tool.output,
        annotations: tool.annotations,
      })),
    );
  }
});

Deno.test("texts speak of tools, arguments and fields that there are", () => {
  const schemas = ALL_TOOLS.flatMap(({ input, output }) => [input, output]);
  const fields = JSON.stringify(schemas).match(/"[a-z_]+":\{/g) ?? [];
  const known = new Set([
    ...ALL_TOOLS.map((tool) => tool.name),
    ...fields.map((field) => field.slice(1, -3)),
    "not_found",
  ]);
  const texts = JSON.stringify(ALL_TOOLS).match(/"description":"[^"]*"/g) ?? [];
  const words = texts.flatMap((text) => text.match(/[a-z]+(_[a-z]+)+/g) ?? []);
  assert.ok(words.includes("remember_many") && words.includes("next_cursor"));
  assert.deepEqual(words.filter((word) => !known.has(word)), []);
});

Deno.test("the core tools fit into their budget", () => {
  assert.equal(CORE_BYTES_MAX, 7_200);
  assert.equal(overBudget(coreTools()), undefined);
  assert.ok(toolBytes(coreTools()) > 3_000, "something must be counted");
});

Deno.test("overBudget() is broken by one long description", () => {
  const core = coreTools();
  const room = CORE_BYTES_MAX - toolBytes(core);
  const grownBy = (bytes: number) => {
    const [first, ...rest] = core;
    assert.ok(first !== undefined);
    const description = first.description + "x".repeat(bytes);
    return overBudget([{ ...first, description }, ...rest]);
  };
  assert.equal(grownBy(room), undefined);
  assert.match(
    grownBy(room + 1) ?? "",
    /^7201 bytes, must be at most 7200: remember \d+, revise \d+, /,
  );
});

Deno.test("toolBytes() counts name, description and input schema as compact JSON in UTF-8", () => {
  const tool = {
    name: "a",
    description: "ä.",
    input: { type: "object" },
    annotations: {},
  };
  // [{"name":"a","description":"ä.","inputSchema":{"type":"object"}}]
  assert.equal(toolBytes([tool]), 66);
  assert.equal(toolBytes([{ ...tool, description: "a." }]), 65);
  assert.equal(toolBytes([tool, tool]), 131);
});

Deno.test("toolTable() shows bytes, hints and arguments of each tool", () => {
  const table = toolTable([{
    name: "a",
    description: "ä.",
    input: {
      type: "object",
      properties: { id: {}, base: {} },
      required: ["id"],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  }]);
  assert.equal(
    table,
    `| tool | bytes | read only | destructive | idempotent | open world | arguments |
| ---- | ----- | --------- | ----------- | ---------- | ---------- | --------- |
| \`a\`  | 115   | yes       | no          | no         | no         | id, base? |
`,
  );
});

Deno.test("the document of the tools shows them as they are (deno task tools)", async () => {
  const file = new URL("../../docs/MCP_TOOLS.md", import.meta.url);
  const document = await Deno.readTextFile(file);
  for (const { name } of listedTools({ tools: "all" })) {
    assert.ok(document.includes(`| \`${name}\``), name);
  }
  assert.equal(withToolTables(document), document);
  const stale = document.replace("| `why`", "| `who`");
  assert.notEqual(withToolTables(stale), stale);
});

Deno.test("annotations state all four hints", () => {
  const writers = [...WRITE_NAMES, ...HARNESS_NAMES];
  for (const { name, annotations } of listedTools({ tools: "all" })) {
    assert.deepEqual(annotations, {
      readOnlyHint: !writers.includes(name),
      destructiveHint: name === "forget" || name === "merge",
      idempotentHint: true,
      openWorldHint: false,
    }, name);
  }
});

Deno.test("the tools for a harness come after the core ones, and only when asked for", () => {
  const names = (options: Parameters<typeof listedTools>[0]) =>
    listedTools(options).map((tool) => tool.name);
  assert.deepEqual(names({}), CORE_NAMES);
  assert.deepEqual(names({ tools: "core" }), CORE_NAMES);
  assert.deepEqual(names({ tools: "all" }), ALL_NAMES);
});

Deno.test("a server that only reads lists no tool that writes", () => {
  assert.deepEqual(
    listedTools({ readOnly: true }).map((tool) => tool.name),
    READ_NAMES,
  );
  const all = listedTools({ tools: "all", readOnly: true });
  assert.deepEqual(all.map((tool) => tool.name), [...READ_NAMES, "branch"]);
  assert.ok(all.every((tool) => tool.annotations.readOnlyHint));
});
