/**
 * What every client must see, whatever its version of the protocol and of the SDK.
 *
 * @module
 */

import assert from "node:assert/strict";
import { remember, rememberMany } from "@mnem/agents";
import { openStore } from "@mnem/core";
import { CORE_NAMES } from "./tool_names.ts";

/** What the checks use of a client. */
export interface CheckedClient {
  listTools(): Promise<unknown>;
  callTool(
    params: { name: string; arguments: Record<string, unknown> },
  ): Promise<unknown>;
  listResources(): Promise<unknown>;
  listResourceTemplates(): Promise<unknown>;
  readResource(params: { uri: string }): Promise<unknown>;
  close(): Promise<void>;
}

/** What differs between the revisions. */
export interface Expected {
  /** Whether results say how long they may be kept. */
  readonly cacheHints: boolean;
}

const CONTENTS = [
  null,
  "text",
  "[1]",
  40,
  1e300,
  true,
  [],
  {},
  [null, [1, [null]], { a: { b: null } }],
];

/** Fills a store with what no client of this language can send. */
export async function prepareStore(path: string): Promise<string> {
  await using store = await openStore(path, { create: true });
  await remember(store, "big", [18446744073709551615n, -9223372036854775808n]);
  const { commit } = await rememberMany(store, [
    { id: "owner/α", content: "greek", source: "import" },
    { id: "a,b?c#d%e", content: "odd" },
  ]);
  assert.ok(commit !== null);
  return commit;
}

/** Runs every check on a store made by {@linkcode prepareStore}. */
export async function checkClient(
  client: CheckedClient,
  prepared: string,
  expected: Expected,
): Promise<void> {
  await checkTools(client);
  await checkContents(client);
  await checkErrors(client);
  await checkResources(client, prepared, expected);
  await checkFlight(client);
}

/** Calls a tool and returns its result; the text of the answer is the same JSON. */
export async function structureOf(
  client: CheckedClient,
  name: string,
  args: Record<string, unknown> = {},
): Promise<{ readonly [key: string]: unknown }> {
  const result = Object(await client.callTool({ name, arguments: args }));
  assert.ok(!result.isError, JSON.stringify(result));
  assert.deepEqual(
    JSON.parse(result.content[0].text),
    result.structuredContent,
  );
  return result.structuredContent;
}

async function checkTools(client: CheckedClient): Promise<void> {
  const { tools } = Object(await client.listTools());
  assert.deepEqual(
    tools.map(({ name }: { readonly name: string }) => name),
    CORE_NAMES,
  );
  for (const tool of tools) {
    assert.ok(tool.outputSchema !== undefined && tool.title !== undefined);
  }
}

async function checkContents(client: CheckedClient): Promise<void> {
  for (const content of CONTENTS) {
    await structureOf(client, "remember", { id: "any", content });
    const { result } = await structureOf(client, "recall", { id: "any" });
    assert.deepEqual(Object(result).content, content);
  }
  const { result } = await structureOf(client, "recall", { id: "big" });
  assert.deepEqual(Object(result).content, [
    "18446744073709551615",
    "-9223372036854775808",
  ]);
  const absent = await structureOf(client, "recall", { id: "nobody" });
  assert.equal(absent["result"], null);
  const page = await structureOf(client, "recall", { limit: 1 });
  assert.equal(Object(page["result"]).length, 1);
  const { changes } = await structureOf(client, "forget", { id: "any" });
  assert.deepEqual(changes, { any: "removed" });
  const when = await structureOf(client, "when_did", {
    id: "any",
    absent: true,
  });
  assert.equal(when["blame"], null);
  const why = await structureOf(client, "why", { id: "owner/α" });
  assert.equal(Object(why["node"]).provenance.source, "import");
  await structureOf(client, "recall_at", { commit: "HEAD~1", id: "any" });
  await structureOf(client, "whats_new", { commit: "HEAD" });
}

async function checkErrors(client: CheckedClient): Promise<void> {
  for (
    const [name, args, code] of [
      ["forget", { id: "nobody" }, "not_found"],
      ["recall_at", { commit: "nowhere" }, "invalid_ref"],
      ["remember", { id: "a", content: 1, base: "none" }, undefined],
      ["remember", { id: "big", content: 1, base: "none" }, "conflict"],
      ["remember", { id: 5, content: 1 }, "invalid_argument"],
      ["recall", { cursor: "x" }, "invalid_argument"],
    ] as const
  ) {
    const result = Object(await client.callTool({ name, arguments: args }));
    const error = result._meta?.["dev.mnem/error"];
    assert.equal(error?.code, code, JSON.stringify(result));
    assert.equal(result.isError === true, code !== undefined);
    if (code === undefined) continue;
    assert.equal(result.content[0].text, `${code}: ${error.message}`);
    assert.equal(result.structuredContent, undefined);
  }
  await assert.rejects(
    client.callTool({ name: "nothing", arguments: {} }),
    { code: -32602 },
  );
}

async function checkResources(
  client: CheckedClient,
  prepared: string,
  { cacheHints }: Expected,
): Promise<void> {
  const { resources } = Object(await client.listResources());
  assert.deepEqual(
    resources.map(({ uri }: { uri: string }) => uri).sort(),
    ["mnem://log", "mnem://memory", "mnem://status"],
  );
  const { resourceTemplates } = Object(await client.listResourceTemplates());
  assert.deepEqual(
    resourceTemplates.map((one: { uriTemplate: string }) => one.uriTemplate)
      .sort(),
    ["mnem://commit/{id}", "mnem://memory/{id}"],
  );
  const read = async (uri: string, ttlMs: number) => {
    const result = Object(await client.readResource({ uri }));
    assert.equal(result.contents.length, 1);
    const [{ mimeType, text, uri: of }] = result.contents;
    assert.deepEqual([mimeType, of], ["application/json", uri]);
    assert.deepEqual(
      [result.ttlMs, result.cacheScope],
      cacheHints ? [ttlMs, "private"] : [undefined, undefined],
    );
    return JSON.parse(text);
  };
  const memory = await read("mnem://memory", 0);
  assert.deepEqual(memory, await structureOf(client, "recall"));
  assert.deepEqual(
    await read("mnem://log", 0),
    await structureOf(client, "history"),
  );
  const status = await read("mnem://status", 0);
  assert.deepEqual(Object.keys(status), [
    "store",
    "branch",
    "head",
    "format_version",
  ]);
  assert.deepEqual([status.branch, status.head], ["main", memory.as_of]);
  for (const id of ["owner/α", "a,b?c#d%e"]) {
    const uri = `mnem://memory/${encodeURIComponent(id)}`;
    assert.equal((await read(uri, 0)).id, id);
  }
  const commit = await read(`mnem://commit/${prepared}`, 86_400_000);
  assert.deepEqual(commit.changed, {
    "a,b?c#d%e": "added",
    "owner/α": "added",
  });
  assert.deepEqual(
    commit.state.map((node: { id: string }) => node.id),
    ["a,b?c#d%e", "big", "owner/α"],
  );
  await checkMissingResources(client, prepared);
}

async function checkMissingResources(
  client: CheckedClient,
  prepared: string,
): Promise<void> {
  for (
    const [uri, code] of [
      ["mnem://memory/nobody", "not_found"],
      ["mnem://memory/%", "invalid_argument"],
      ["mnem://memory/%ff", "invalid_argument"],
      ["mnem://commit/HEAD", "invalid_ref"],
      [`mnem://commit/${prepared.slice(0, 12)}`, "invalid_ref"],
      [`mnem://commit/${prepared.toUpperCase()}`, "invalid_ref"],
      [`mnem://commit/${"0".repeat(64)}`, /not_found|invalid_ref/],
      ["mnem://memory/", undefined],
      ["mnem://elsewhere", undefined],
    ] as const
  ) {
    await assert.rejects(client.readResource({ uri }), (error) => {
      const { code: number, data } = Object(error);
      assert.equal(number, -32602, uri);
      assert.equal(data.uri, uri);
      if (code instanceof RegExp) assert.match(data.code, code);
      else assert.equal(data.code, code, uri);
      return true;
    });
  }
}

async function checkFlight(client: CheckedClient): Promise<void> {
  const { result: before } = await structureOf(client, "history");
  const [latest] = Object(before);
  const commits = await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      const { commit } = await structureOf(client, "remember", {
        id: `flight/${index}`,
        content: index,
      });
      return commit;
    }),
  );
  const { result: log } = await structureOf(client, "history", { limit: 101 });
  const ids: string[] = Object(log).map(({ id }: { id: string }) => id);
  assert.deepEqual(ids.slice(0, 100).sort(), commits.sort());
  assert.equal(ids[100], latest.id);
}
