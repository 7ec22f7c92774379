/**
 * The id of a state as one flat object, made of its nodes by other means than the store's.
 *
 * @module
 */

import { blake3 } from "@noble/hashes/blake3.js";
import { encode } from "cborg";
import type { Snapshot } from "@mnem/core";
import { fromHex, toHex } from "../../core/object/hex.ts";
import { encodeNode } from "../../core/object/memory_node.ts";

/** Returns 64 hex digits. */
export async function flatStateId(
  snapshot: Pick<Snapshot, "nodes">,
): Promise<string> {
  const nodes = new Map<string, Uint8Array>();
  for await (const node of snapshot.nodes()) {
    nodes.set(node.id, fromHex(toHex(encodeNode(node.id, node).id)));
  }
  // cborg puts the keys of a map into the canonical order.
  return toHex(blake3(encode({ kind: "state", nodes })));
}
