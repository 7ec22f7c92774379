/**
 * A fact as an edit of a node, or why it cannot be one: a commit is made of all of them, so that one
 * which cannot be stored must be known before.
 *
 * @module
 */

import { nodeFault } from "@mnem/agents/items";
import {
  type Json,
  type Provenance,
  PROVENANCE_FIELD_BYTES_MAX,
} from "@mnem/core";
import { type Fact, type Finding, linesText, skipped } from "./fact.ts";

/** A node to be written. */
export interface FactEdit {
  /** Tells it from a finding. */
  readonly kind: "edit";
  /** The node id. */
  readonly id: string;
  /** The content. */
  readonly content: Json;
  /** Where it comes from. */
  readonly provenance: Provenance;
  /** When it happened. */
  readonly eventTimeMs?: number | undefined;
}

/** What a source says of all its facts. */
export interface FactOrigin {
  /** The file, as evidence names it. */
  readonly source: string;
  /** What tells that an import wrote the node. */
  readonly mark: string;
  /** What the node id begins with. */
  readonly prefix: string;
}

const encoder = new TextEncoder();

/**
 * Returns the edit of a fact. A text of evidence that is longer than a store takes is left out: the
 * source and the lines say where it stands.
 */
export function editOf(
  fact: Fact,
  { source, mark, prefix }: FactOrigin,
): FactEdit | Finding {
  const id = prefix + fact.id;
  const wrong = nodeFault(id, fact.content);
  if (wrong !== undefined) return skipped(fact.first, wrong);
  return {
    kind: "edit",
    id,
    content: fact.content,
    provenance: {
      source,
      agentStep: linesText(fact),
      toolCall: mark,
      ...textOf("observation", fact.observation),
      ...textOf("note", fact.note),
    },
    eventTimeMs: fact.eventTimeMs,
  };
}

function textOf(
  name: "observation" | "note",
  text: string | undefined,
): Provenance {
  const fits = text !== undefined && text !== "" && text.isWellFormed() &&
    encoder.encode(text).length <= PROVENANCE_FIELD_BYTES_MAX;
  return fits ? { [name]: text } : {};
}
