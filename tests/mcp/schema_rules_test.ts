/**
 * The walker of the listed tools finds each fault that it is for, wherever it stands, and nothing in
 * a tool without one.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  type ListedTool,
  type Schema,
  schemaFindings,
  toolFindings,
} from "./schema_rules.ts";

const SOUND: ListedTool = {
  name: "recall_at",
  title: "Recall at a commit",
  description: "Read memory as it was.",
  annotations: {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  inputSchema: {
    type: "object",
    properties: {
      id: { type: "string", description: "Node id" },
      limit: { type: "integer", minimum: 1 },
      side: { type: "string", enum: ["ours", "theirs"] },
      items: {
        type: "array",
        items: { anyOf: [{ type: "string" }, { type: "boolean" }] },
      },
      map: { type: "object", additionalProperties: { type: "number" } },
      any: { type: "object", additionalProperties: true },
    },
    required: ["id"],
    additionalProperties: false,
  },
  outputSchema: {
    type: "object",
    properties: { result: { anyOf: [{ type: "null" }, { type: "array" }] } },
  },
};

/** A fault of a schema, and what is said of it. */
const FAULTS: readonly (readonly [unknown, string])[] = [
  [{ type: "string", $ref: "#/$defs/a" }, "$ref"],
  [{ type: "object", $defs: { a: { type: "string" } } }, "$defs"],
  [{ type: "object", definitions: {} }, "definitions"],
  [{ type: "object", propertyNames: { type: "string" } }, "propertyNames"],
  [{ type: "object", patternProperties: {} }, "patternProperties"],
  [{ type: "integer", exclusiveMinimum: 0 }, "exclusiveMinimum"],
  [{ type: "integer", exclusiveMaximum: 9 }, "exclusiveMaximum"],
  [
    { type: "array", items: { type: "string" }, prefixItems: [] },
    "prefixItems",
  ],
  [{ type: "string", oneOf: [{ type: "string" }] }, "oneOf"],
  [{ type: "string", allOf: [{ type: "string" }] }, "allOf"],
  [{ type: "string", not: { type: "null" } }, "not"],
  [{ type: "string", if: { type: "null" } }, "if"],
  [{ type: "string", format: "date-time" }, "format"],
  [{ type: "string", pattern: `^(?:${"\\d".repeat(125)})$` }, "pattern"],
  [{ type: "string", const: "a" }, "const"],
  [{ type: "string", default: "a" }, "default"],
  [{ type: "object", $schema: "https://json-schema.org/" }, "$schema"],
  [{ type: ["string", "null"] }, "a list of types"],
  [{ type: "text" }, 'the type "text"'],
  [{ type: "null" }, 'the type "null"'],
  [
    { type: "object", properties: { eventTime: { type: "integer" } } },
    "the name eventTime",
  ],
  [{}, "says no type"],
  [{ description: "anything" }, "says no type"],
  [{ enum: ["a"] }, "says no type"],
  [true, "true"],
  [false, "false"],
  [null, "null"],
  [["string"], '["string"]'],
  [{ type: "array" }, "an array without items"],
  [
    { type: "object", properties: {}, required: ["id"] },
    "requires id, which it does not list",
  ],
];

/** The places where a schema can stand. */
const PLACES: readonly (readonly [string, (fault: unknown) => Schema])[] = [
  ["/id", (fault) => ({ type: "object", properties: { id: fault } })],
  ["/items", (fault) => ({ type: "array", items: fault })],
  ["/anyOf/1", (fault) => ({ anyOf: [{ type: "string" }, fault] })],
  [
    "/a/items/b",
    (fault) => ({
      type: "object",
      properties: {
        a: {
          type: "array",
          items: { type: "object", properties: { b: fault } },
        },
      },
    }),
  ],
];

Deno.test("toolFindings() has nothing to say of a sound tool", () => {
  assert.deepEqual(toolFindings(SOUND), []);
});

Deno.test("schemaFindings() finds each fault, wherever it stands", async (t) => {
  for (const [fault, what] of FAULTS) {
    await t.step(what, () => {
      assert.deepEqual(schemaFindings(fault, "input"), [`: ${what}`]);
      for (const [path, plant] of PLACES) {
        assert.deepEqual(
          schemaFindings(plant(fault), "input"),
          [`${path}: ${what}`],
        );
      }
      // There true and false are no schemas, but say whether others may come.
      if (typeof fault === "boolean") return;
      assert.deepEqual(
        schemaFindings(
          { type: "object", additionalProperties: fault },
          "input",
        ),
        [`/*: ${what}`],
      );
    });
  }
});

Deno.test("schemaFindings() lets an array of a result hold anything", () => {
  assert.deepEqual(schemaFindings({ type: "array" }, "output"), []);
  assert.deepEqual(schemaFindings({ type: "null" }, "output"), []);
  assert.deepEqual(schemaFindings({ type: "array", items: true }, "output"), [
    "/items: true",
  ]);
});

const { inputSchema: input, outputSchema: output } = SOUND;

/** A fault of a tool, and what is said of it. */
const TOOL_FAULTS: readonly (readonly [Partial<ListedTool>, string])[] = [
  [{ name: "recallAt" }, "recallAt: the name is not 1 to 20 of a-z and _"],
  [
    { name: "recall_memory_at_time" },
    "recall_memory_at_time: the name is not 1 to 20 of a-z and _",
  ],
  [{ title: undefined }, "recall_at: has no title"],
  [{ description: "" }, "recall_at: has no sentence"],
  [{ description: "Read memory" }, "recall_at: has no sentence"],
  [
    { description: `R${"e".repeat(1_023)}.` },
    "recall_at: the description has 1025 characters",
  ],
  [
    { annotations: { ...SOUND.annotations, openWorldHint: undefined } },
    "recall_at: no openWorldHint",
  ],
  [
    { inputSchema: { ...input, type: "array", items: { type: "string" } } },
    "recall_at/input: the root is no object",
  ],
  [
    { inputSchema: { ...input, anyOf: [{ type: "object" }] } },
    "recall_at/input: anyOf at the root",
  ],
  [
    { inputSchema: { ...input, oneOf: [{ type: "object" }] } },
    "recall_at/input: oneOf",
  ],
  [
    { inputSchema: { ...input, allOf: [{ type: "object" }] } },
    "recall_at/input: allOf",
  ],
  [
    { inputSchema: { ...input, additionalProperties: true } },
    "recall_at/input: takes unknown arguments",
  ],
  [{ outputSchema: undefined }, "recall_at/output: there is no schema"],
  [
    { outputSchema: { anyOf: [{ type: "object" }, { type: "null" }] } },
    "recall_at/output: the root is no object",
  ],
  [
    { outputSchema: { ...output, additionalProperties: false } },
    "recall_at/output: leaves no room for a new field",
  ],
];

Deno.test("toolFindings() finds each fault of a tool", async (t) => {
  for (const [fault, expected] of TOOL_FAULTS) {
    await t.step(expected, () => {
      const [found] = toolFindings({ ...SOUND, ...fault });
      assert.equal(found, expected);
    });
  }
});

Deno.test("toolFindings() misses no hint", () => {
  assert.deepEqual(toolFindings({ ...SOUND, annotations: undefined }), [
    "recall_at: no readOnlyHint",
    "recall_at: no destructiveHint",
    "recall_at: no idempotentHint",
    "recall_at: no openWorldHint",
  ]);
});
