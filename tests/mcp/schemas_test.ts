/**
 * What hosts and providers demand of the listed tools.
 *
 * @module
 */

import assert from "node:assert/strict";
import { coreTools, listedTools } from "../../mcp/tools.ts";

const NAMES = [
  "remember",
  "revise",
  "remember_many",
  "forget",
  "recall",
  "recall_at",
  "history",
  "why",
  "when_did",
  "whats_new",
];
const HARNESS_NAMES = ["branch", "switch", "merge"];
const ALL_TOOLS = [
  ...listedTools({ tools: "all" }),
  ...listedTools({ tools: "all", readOnly: true }),
];
const INPUT_BYTES_MAX = 7_200;

// Each made some provider or host refuse every request, or drop the tool.
const BANNED = [
  "$ref",
  "$defs",
  "definitions",
  "allOf",
  "oneOf",
  "not",
  "if",
  "propertyNames",
  "patternProperties",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "prefixItems",
  "format",
  "pattern",
  "default",
  "const",
  "$schema",
];

interface Finding {
  readonly path: string;
  readonly what: string;
}

/** Walks a schema and returns what is wrong with it. */
function findings(schema: unknown, path = ""): Finding[] {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) {
    return [{ path, what: `${JSON.stringify(schema)} is no schema` }];
  }
  const parts = Object.entries(schema);
  const found = parts.filter(([key]) => BANNED.includes(key))
    .map(([key]) => ({ path, what: key }));
  const { type, anyOf, items, properties, additionalProperties } = Object(
    schema,
  );
  if (Array.isArray(type)) found.push({ path, what: "a list of types" });
  if (type === undefined && anyOf === undefined) {
    found.push({ path, what: "neither type nor anyOf" });
  }
  return [
    ...found,
    ...(anyOf ?? []).flatMap((each: unknown, index: number) =>
      findings(each, `${path}/anyOf/${index}`)
    ),
    ...(items === undefined ? [] : findings(items, `${path}/items`)),
    ...Object.entries(properties ?? {}).flatMap(([name, each]) =>
      findings(each, `${path}/${name}`)
    ),
    ...(typeof additionalProperties === "object"
      ? findings(additionalProperties, `${path}/*`)
      : []),
  ];
}

Deno.test("the ten core tools are listed in a stable order", () => {
  assert.deepEqual(coreTools().map((tool) => tool.name), NAMES);
});

Deno.test("names, descriptions and input schemas fit into their budget", () => {
  const bytes = coreTools().map((tool) =>
    new TextEncoder().encode(
      tool.name + tool.description + JSON.stringify(tool.input),
    ).length
  );
  const total = bytes.reduce((sum, each) => sum + each, 0);
  assert.ok(total > 3_000, "something must be counted");
  assert.ok(total <= INPUT_BYTES_MAX, `${total} bytes`);
});

Deno.test("names are short and plain, and every tool has a title and a sentence", () => {
  for (const tool of ALL_TOOLS) {
    assert.match(tool.name, /^[a-z_]{1,20}$/);
    assert.match(tool.title, /^[A-Z]/);
    assert.match(tool.description, /^[A-Z].*\.$/s);
  }
});

Deno.test("schemas hold nothing that a provider refuses", () => {
  assert.deepEqual(findings({ type: ["string"], format: "x" }), [
    { path: "", what: "format" },
    { path: "", what: "a list of types" },
  ]);
  for (const tool of ALL_TOOLS) {
    assert.equal(tool.input["type"], "object", tool.name);
    assert.equal(tool.output["type"], "object", tool.name);
    assert.equal(tool.input["additionalProperties"], false, tool.name);
    assert.deepEqual(findings(tool.input), [], tool.name);
  }
});

// An output's array may hold anything; of inputs providers want the elements.
Deno.test("result schemas hold no keyword that clients stumble on", () => {
  for (const tool of ALL_TOOLS) {
    assert.deepEqual(findings(tool.output), [], tool.name);
  }
});

Deno.test("arrays in inputs name their elements", () => {
  const arrays = ALL_TOOLS.flatMap((tool) =>
    JSON.stringify(tool.input).match(/"type":"array"(,"items")?/g) ?? []
  );
  assert.ok(arrays.length >= 4);
  assert.deepEqual([...new Set(arrays)], ['"type":"array","items"']);
});

Deno.test("annotations state all four hints", () => {
  const writers = [...NAMES.slice(0, 4), ...HARNESS_NAMES];
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
  assert.deepEqual(names({}), NAMES);
  assert.deepEqual(names({ tools: "core" }), NAMES);
  assert.deepEqual(names({ tools: "all" }), [...NAMES, ...HARNESS_NAMES]);
});

Deno.test("a server that only reads lists no tool that writes", () => {
  const names = NAMES.slice(4);
  assert.deepEqual(
    listedTools({ readOnly: true }).map((tool) => tool.name),
    names,
  );
  const all = listedTools({ tools: "all", readOnly: true });
  assert.deepEqual(all.map((tool) => tool.name), [...names, "branch"]);
  assert.ok(all.every((tool) => tool.annotations.readOnlyHint));
});
