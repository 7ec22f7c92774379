/**
 * The plain text search over nodes: a filter, no ranking.
 *
 * @module
 */

import type { Json, MemoryNode } from "@mnem/core";

/**
 * Makes a test for nodes that hold a text, whatever its case, in their id, in a string of their
 * content at any depth, or in a key name.
 */
export function matcherOf(query: string): (node: MemoryNode) => boolean {
  const text = query.toLowerCase();
  const holds = (candidate: string) => candidate.toLowerCase().includes(text);
  return (node) => holds(node.id) || contentHolds(node.content, holds);
}

function contentHolds(
  content: Json,
  holds: (candidate: string) => boolean,
): boolean {
  if (typeof content === "string") return holds(content);
  if (typeof content !== "object" || content === null) return false;
  if (Array.isArray(content)) {
    return content.some((item) => contentHolds(item, holds));
  }
  return Object.entries(content).some(([name, value]) =>
    holds(name) || contentHolds(value, holds)
  );
}
