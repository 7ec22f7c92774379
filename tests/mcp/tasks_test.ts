/**
 * The tasks of `tasks.ts`, played against the real server.
 *
 * @module
 */

import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { coreTools } from "../../mcp/tools.ts";
import { tempFolder } from "../support/temp_folder.ts";
import { serverCommand } from "./server_process.ts";
import { type Call, TASKS } from "./tasks.ts";

/** What earlier calls kept, by name. */
type Kept = Map<string, string>;

async function connect(path: string): Promise<Client> {
  const client = new Client({ name: "new-user", version: "1" });
  await client.connect(
    new StdioClientTransport(serverCommand(`--store=${path}`)),
  );
  return client;
}

/** The value with each `<name>` replaced by what was kept. */
function filled(value: unknown, kept: Kept): unknown {
  const text = JSON.stringify(value).replace(/<(\w+)>/g, (_, name) => {
    const known = kept.get(name);
    assert.ok(known !== undefined, `nothing is kept as ${name}`);
    return known;
  });
  return JSON.parse(text);
}

/** Makes a call, looks at what comes back, and keeps what is to be kept. */
async function play(client: Client, call: Call, kept: Kept): Promise<void> {
  const { tool: name, args, keep = {}, shows, lacks, code } = call;
  const result = Object(
    await client.callTool({ name, arguments: Object(filled(args, kept)) }),
  );
  const [{ text }] = result.content;
  if (code !== undefined) {
    assert.equal(result.isError, true, text);
    assert.equal(result.structuredContent, undefined);
    assert.ok(text.startsWith(`${code}: `), text);
    return;
  }
  assert.ok(!result.isError, text);
  const shown = result.structuredContent;
  assert.equal(text, JSON.stringify(shown));
  if (shows !== undefined) assertShows(shown, filled(shows, kept));
  if (lacks !== undefined) assert.ok(!(lacks in shown), lacks);
  for (const [as, field] of Object.entries(keep)) {
    assert.equal(typeof shown[field], "string", field);
    kept.set(as, shown[field]);
  }
}

/** Lists are the same in length; of objects at least the expected fields are. */
function assertShows(shown: unknown, expected: unknown, at = ""): void {
  if (typeof expected !== "object" || expected === null) {
    assert.equal(shown, expected, at);
    return;
  }
  assert.equal(Array.isArray(shown), Array.isArray(expected), at);
  if (Array.isArray(expected)) {
    assert.equal(Object(shown).length, expected.length, at);
  }
  for (const [name, part] of Object.entries(expected)) {
    assertShows(Object(shown)[name], part, `${at}/${name}`);
  }
}

for (const [index, { said, given, calls, seen = [] }] of TASKS.entries()) {
  Deno.test(`task ${index + 1}: ${said}`, async () => {
    await using folder = await tempFolder();
    const client = await connect(`${folder.path}/mem`);
    try {
      const kept: Kept = new Map();
      for (const call of [...given, ...calls, ...seen]) {
        await play(client, call, kept);
      }
      filled(said, kept);
    } finally {
      await client.close();
    }
  });
}

Deno.test("assertShows() misses nothing that is expected", () => {
  assertShows({ a: [{ b: 1, c: null }], d: 2 }, { a: [{ c: null }] });
  const refused: [unknown, unknown][] = [
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, { b: 1 }],
    [{ a: [1, 2] }, { a: [1] }],
    [{ a: { 0: 1, length: 1 } }, { a: [1] }],
    [{ a: [{ b: 1 }] }, { a: [{ b: { c: 1 } }] }],
    [null, { a: 1 }],
    [{ a: undefined }, { a: null }],
  ];
  for (const [shown, expected] of refused) {
    assert.throws(() => assertShows(shown, expected), assert.AssertionError);
  }
});

Deno.test("there are ten tasks or more, and they need every core tool", () => {
  assert.ok(TASKS.length >= 10);
  const needed = new Set(
    TASKS.flatMap(({ calls }) => calls.map((call) => call.tool)),
  );
  assert.deepEqual(
    [...needed].sort(),
    coreTools().map((tool) => tool.name).sort(),
  );
});

/** Every argument that a value gives, in lists too, and whether the schema lists it. */
function unlisted(schema: unknown, args: unknown, at = ""): string[] {
  const { properties = {}, required = [] } = Object(schema);
  const missing = required.filter((name: string) => !(name in Object(args)));
  return [
    ...missing.map((name: string) => `${at}/${name} is missing`),
    ...Object.entries(Object(args)).flatMap(([name, value]) => {
      const listed = properties[name];
      if (listed === undefined) return [`${at}/${name} is not listed`];
      const list = Array.isArray(value) && listed.anyOf === undefined;
      return list
        ? value.flatMap((one, index) =>
          unlisted(listed.items, one, `${at}/${name}/${index}`)
        )
        : typeError(listed, value, `${at}/${name}`);
    }),
  ];
}

function typeError(listed: unknown, value: unknown, at: string): string[] {
  const { type, anyOf } = Object(listed);
  if (anyOf !== undefined) return [];
  const is = Number.isSafeInteger(value) ? "integer" : typeof value;
  return is === type ? [] : [`${at} is no ${type}`];
}

Deno.test("every argument of a task stands in the listed schema of its tool", async (t) => {
  await using folder = await tempFolder();
  const client = await connect(`${folder.path}/mem`);
  const { tools } = await client.listTools().finally(() => client.close());
  const schemas = new Map(tools.map((tool) => [tool.name, tool.inputSchema]));
  for (const { said, given, calls, seen = [] } of TASKS) {
    await t.step(said, () => {
      for (const { tool, args } of [...given, ...calls, ...seen]) {
        assert.ok(schemas.has(tool), tool);
        assert.deepEqual(unlisted(schemas.get(tool), args), []);
      }
    });
  }
  const many = schemas.get("remember_many");
  assert.deepEqual(
    unlisted(many, { items: [{ id: 5, text: "a" }], author: "ada" }),
    [
      "/items/0/content is missing",
      "/items/0/id is no string",
      "/items/0/text is not listed",
      "/author is not listed",
    ],
  );
});
