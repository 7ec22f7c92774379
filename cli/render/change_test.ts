import assert from "node:assert/strict";
import type { MemoryNode, NodeChange } from "@mnem/core";
import { changeLines, countLine } from "./change.ts";
import { makeStyle } from "./style.ts";

const PLAIN = makeStyle(false);

function node(fields: Partial<MemoryNode>): MemoryNode {
  return {
    id: "plan",
    content: "pro",
    contentKind: "note",
    provenance: {},
    ...fields,
  };
}

function linesOf(old: MemoryNode | null, now: MemoryNode | null): string[] {
  const kind = old === null ? "added" : now === null ? "removed" : "modified";
  const change: NodeChange = {
    id: "plan",
    kind,
    old,
    new: now,
    evidenceOnly: old?.content === now?.content,
  };
  return changeLines(change, PLAIN);
}

Deno.test("changeLines() tells each field of evidence that came, went or changed", () => {
  const old = node({ provenance: { source: "crm", note: "old" } });
  const now = node({
    contentKind: "claim",
    provenance: { source: "mail", toolCall: "get_plan" },
    eventTimeMs: 0,
  });
  assert.deepEqual(linesOf(old, now), [
    "~ plan  (evidence only)",
    "  - source: crm",
    "  + source: mail",
    "  - note: old",
    "  + kind: claim",
    "  + tool call: get_plan",
    "  + event time: 1970-01-01 00:00:00Z",
  ]);
});

Deno.test("changeLines() tells the fields of a content that differ, and no others", () => {
  const old = node({ content: { tier: "pro", seats: 3, tags: ["a", "b"] } });
  const now = node({ content: { tier: "team", seats: 3, tags: ["b"] } });
  assert.deepEqual(linesOf(old, now), [
    "~ plan",
    '  - /tags/0: "a"',
    '  - /tier: "pro"',
    '  + /tier: "team"',
  ]);
});

Deno.test("changeLines() of a node that came or went shows all that it holds", () => {
  const one = node({ provenance: { source: "crm" } });
  assert.deepEqual(linesOf(null, one), [
    "+ plan",
    '  + "pro"',
    "  + source: crm",
  ]);
  assert.deepEqual(linesOf(one, null), [
    "- plan",
    '  - "pro"',
    "  - source: crm",
  ]);
});

Deno.test("countLine() counts by kind, in one order", () => {
  const kinds = ["removed", "added", "removed"] as const;
  assert.equal(countLine(kinds), "1 added, 2 removed");
  assert.equal(countLine([]), "no changes");
});
