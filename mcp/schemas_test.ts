import assert from "node:assert/strict";
import { z } from "zod";
import {
  anyJson,
  argumentsOf,
  listedSchema,
  listOf,
  optionalFlag,
  optionalInteger,
  optionalJson,
  optionalText,
  requiredText,
} from "./schemas.ts";

const input = argumentsOf({
  content: anyJson("c"),
  equals: optionalJson("e"),
  text: optionalText("t"),
  count: optionalInteger("n", 1),
  time: optionalInteger("i"),
  flag: optionalFlag("f"),
  items: listOf(argumentsOf({ id: requiredText("i"), content: anyJson() }))
    .optional(),
});

function parse(args: Record<string, unknown>): Record<string, unknown> {
  return input.parse({ content: 0, ...args });
}

function problem(args: Record<string, unknown>): string {
  const parsed = input.safeParse({ content: 0, ...args });
  assert.ok(!parsed.success);
  return parsed.error.issues.map((issue) =>
    `${issue.path.join(".")}: ${issue.message}`
  ).join("; ");
}

const FORGIVEN: [string, Record<string, unknown>, Record<string, unknown>][] = [
  ["null text is absent", { text: null }, { text: undefined }],
  ["null integer is absent", { count: null }, { count: undefined }],
  ["null flag is absent", { flag: null }, { flag: undefined }],
  ["an integer as text", { count: "5", time: "-7" }, { count: 5, time: -7 }],
  ["a flag as text", { flag: "true" }, { flag: true }],
  ["a false flag as text", { flag: "false" }, { flag: false }],
  [
    "a list as text, its integers exact",
    { items: '[{"id":"a","content":18446744073709551615}]' },
    { items: [{ id: "a", content: 18446744073709551615n }] },
  ],
  [
    "elements as text",
    { items: ['{"id":"a","content":"{}"}'] },
    { items: [{ id: "a", content: "{}" }] },
  ],
];

Deno.test("schemas forgive what models send", async (t) => {
  for (const [name, args, expected] of FORGIVEN) {
    await t.step(name, () => {
      assert.deepEqual(parse(args), { content: 0, ...expected });
    });
  }
});

Deno.test("anyJson() leaves content untouched", () => {
  const values = [
    null,
    "5",
    "true",
    '{"a":1}',
    "[1]",
    "",
    0,
    false,
    18446744073709551615n,
    1e300,
    [null, [[]], { a: [null] }],
    JSON.parse('{"__proto__":{"a":1},"constructor":2}'),
  ];
  for (const value of values) {
    assert.strictEqual(parse({ content: value })["content"], value);
    assert.strictEqual(parse({ equals: value })["equals"], value);
  }
});

const REFUSED: [string, Record<string, unknown>, string][] = [
  ["no content", { content: undefined }, "content: is required"],
  [
    "a misspelt name",
    { txt: "a" },
    ': unknown argument "txt", must be one of content, equals, text, count, time, flag, items',
  ],
  [
    "two names that are none",
    { a: 1, b: 2 },
    ': unknown argument "a", "b", must be one of content, equals, text, count, time, flag, items',
  ],
  [
    "a number as text",
    { text: 5 },
    "text: Invalid input: expected string, received number",
  ],
  ["a limit of 0", { count: 0 }, "count: Too small: expected number to be >=1"],
  [
    "a fraction",
    { count: 1.5 },
    "count: Invalid input: expected int, received number",
  ],
  [
    "an integer beyond 2^53",
    { time: 9007199254740993n },
    "time: Invalid input: expected number, received bigint",
  ],
  [
    "text that is no list",
    { items: "a, b" },
    "items: Invalid input: expected array, received string",
  ],
  [
    "a misspelt name in an element",
    { items: [{ id: "a", content: 1, sauce: "x" }] },
    'items.0: unknown argument "sauce", must be one of id, content',
  ],
  [
    "an element without its text",
    { items: [{ content: 1 }] },
    "items.0.id: is required",
  ],
  [
    "an element with a number for its text",
    { items: [{ id: 5, content: 1 }] },
    "items.0.id: Invalid input: expected string, received number",
  ],
];

Deno.test("schemas refuse the rest and name it", async (t) => {
  for (const [name, args, expected] of REFUSED) {
    await t.step(name, () => assert.equal(problem(args), expected));
  }
});

Deno.test("listedSchema() lists plain optional types without noise", () => {
  const { properties, required, $schema } = listedSchema(input, "input");
  assert.equal($schema, undefined);
  assert.deepEqual(required, ["content"]);
  assert.ok(typeof properties === "object" && properties !== null);
  const { text, count, time, flag } = Object.fromEntries(
    Object.entries(properties),
  );
  assert.deepEqual(text, { type: "string", description: "t" });
  assert.deepEqual(count, { type: "integer", minimum: 1, description: "n" });
  assert.deepEqual(time, { type: "integer", description: "i" });
  assert.deepEqual(flag, { type: "boolean", description: "f" });
});

Deno.test("listOf() says of a list that is missing that it is required", () => {
  const { error } = argumentsOf({ items: listOf(z.string()) }).safeParse({});
  assert.deepEqual(error?.issues.map((issue) => issue.message), [
    "is required",
  ]);
});

Deno.test("schemas say nothing of an argument that is described elsewhere", () => {
  const bare = argumentsOf({
    content: anyJson(),
    text: optionalText(),
    count: optionalInteger(),
  });
  const { properties } = listedSchema(bare, "input");
  const { content, text, count } = Object(properties);
  assert.deepEqual(Object.keys(content), ["anyOf"]);
  assert.deepEqual([text, count], [{ type: "string" }, { type: "integer" }]);
});

Deno.test("listedSchema() leaves room for fields in results only", () => {
  const schema = z.object({ a: z.string() });
  assert.equal(
    listedSchema(z.strictObject({}), "input")["additionalProperties"],
    false,
  );
  assert.equal(
    "additionalProperties" in listedSchema(schema, "output"),
    false,
  );
});
