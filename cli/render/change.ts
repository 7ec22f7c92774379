/**
 * Changes as text: which nodes differ, and in which fields.
 *
 * @module
 */

import { type ChangeKind, diffContent, type NodeChange } from "@mnem/core";
import { bodyLines, evidenceFields } from "./node.ts";
import type { Style } from "./style.ts";
import { shown, shownJson, visible } from "./visible.ts";

const MARKS: { readonly [kind in ChangeKind]: string } = {
  added: "+",
  modified: "~",
  removed: "-",
};

/** One line for a node that changed: `+ id`, `~ id` or `- id`. */
export function changeLine(id: string, kind: ChangeKind, style: Style): string {
  return style[kind](`${MARKS[kind]} ${shown(id)}`);
}

/** The same, and whether it is only the evidence that changed. */
export function statLine(change: NodeChange, style: Style): string {
  const line = changeLine(change.id, change.kind, style);
  return change.evidenceOnly ? `${line}  (evidence only)` : line;
}

/** How many nodes changed, by kind. */
export function countLine(kinds: Iterable<ChangeKind>): string {
  const counts = new Map<ChangeKind, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const order = ["added", "modified", "removed"] as const;
  const parts = order.flatMap((kind) => {
    const count = counts.get(kind);
    return count === undefined ? [] : [`${count} ${kind}`];
  });
  return parts.length === 0 ? "no changes" : parts.join(", ");
}

/** A node that changed, with what it holds or, where both sides do, the fields that differ. */
export function changeLines(change: NodeChange, style: Style): string[] {
  const { old, new: now } = change;
  const head = statLine(change, style);
  if (old !== null && now !== null) return [head, ...fieldLines(change, style)];
  const node = now ?? old;
  const body = node === null ? [] : bodyLines(node, style);
  const kind = now === null ? "removed" : "added";
  return [head, ...body.map((line) => `  ${style[kind](MARKS[kind])} ${line}`)];
}

function fieldLines(change: NodeChange, style: Style): string[] {
  const { old, new: now } = change;
  if (old === null || now === null) return [];
  const lines: string[] = [];
  const say = (label: string, was?: string, is?: string) => {
    const name = label === "" ? "" : `${label}: `;
    if (was !== undefined) lines.push(style.removed(`  - ${name}${was}`));
    if (is !== undefined) lines.push(style.added(`  + ${name}${is}`));
  };
  for (const field of diffContent(old.content, now.content)) {
    say(
      visible(field.path),
      field.old === undefined ? undefined : shownJson(field.old),
      field.new === undefined ? undefined : shownJson(field.new),
    );
  }
  const before = new Map(evidenceFields(old));
  const after = new Map(evidenceFields(now));
  for (const label of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(label), after.get(label)];
    if (was !== is) say(label, was, is);
  }
  return lines;
}
