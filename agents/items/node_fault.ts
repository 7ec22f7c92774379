/**
 * Why something cannot be a node, known before a commit is made of many of them.
 *
 * @module
 */

import {
  checkContent,
  NODE_ID_BYTES_MAX,
  PROVENANCE_FIELD_BYTES_MAX,
} from "@mnem/core";
import { type Evidence, EVIDENCE_FIELDS } from "../evidence.ts";

const encoder = new TextEncoder();

/**
 * Returns why a store would refuse an id or a content, in words that go on after "it": undefined if it
 * takes both.
 */
export function nodeFault(id: string, content: unknown): string | undefined {
  const wrong = textFault("node id", id, NODE_ID_BYTES_MAX);
  if (wrong !== undefined) return wrong;
  if (id === "") return "its node id would be empty";
  if (id.includes("\0")) return "its node id would hold a NUL";
  try {
    checkContent(content, "it");
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Returns why a store would refuse evidence, likewise. */
export function evidenceFault(evidence: Evidence): string | undefined {
  for (const { name, wire } of EVIDENCE_FIELDS) {
    const wrong = textFault(
      wire,
      evidence[name] ?? "",
      PROVENANCE_FIELD_BYTES_MAX,
    );
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function textFault(
  what: string,
  text: string,
  bytesMax: number,
): string | undefined {
  if (!text.isWellFormed()) return `its ${what} holds half of a surrogate pair`;
  const size = encoder.encode(text).length;
  return size > bytesMax
    ? `its ${what} would have ${size} bytes, the limit is ${bytesMax}`
    : undefined;
}
