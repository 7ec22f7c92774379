/**
 * A failure says what to do next, in words that a model finds in the list of tools.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Store } from "@mnem/core";
import { listedTools } from "../../mcp/tools.ts";
import { tempStore } from "../support/temp_store.ts";
import { callTool, type Shown, tryTool } from "./tool_calls.ts";

interface Failure {
  readonly name: string;
  readonly tool: string;
  readonly args: (base: string) => Shown;
  readonly code: string;
  /** How the message ends. */
  readonly step: string;
}

const FIND_IDS = "recall by prefix or query finds the ids there are";
const RECALL_FIRST =
  "recall what changed, and write again with the new as_of as base if it should still be so";
const FIND_COMMITS = "history lists commits";

const FAILURES: readonly Failure[] = [
  ...["remember", "revise"].map((tool) => ({
    name: `a lost base of ${tool}`,
    tool,
    args: (base: string) => ({ id: "plan", content: "free", base }),
    code: "conflict",
    step: RECALL_FIRST,
  })),
  {
    name: "a lost base of several",
    tool: "remember_many",
    args: (base) => ({ items: [{ id: "plan", content: 1 }], base }),
    code: "conflict",
    step: RECALL_FIRST,
  },
  {
    name: "a lost base of forget",
    tool: "forget",
    args: (base) => ({ id: "plan", base }),
    code: "conflict",
    step: RECALL_FIRST,
  },
  {
    name: "forgetting what is not there",
    tool: "forget",
    args: () => ({ id: "plans" }),
    code: "not_found",
    step: FIND_IDS,
  },
  {
    name: "asking why of what is not there",
    tool: "why",
    args: () => ({ id: "plans" }),
    code: "not_found",
    step: `${FIND_IDS}; of a forgotten node ask at a commit that had it`,
  },
  {
    name: "asking when of what never was",
    tool: "when_did",
    args: () => ({ id: "plan", equals: "gold" }),
    code: "not_found",
    step: "recall shows what is there now",
  },
  {
    name: "a commit that is none",
    tool: "recall_at",
    args: () => ({ commit: "yesterday" }),
    code: "invalid_ref",
    step: FIND_COMMITS,
  },
  {
    name: "changes of a commit that is none",
    tool: "whats_new",
    args: () => ({ commit: "0000" }),
    code: "invalid_ref",
    step: FIND_COMMITS,
  },
  {
    name: "why at a commit that is none",
    tool: "why",
    args: () => ({ id: "plan", at: "0000" }),
    code: "invalid_ref",
    step: FIND_COMMITS,
  },
  {
    name: "when after a commit where it was so",
    tool: "when_did",
    args: () => ({ id: "plan", present: true, good: "HEAD" }),
    code: "invalid_ref",
    step: FIND_COMMITS,
  },
  {
    name: "a branch that is there",
    tool: "branch",
    args: (base) => ({ name: "main", start: base }),
    code: "conflict",
    step: "take another name, or switch to it",
  },
  {
    name: "a switch to nowhere",
    tool: "switch",
    args: () => ({ target: "nowhere" }),
    code: "invalid_ref",
    step: "branch without name lists branches",
  },
  {
    name: "a merge of nothing",
    tool: "merge",
    args: () => ({ theirs: "nowhere" }),
    code: "invalid_ref",
    step: "branch without name lists branches",
  },
  {
    name: "a resolution where nothing conflicts",
    tool: "merge",
    args: (base) => ({ theirs: base, resolutions: { plan: "ours" } }),
    code: "not_found",
    step: "dry_run shows what conflicts",
  },
];

/** A store with two versions of a plan, and the commit of the first. */
async function revised(store: Store): Promise<string> {
  const first = await callTool(store, "remember", { id: "plan", content: 1 });
  await callTool(store, "revise", { id: "plan", content: 2 });
  return String(first["commit"]);
}

Deno.test("a failure names the call that helps", async (t) => {
  await using temp = await tempStore();
  const base = await revised(temp.store);
  for (const { name, tool, args, code, step } of FAILURES) {
    await t.step(name, async () => {
      const failed = await tryTool(temp.store, tool, args(base));
      assert.equal(failed["code"], code, JSON.stringify(failed));
      const message = String(failed["message"]);
      assert.ok(message.endsWith(`; ${step}`), message);
    });
  }
});

Deno.test("what helps is a tool or an argument that is listed", () => {
  const tools = listedTools({ tools: "all" });
  const known = new Set(tools.flatMap(({ name, input }) => [
    name,
    ...Object.keys(Object(input["properties"])),
  ]));
  for (const { step } of FAILURES) {
    assert.ok(step.split(/\W+/).some((word) => known.has(word)), step);
  }
});

Deno.test("a lost base keeps its data beside what to do", async () => {
  await using temp = await tempStore();
  const base = await revised(temp.store);
  const lost = await tryTool(temp.store, "forget", { id: "plan", base });
  const { head, conflicts } = Object(lost["data"]);
  assert.equal(head, (await temp.store.head()).commit);
  assert.deepEqual(conflicts.map(({ id }: { id: string }) => id), ["plan"]);
});

Deno.test("what to do about a lost base is what helps", async () => {
  await using temp = await tempStore();
  const base = await revised(temp.store);
  const args = { id: "plan", content: "free" };
  const lost = await tryTool(temp.store, "revise", { ...args, base });
  assert.equal(lost["code"], "conflict");
  const { as_of } = await callTool(temp.store, "recall", { id: "plan" });
  const kept = await callTool(temp.store, "revise", { ...args, base: as_of });
  assert.deepEqual(kept["changes"], { plan: "modified" });
});

const UNKNOWN: readonly (readonly [string, Shown, string])[] = [
  [
    "recall",
    { ids: "plan" },
    'Cannot recall: unknown argument "ids", must be one of id, prefix, query, limit, cursor',
  ],
  [
    "history",
    { max: 1, node: "plan" },
    'Cannot history: unknown argument "max", "node", must be one of limit, cursor',
  ],
  [
    "remember_many",
    { items: [{ id: "a", content: 1 }, { id: "b", content: 1, why: "x" }] },
    'Cannot remember_many: items.1: unknown argument "why", must be one of ' +
    "id, content, source, step, observation, tool_call, note, event_time",
  ],
  ["remember", { id: "a" }, "Cannot remember: content: is required"],
  ["recall_at", {}, "Cannot recall_at: commit: is required"],
  ["remember_many", {}, "Cannot remember_many: items: is required"],
];

Deno.test("a bad argument is named, and so are those that are known", async () => {
  await using temp = await tempStore();
  for (const [tool, args, message] of UNKNOWN) {
    const refused = await tryTool(temp.store, tool, args);
    assert.deepEqual(refused, { code: "invalid_argument", message });
  }
});
