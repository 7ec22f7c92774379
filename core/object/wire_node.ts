/**
 * The shape that a node has in JSON: what the reference's `to_dict` gives.
 *
 * @module
 */

import type { Json } from "./json.ts";
import { type MemoryNode, PROVENANCE_FIELDS } from "./memory_node.ts";

/** A node in snake_case, with null for every field that is not set. Keeps bigint. */
export function wireNode(node: MemoryNode): { readonly [field: string]: Json } {
  const provenance = PROVENANCE_FIELDS.map(([name, field]) =>
    [field, node.provenance[name] ?? null] as const
  );
  return {
    id: node.id,
    content: node.content,
    content_kind: node.contentKind,
    provenance: Object.fromEntries(provenance),
    event_time: node.eventTimeMs ?? null,
  };
}
