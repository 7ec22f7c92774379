/**
 * Nodes as text: their content and the evidence behind it.
 *
 * @module
 */

import { EVIDENCE_FIELDS } from "@mnem/agents";
import type { MemoryNode } from "@mnem/core";
import type { Style } from "./style.ts";
import { shownTime } from "./time.ts";
import { shown, shownJson } from "./visible.ts";

/** The evidence of a node as pairs of a label and what it says, unset fields left out. */
export function evidenceFields(
  node: MemoryNode,
): (readonly [label: string, text: string])[] {
  const { provenance, eventTimeMs } = node;
  const fields = [
    ["kind", node.contentKind === "note" ? undefined : node.contentKind],
    ...EVIDENCE_FIELDS.map(({ wire, stored }) =>
      [wire.replace("_", " "), provenance[stored]] as const
    ),
    [
      "event time",
      eventTimeMs === undefined ? undefined : shownTime(eventTimeMs),
    ],
  ] as const;
  return fields.flatMap(([label, text]) =>
    text === undefined ? [] : [[label, shown(text)] as const]
  );
}

/** What a node holds: a line of JSON, and a line for each field of evidence. */
export function bodyLines(node: MemoryNode, style: Style): string[] {
  return [
    shownJson(node.content),
    ...evidenceFields(node).map(([label, text]) =>
      `${style.faint(`${label}:`)} ${text}`
    ),
  ];
}

/** A node: its id, and what it holds below it. */
export function nodeLines(node: MemoryNode, style: Style): string[] {
  return [
    style.strong(shown(node.id)),
    ...bodyLines(node, style).map((line) => `  ${line}`),
  ];
}
