import assert from "node:assert/strict";
import type { Conflict, MemoryNode } from "@mnem/core";
import { conflictLines } from "./merge.ts";
import { makeStyle } from "./style.ts";

const ABSENT = { base: null, ours: null, theirs: null };

function node(content: string): MemoryNode {
  const provenance = { source: `${content} said so` };
  return { id: "plan", content, contentKind: "note", provenance };
}

function linesOf(
  kind: Conflict["kind"],
  sides: Partial<Conflict>,
): string[] {
  const conflict: Conflict = { id: "plan", kind, ...ABSENT, ...sides };
  return conflictLines(conflict, makeStyle(false));
}

Deno.test("conflictLines() shows each side with its evidence, and which is absent", () => {
  const [base, ours, theirs] = [node("b"), node("o"), node("t")];
  const side = (name: string, letter: string) => [
    `  ${name.padEnd(8)}"${letter}"`,
    `          source: ${letter} said so`,
  ];
  assert.deepEqual(linesOf("edit/delete", { base, ours }), [
    "conflict in plan (edit/delete)",
    ...side("base", "b"),
    ...side("ours", "o"),
    "  theirs  (deleted)",
  ]);
  assert.deepEqual(linesOf("delete/edit", { base, theirs }), [
    "conflict in plan (delete/edit)",
    ...side("base", "b"),
    "  ours    (deleted)",
    ...side("theirs", "t"),
  ]);
  assert.deepEqual(linesOf("add/add", { ours, theirs }), [
    "conflict in plan (add/add)",
    "  base    (none)",
    ...side("ours", "o"),
    ...side("theirs", "t"),
  ]);
});
