/**
 * States of a bundle as text. A state may be larger than what should be held at once.
 *
 * @module
 */

import type { ObjectKind } from "../object/object_fields.ts";
import { orderPairs } from "../object/pair_order.ts";
import { flatPlaces, indexHead } from "./flat_difference.ts";
import type { TextBytes } from "./text_bytes.ts";

/** Writes a state or an index of chunks; yields where there is enough text to be passed on. */
export function* writeState(
  out: TextBytes,
  bytes: Uint8Array,
  kind: ObjectKind,
): Generator<void> {
  const places = flatPlaces(bytes, kind);
  const count = places.length / 2;
  const order = orderPairs(bytes, places);
  out.ascii(`{\n      "kind": "${kind}",`);
  if (kind === "state_index") {
    const { level, count } = indexHead(bytes);
    out.ascii(`\n      "level": ${level},\n      "count": ${count},`);
  }
  out.ascii('\n      "nodes": {');
  for (let i = 0; i < count; i++) {
    const pair = order?.[i] ?? i;
    if (i > 0) out.ascii(",");
    out.line(4);
    const end = places[2 * pair + 1]!;
    out.quoted(bytes, places[2 * pair]!, end);
    out.ascii(": ");
    out.hex(bytes, end + 2, end + 34);
    if (out.isFull) yield;
  }
  out.ascii(count > 0 ? "\n      }\n    }" : "}\n    }");
}
