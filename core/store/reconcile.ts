/**
 * Decides between two values that say the same and differ in their evidence only.
 *
 * @module
 */

import { sameContent } from "../object/content.ts";
import { decodeNode, type MemoryNode } from "../object/memory_node.ts";
import type { Entry } from "../state/chunk.ts";
import type { NodeName } from "../storage/store_reader.ts";

/** Reads the bytes of nodes. */
export interface NodeReader {
  /** In the order of the names. */
  nodes(names: readonly NodeName[]): Promise<readonly Uint8Array[]>;
}

/** Picks one of two entries of the same content: neither side counts for more. */
export class Reconciler {
  readonly #nodes: NodeReader;

  /** Reads the nodes that it compares. */
  constructor(nodes: NodeReader) {
    this.#nodes = nodes;
  }

  /** The entry with the later blame time, then the greater object id; null if the contents differ. */
  async pick(a: Entry, b: Entry): Promise<Entry | null> {
    const [first, second] = await this.#nodes.nodes([a, b]);
    const [x, y] = [decodeNode(first!), decodeNode(second!)];
    if (x.contentKind !== y.contentKind || !sameContent(x.content, y.content)) {
      return null;
    }
    const later = blameTime(x, a) - blameTime(y, b);
    if (later !== 0) return later > 0 ? a : b;
    return compareObjects(a, b) > 0 ? a : b;
  }
}

function blameTime(node: MemoryNode, entry: Entry): number {
  return node.eventTimeMs ?? entry.changed.timeMs;
}

function compareObjects(a: Entry, b: Entry): number {
  for (let i = 0; i < 32; i++) {
    const difference = a.object[i]! - b.object[i]!;
    if (difference !== 0) return difference;
  }
  return 0;
}
