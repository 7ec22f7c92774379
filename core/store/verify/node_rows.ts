/**
 * Checks the rows of nodes, and remembers which nodes there are.
 *
 * @module
 */

import { blake3 } from "../../object/hash.ts";
import { toHex } from "../../object/hex.ts";
import { decodeNode } from "../../object/memory_node.ts";
import type { Key, Row } from "../../storage/driver.ts";
import { lastPartHex, nodeKey } from "../../storage/keys.ts";
import { describeKey, sameBytes } from "../../storage/row.ts";
import type { FaultList } from "./fault_list.ts";
import type { RowReader } from "./row_reader.ts";

/** The stored nodes: node ids by object ids. */
export class StoredNodes {
  readonly #ids = new Map<string, string>();
  // By node id and the digits of the row: what names these is damaged, not missing.
  readonly #broken = new Set<string>();
  #isPartial = false;

  /** Whether a node is stored under this id. */
  has(id: string, object: Uint8Array): boolean {
    return this.#ids.get(toHex(object)) === id;
  }

  /** Whether a row is, or may be, stored for this node, but holds none or another. */
  isBroken(id: string, object: Uint8Array): boolean {
    return this.#isPartial ||
      this.#broken.has(describeKey(nodeKey(id, object)));
  }

  /** Reads all rows of nodes, and of objects that an import brought and nothing names. */
  async readAll(rows: RowReader, faults: FaultList): Promise<void> {
    for await (const row of rows.list("n", ["text", 16])) {
      await this.#check(row, rows, faults);
    }
    for await (const row of rows.list("N", [32, 16])) {
      await this.#check(row, rows, faults);
    }
    this.#isPartial = rows.isPartial("n") || rows.isPartial("N");
    for await (const row of rows.list("u", [16])) {
      const payload = await rows.payload(row, false);
      if (payload !== null) isKeyed(row, payload, faults);
    }
  }

  async #check(row: Row, rows: RowReader, faults: FaultList): Promise<void> {
    const payload = await rows.payload(row, false);
    const name = `Row ${describeKey(row.key)}`;
    const object = payload === null ? null : isKeyed(row, payload, faults);
    const node = payload === null || object === null
      ? null
      : faults.attempt(name, () => decodeNode(payload));
    if (node === null || object === null) {
      this.#broken.add(describeKey(row.key));
      return;
    }
    if (sameKey(nodeKey(node.id, object), row.key)) {
      this.#ids.set(toHex(object), node.id);
      return;
    }
    this.#broken.add(describeKey(row.key));
    faults.add(
      "object_id",
      `${name} holds the node ${JSON.stringify(node.id)}, and must be ${
        describeKey(nodeKey(node.id, object))
      }`,
    );
  }
}

/** The object id of what a row holds, if the key ends as it begins; else null after a fault. */
function isKeyed(
  row: Row,
  payload: Uint8Array,
  faults: FaultList,
): Uint8Array | null {
  const object = blake3(payload);
  const id = toHex(object);
  if (id.startsWith(lastPartHex(row.key))) return object;
  faults.add(
    "object_id",
    `Row ${describeKey(row.key)} holds the object ${id}`,
  );
  return null;
}

function sameKey(a: Key, b: Key): boolean {
  return a.length === b.length && a.every((part, i) => {
    const other = b[i];
    return typeof part === "string" || typeof other === "string"
      ? part === other
      : other !== undefined && sameBytes(part, other);
  });
}
