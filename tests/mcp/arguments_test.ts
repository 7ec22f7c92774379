/**
 * Whatever form a model gives an argument, it means the same: tried for every argument of every tool,
 * by what the call does to a store. Content and `equals` mean themselves.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Store } from "@mnem/core";
import { openStoreOn } from "../../core/store/open_store.ts";
import { listedTools } from "../../mcp/tools.ts";
import { MemoryKv } from "../support/memory_kv.ts";
import { tempStore } from "../support/temp_store.ts";
import { callTool, type Shown, tryTool } from "./tool_calls.ts";

/** What samples refer to. The store's clock stands still, so that it is the same in every store. */
interface Known {
  readonly head: string;
  readonly nodes: unknown;
  readonly commits: unknown;
  readonly changes: unknown;
  readonly branches: unknown;
}

const EVIDENCE = {
  source: "ticket",
  step: "step-1",
  observation: "seen",
  tool_call: "call-1",
  note: "in a hurry",
  event_time: 1_700_000_000_000,
};

/** Calls that give every argument of every tool, at least once. */
const SAMPLES: readonly (readonly [string, (known: Known) => Shown])[] = [
  ...["remember", "revise"].map((name) =>
    [name, ({ head }: Known) => ({
      id: "plan",
      content: "gold",
      ...EVIDENCE,
      summary: "said so",
      base: head,
      key: "call-1",
    })] as const
  ),
  ["remember_many", ({ head }) => ({
    items: [{ id: "plan", content: "1", ...EVIDENCE }, {
      id: "new",
      content: "[]",
      ...EVIDENCE,
    }],
    summary: "said so",
    base: head,
    key: "call-1",
  })],
  ["forget", ({ head }) => ({
    id: "plan",
    summary: "gone",
    base: head,
    key: "call-1",
  })],
  ["recall", ({ nodes }) => ({
    prefix: "n/",
    query: "word",
    limit: 1,
    cursor: nodes,
  })],
  ["recall", () => ({ id: "plan", limit: 1 })],
  ["recall_at", ({ nodes }) => ({ commit: "HEAD", limit: 1, cursor: nodes })],
  ["recall_at", () => ({ commit: "HEAD~1", id: "plan", limit: 1 })],
  ["history", ({ commits }) => ({ limit: 1, cursor: commits })],
  ["why", () => ({ id: "plan", at: "HEAD~1" })],
  [
    "when_did",
    () => ({ id: "plan", equals: 2, good: "HEAD~2", bad: "HEAD" }),
  ],
  ["when_did", () => ({ id: "was", absent: true, present: false })],
  [
    "when_did",
    () => ({ id: "was", absent: false, present: true, bad: "side" }),
  ],
  ["whats_new", ({ changes }) => ({
    commit: "HEAD~2",
    limit: 1,
    cursor: changes,
  })],
  ["branch", () => ({ name: "third", start: "HEAD~1" })],
  ["branch", ({ branches }) => ({ limit: 1, cursor: branches })],
  ["switch", () => ({ target: "side" })],
  ...[true, false].map((dry_run) =>
    ["merge", () => ({
      theirs: "side",
      resolutions: {
        plan: { content: "{}", content_kind: "claim", ...EVIDENCE },
        seats: "theirs",
      },
      strategy: "ours",
      message: "settled",
      dry_run,
      key: "call-1",
    })] as const
  ),
];

/** Main: four nodes and one that goes; then plan and seats change here and on side. */
async function prepare(store: Store): Promise<Known> {
  await callTool(store, "remember_many", {
    items: ["n/1", "n/2", "n/3", "plan", "seats", "was"].map((id) => ({
      id,
      content: id.startsWith("n/") ? "a Word" : 1,
    })),
  });
  await callTool(store, "branch", { name: "side" });
  const other = { items: ["plan", "seats"].map((id) => ({ id, content: 3 })) };
  const side = store.on("side");
  await side.write(other.items, { message: "on side", author: "agent" });
  await callTool(store, "remember_many", {
    items: ["plan", "seats"].map((id) => ({ id, content: 2 })),
  });
  const { commit } = await callTool(store, "forget", { id: "was" });
  const page = async (name: string, args: Shown = {}) =>
    (await callTool(store, name, { limit: 1, ...args }))["next_cursor"];
  const known = {
    head: String(commit),
    nodes: await page("recall"),
    commits: await page("history"),
    // A cursor belongs to the words with which its commit was asked for.
    changes: await page("whats_new", { commit: "HEAD~2" }),
    branches: await page("branch"),
  };
  assert.ok(Object.values(known).every((one) => typeof one === "string"));
  return known;
}

/** What a call answers, and what the store holds after it. */
async function outcomeOf(
  name: string,
  argsOf: (known: Known) => Shown,
): Promise<Shown> {
  await using store = await openStoreOn(new MemoryKv().open(), {
    create: true,
    clock: () => 1_000,
  });
  const answer = await tryTool(store, name, argsOf(await prepare(store)));
  return {
    answer,
    head: await store.head(),
    nodes: await callTool(store, "recall"),
    log: await callTool(store, "history"),
    branches: await callTool(store, "branch"),
  };
}

/** A form of the arguments: its name, what is sent, and what it means. */
type Form = readonly [string, Shown, Shown];

/** Every form of arguments that differs from what it means in one argument. */
function formsOf(schema: Shown, args: Shown): Form[] {
  return propertiesOf(schema).flatMap(([name, listed]) => {
    const value = args[name];
    // Content may be anything, so that nothing is a form of something else.
    if (value === undefined || listed["anyOf"] !== undefined) return [];
    const { [name]: _, ...rest } = args;
    const sent = (other: unknown): Shown => ({ ...args, [name]: other });
    const forms: Form[] = isRequired(schema, name)
      ? []
      : [[`${name} null`, sent(null), rest]];
    if (listed["type"] !== "string") {
      forms.push([`${name} as text`, sent(JSON.stringify(value)), args]);
    }
    const parts = Array.isArray(value) || listed["type"] === "object"
      ? Object.entries(Object(value))
      : [];
    for (const [part, inner] of parts) {
      const changed = (other: unknown) =>
        sent(
          Array.isArray(value)
            ? value.map((one, index) => String(index) === part ? other : one)
            : { ...Object(value), [part]: other },
        );
      forms.push([
        `${name}.${part} as text`,
        changed(JSON.stringify(inner)),
        args,
      ]);
      if (typeof inner !== "object" || inner === null) continue;
      for (
        const [field, of, meant] of formsOf(elementOf(listed), Object(inner))
      ) {
        forms.push([`${name}.${part}.${field}`, changed(of), changed(meant)]);
      }
    }
    return forms;
  });
}

function propertiesOf(schema: Shown): [string, Shown][] {
  return Object.entries(Object(schema["properties"]));
}

function isRequired(schema: Shown, name: string): boolean {
  const { required } = schema;
  return Array.isArray(required) && required.includes(name);
}

/** The schema of an object in a list or map. */
function elementOf(schema: Shown): Shown {
  const element = Object(schema["items"] ?? schema["additionalProperties"]);
  const { anyOf = [element] } = element;
  return anyOf.find((one: Shown) => one["type"] === "object");
}

Deno.test("an argument means the same in every form that models give it", async (t) => {
  const schemas = new Map(
    listedTools({ tools: "all" }).map(({ name, input }) => [name, input]),
  );
  const tried = new Map<string, Set<string>>();
  for (const [name, argsOf] of SAMPLES) {
    const schema = schemas.get(name);
    assert.ok(schema !== undefined);
    // Only the names of the forms: what stands in a cursor is known in its store.
    const any = argsOf({
      head: "x",
      nodes: "x",
      commits: "x",
      changes: "x",
      branches: "x",
    });
    const seen = tried.get(name) ?? new Set();
    for (const given of Object.keys(any)) seen.add(given);
    tried.set(name, seen);
    for (const [index, [form]] of formsOf(schema, any).entries()) {
      await t.step(`${name}: ${form}`, async () => {
        const pick = (side: 1 | 2) => (known: Known) => {
          const found = formsOf(schema, argsOf(known))[index];
          assert.ok(found !== undefined);
          return found[side];
        };
        const [sent, meant] = await Promise.all([
          outcomeOf(name, pick(1)),
          outcomeOf(name, pick(2)),
        ]);
        assert.deepEqual(sent, meant);
      });
    }
  }
  // Every argument that is listed was among the samples.
  for (const [name, schema] of schemas) {
    assert.deepEqual(
      [...tried.get(name) ?? []].sort(),
      propertiesOf(schema).map(([property]) => property).sort(),
      name,
    );
  }
});

// A form that fails as what it means does would say nothing.
Deno.test("the samples go well", async () => {
  for (const [name, argsOf] of SAMPLES) {
    const { code, message } = Object((await outcomeOf(name, argsOf))["answer"]);
    assert.equal(code, undefined, `${name}: ${message}`);
  }
});

Deno.test("content and equals mean themselves, whatever they look like", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const values = [
    "5",
    5,
    "true",
    true,
    "null",
    null,
    "[1]",
    [1],
    '{"a":1}',
    { a: 1 },
    "",
    [null, [["x"]], { a: null }],
  ];
  const commits: unknown[] = [];
  for (const content of values) {
    const written = await callTool(store, "remember", { id: "a", content });
    commits.push(written["commit"]);
    const { result } = await callTool(store, "recall", { id: "a" });
    assert.deepEqual(Object(result).content, content);
  }
  assert.equal(new Set(commits).size, values.length);
  for (const [index, equals] of values.entries()) {
    const bad = commits[index];
    const found = await callTool(store, "when_did", { id: "a", equals, bad });
    assert.equal(found["commit"], bad, JSON.stringify(equals));
  }
  for (const content of values) {
    const items = [{ id: "b", content }, JSON.stringify({ id: "c", content })];
    await callTool(store, "remember_many", { items });
    for (const id of ["b", "c"]) {
      const { result } = await callTool(store, "recall", { id });
      assert.deepEqual(Object(result).content, content);
    }
  }
});
