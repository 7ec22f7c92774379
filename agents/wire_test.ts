import assert from "node:assert/strict";
import type { Commit, Conflict, MemoryNode, MergeResult } from "@mnem/core";
import { toWire } from "./wire.ts";

const commit: Commit = {
  id: "c".repeat(64),
  parents: ["a".repeat(64), "b".repeat(64)],
  state: "5".repeat(64),
  message: "merge b into main",
  author: "ada",
  timeMs: -1,
};
const bare: MemoryNode = {
  id: "plan",
  content: { parents: 1, evidenceOnly: true },
  contentKind: "claim",
  provenance: {},
};
const full: MemoryNode = {
  id: "seats",
  content: 2n ** 63n,
  contentKind: "note",
  provenance: {
    agentStep: "step-1",
    observation: "",
    toolCall: "call-1",
    source: "ticket-1",
    note: "said so",
  },
  eventTimeMs: 0,
};
const bareWire = {
  id: "plan",
  content: { parents: 1, evidenceOnly: true },
  content_kind: "claim",
  provenance: {
    agent_step: null,
    observation: null,
    tool_call: null,
    source: null,
    note: null,
  },
  event_time: null,
};
const fullWire = {
  id: "seats",
  content: 2n ** 63n,
  content_kind: "note",
  provenance: {
    agent_step: "step-1",
    observation: "",
    tool_call: "call-1",
    source: "ticket-1",
    note: "said so",
  },
  event_time: 0,
};

Deno.test("toWire() gives a node all its fields, null where unset", () => {
  assert.deepEqual(toWire(bare), bareWire);
  assert.deepEqual(toWire(full), fullWire);
});

Deno.test("toWire() gives a commit", () => {
  assert.deepEqual(toWire(commit), {
    id: commit.id,
    parents: commit.parents,
    state: commit.state,
    message: "merge b into main",
    author: "ada",
    time: -1,
  });
});

Deno.test("toWire() gives a change, ours after the reference's fields", () => {
  const added = toWire({
    id: "plan",
    kind: "added",
    old: null,
    new: bare,
    evidenceOnly: false,
  });
  assert.deepEqual(added, {
    id: "plan",
    kind: "added",
    old: null,
    new: bareWire,
    evidence_only: false,
  });
  const evidence = toWire({
    id: "plan",
    kind: "modified",
    old: bare,
    new: bare,
    evidenceOnly: true,
  });
  assert.deepEqual(evidence, {
    id: "plan",
    kind: "modified",
    old: bareWire,
    new: bareWire,
    evidence_only: true,
  });
  const removed = toWire({
    id: "seats",
    kind: "removed",
    old: full,
    new: null,
    evidenceOnly: false,
  });
  assert.ok(typeof removed === "object" && removed !== null);
  assert.deepEqual(Object.entries(removed), [
    ["id", "seats"],
    ["kind", "removed"],
    ["old", fullWire],
    ["new", null],
    ["evidence_only", false],
  ]);
});

Deno.test("toWire() gives a blame with its commit by id", () => {
  assert.deepEqual(toWire({ commit, node: full, timeMs: 0 }), {
    commit: commit.id,
    node: fullWire,
    time: 0,
  });
});

const conflict: Conflict = {
  id: "plan",
  kind: "delete/edit",
  base: full,
  ours: null,
  theirs: bare,
};
const conflictWire = {
  id: "plan",
  kind: "delete/edit",
  base: fullWire,
  ours: null,
  theirs: bareWire,
};

Deno.test("toWire() gives a conflict, null for a side that has no node", () => {
  assert.deepEqual(toWire(conflict), conflictWire);
  assert.deepEqual(toWire({ ...conflict, base: null, ours: full }), {
    ...conflictWire,
    base: null,
    ours: fullWire,
  });
});

Deno.test("toWire() gives a merge, ours after the reference's fields", () => {
  const merged: MergeResult = {
    status: "merged",
    commit: commit.id,
    conflicts: [],
    changes: new Map([
      ["__proto__", "added"],
      ["b", "modified"],
      ["a", "removed"],
    ]),
    reconciled: ["c"],
  };
  const wire = toWire(merged);
  assert.ok(typeof wire === "object" && wire !== null);
  assert.deepEqual(Object.keys(wire), [
    "status",
    "commit",
    "conflicts",
    "changes",
    "reconciled",
  ]);
  assert.equal(
    JSON.stringify(wire),
    `{"status":"merged","commit":"${commit.id}","conflicts":[],` +
      `"changes":{"__proto__":"added","b":"modified","a":"removed"},"reconciled":["c"]}`,
  );
  const stopped: MergeResult = {
    status: "conflicts",
    commit: null,
    conflicts: [conflict],
    changes: new Map(),
    reconciled: [],
  };
  assert.deepEqual(toWire(stopped), {
    status: "conflicts",
    commit: null,
    conflicts: [conflictWire],
    changes: {},
    reconciled: [],
  });
});

Deno.test("toWire() survives JSON", () => {
  for (
    const value of [
      commit,
      bare,
      { commit, node: bare, timeMs: 5 },
      { ...conflict, base: null },
    ]
  ) {
    const wire = toWire(value);
    assert.deepEqual(JSON.parse(JSON.stringify(wire)), wire);
  }
});
