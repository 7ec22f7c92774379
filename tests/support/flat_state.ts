/**
 * The id of a state as one flat object and as a tree, made of its nodes by other means than the store's.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { blake3 } from "@noble/hashes/blake3.js";
import { encode } from "cborg";
import type { Snapshot } from "@mnem/core";
import { fromHex, toHex } from "../../core/object/hex.ts";
import { encodeNode } from "../../core/object/memory_node.ts";

type Nodes = readonly (readonly [key: string, object: Uint8Array])[];

/** Returns 64 hex digits. */
export async function flatStateId(
  snapshot: Pick<Snapshot, "nodes">,
): Promise<string> {
  return idOf({ kind: "state" }, await nodesOf(snapshot));
}

/** Returns 64 hex digits, by FORMAT.md, 2.2. */
export async function treeStateId(
  snapshot: Pick<Snapshot, "nodes">,
): Promise<string> {
  let row = (await nodesOf(snapshot)).toSorted(([a], [b]) =>
    Buffer.compare(Buffer.from(a), Buffer.from(b))
  );
  const below = new Map(row.map(([key]) => [key, 1]));
  for (let level = 0;; level++) {
    const chunks: Nodes[] = [];
    for (const entry of row) {
      const last = chunks.pop();
      if (last === undefined) chunks.push([entry]);
      else if (levelOf(entry[0]) > level) chunks.push(last, [entry]);
      else chunks.push([...last, entry]);
    }
    row = chunks.map((chunk) => {
      const count = chunk.reduce(
        (sum, [key]) => sum + (below.get(key) ?? 0),
        0,
      );
      const key = chunk[0]?.[0] ?? "";
      below.set(key, count);
      const fields = level === 0
        ? { kind: "state" }
        : { kind: "state_index", level, count };
      return [key, fromHex(idOf(fields, chunk))] as const;
    });
    const [root] = row;
    if (root !== undefined && row.length === 1) return toHex(root[1]);
  }
}

async function nodesOf(snapshot: Pick<Snapshot, "nodes">): Promise<Nodes> {
  const nodes: [string, Uint8Array][] = [];
  for await (const node of snapshot.nodes()) {
    nodes.push([node.id, fromHex(toHex(encodeNode(node.id, node).id))]);
  }
  return nodes;
}

function idOf(fields: Readonly<Record<string, unknown>>, nodes: Nodes): string {
  // cborg puts the keys of a map into the canonical order.
  return toHex(blake3(encode({ ...fields, nodes: new Map(nodes) })));
}

/** Of leading zero bits, five make a level. */
function levelOf(key: string): number {
  const head = new DataView(blake3(Buffer.from(key)).buffer).getBigUint64(0);
  return Math.floor((64 - head.toString(2).length) / 5);
}
