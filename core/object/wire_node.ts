/**
 * The shape that a node has in JSON: what the reference's `to_dict` gives.
 *
 * @module
 */

import type { Json } from "./json.ts";
import type { MemoryNode } from "./memory_node.ts";

/** A node in snake_case, with null for every field that is not set. Keeps bigint. */
export function wireNode(node: MemoryNode): { readonly [field: string]: Json } {
  const { agentStep, observation, toolCall, source, note } = node.provenance;
  return {
    id: node.id,
    content: node.content,
    content_kind: node.contentKind,
    provenance: {
      agent_step: agentStep ?? null,
      observation: observation ?? null,
      tool_call: toolCall ?? null,
      source: source ?? null,
      note: note ?? null,
    },
    event_time: node.eventTimeMs ?? null,
  };
}
