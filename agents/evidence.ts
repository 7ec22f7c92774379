/**
 * Where a belief came from, and what each field of that is called elsewhere: in a node, and in JSON.
 *
 * @module
 */

import type { Provenance } from "@mnem/core";

/** Where a belief came from, and when it happened. Every field is optional. */
export interface Evidence {
  /** The document, ticket, thread or person behind it. */
  readonly source?: string | undefined;
  /** The step of the agent's run; it is stored as `provenance.agentStep`. */
  readonly step?: string | undefined;
  /** The observation that the belief rests on. */
  readonly observation?: string | undefined;
  /** The tool call that brought the observation. */
  readonly toolCall?: string | undefined;
  /** Anything else a reader should know. */
  readonly note?: string | undefined;
  /** When it happened, in Unix milliseconds, if that differs from when it is written. */
  readonly eventTimeMs?: number | undefined;
}

/**
 * The texts of {@linkcode Evidence} under each of their names: here, in the provenance of a node, and in
 * JSON that asks for evidence, such as arguments over MCP; in the order in which they are listed.
 *
 * @example
 * ```ts
 * import { EVIDENCE_FIELDS } from "@mnem/agents";
 *
 * const step = EVIDENCE_FIELDS.find(({ name }) => name === "step");
 * if (step?.stored !== "agentStep") throw new Error("a node calls it agentStep");
 * ```
 */
export const EVIDENCE_FIELDS = [
  { name: "source", stored: "source", wire: "source" },
  { name: "step", stored: "agentStep", wire: "step" },
  { name: "observation", stored: "observation", wire: "observation" },
  { name: "toolCall", stored: "toolCall", wire: "tool_call" },
  { name: "note", stored: "note", wire: "note" },
] as const;

/** A text of {@linkcode Evidence}, under each of its names. */
export type EvidenceField = (typeof EVIDENCE_FIELDS)[number];

/** Returns evidence as a node holds it, without the event time. */
export function provenanceOf(evidence: Evidence): Provenance {
  const provenance: { -readonly [K in keyof Provenance]: Provenance[K] } = {};
  for (const { name, stored } of EVIDENCE_FIELDS) {
    const value = evidence[name];
    if (value !== undefined) provenance[stored] = value;
  }
  return provenance;
}
