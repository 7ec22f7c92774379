/**
 * Merges and reverts as text.
 *
 * @module
 */

import type { Conflict, MemoryNode } from "@mnem/core";
import { bodyLines } from "./node.ts";
import type { Style } from "./style.ts";
import { shown } from "./visible.ts";

const SIDES = ["base", "ours", "theirs"] as const;
const LABEL_UNITS = 8;

/** A conflict: its kind, and what each side holds, with the evidence given there. */
export function conflictLines(conflict: Conflict, style: Style): string[] {
  const { id, kind } = conflict;
  return [
    style.removed(`conflict in ${shown(id)} (${kind})`),
    ...SIDES.flatMap((side) => sideLines(side, conflict[side], style)),
  ];
}

function sideLines(
  side: typeof SIDES[number],
  node: MemoryNode | null,
  style: Style,
): string[] {
  const absent = side === "base" ? "(none)" : "(deleted)";
  const lines = node === null ? [absent] : bodyLines(node, style);
  return lines.map((line, index) =>
    `  ${(index === 0 ? side : "").padEnd(LABEL_UNITS)}${line}`
  );
}
