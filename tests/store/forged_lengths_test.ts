/**
 * A length that a row claims is believed only as far as there are bytes for it: nothing is set aside
 * for what is not there, in any decoder of rows.
 *
 * @module
 */

import assert from "node:assert/strict";
import { isMnemError } from "@mnem/core";
import { CborWriter, MAJOR } from "../../core/object/cbor_writer.ts";
import { decodeNode } from "../../core/object/memory_node.ts";
import { decodeAnyChunk } from "../../core/storage/chunk_record.ts";
import {
  decodeCommitRow,
  decodeMetaBlock,
} from "../../core/storage/commit_row.ts";
import {
  decodePackOwner,
  decodePackPart,
} from "../../core/storage/pack_row.ts";
import { decodeRefRow } from "../../core/storage/ref_row.ts";
import { unframeRow } from "../../core/storage/row.ts";
import { payloadOf } from "../support/forged_rows.ts";
import { richStore } from "../support/rich_store.ts";

const { kv } = await richStore({ wide: 84 });
const short = "ab".repeat(16);
const home = { self: undefined, pack: short };

/** The first row of a kind. */
function payload(head: string, at = 0): Uint8Array {
  const keys = kv.rows().map(({ key }) => key).filter((key) => key[0] === head);
  return payloadOf(kv, keys[at]!);
}

const commitRow = payload("c");
const { meta, records } = decodeCommitRow(commitRow);
const part = payload("p", 1);

/** Each decoder of bytes that come from a disk, with bytes that it reads. */
const DECODERS: {
  readonly [name: string]: readonly [
    decode: (bytes: Uint8Array) => unknown,
    good: Uint8Array,
  ];
} = {
  node: [decodeNode, payload("n")],
  "commit row": [decodeCommitRow, commitRow],
  "meta block": [
    (bytes) => decodeMetaBlock(bytes, kvShort()),
    meta,
  ],
  chunk: [(bytes) => decodeAnyChunk(bytes, home), records[0]!],
  "chunk of a pack": [
    (bytes) => decodeAnyChunk(bytes, home),
    decodePackPart(part)[0]!,
  ],
  "part of a pack": [decodePackPart, part],
  "owner of a pack": [decodePackOwner, payload("p", 0)],
  branch: [decodeRefRow, payload("r")],
};

function kvShort(): string {
  const { key } = kv.rows().find(({ key }) => key[0] === "c")!;
  return [...key[1] as Uint8Array].map((byte) =>
    byte.toString(16).padStart(2, "0")
  ).join("");
}

/** The head of an item that claims so many bytes or items. */
function headOf(major: number, length: number): Uint8Array {
  const writer = new CborWriter();
  writer.head(major, length);
  return writer.finish();
}

const CLAIMS = [2 ** 16, 2 ** 31, 2 ** 32 - 1, 2 ** 40, 2 ** 53 - 1];

Deno.test("no decoder of rows sets memory aside for a length that is only claimed", () => {
  for (const [name, [decode, good]] of Object.entries(DECODERS)) {
    decode(good);
    let claimed = 0;
    let refused = 0;
    for (const length of CLAIMS) {
      for (
        const major of [
          MAJOR.uint,
          MAJOR.bytes,
          MAJOR.text,
          MAJOR.array,
          MAJOR.map,
        ]
      ) {
        const head = headOf(major, length);
        // In the place of any of the first bytes: some begin an item.
        for (let at = 0; at < Math.min(good.length, 48); at++) {
          const bytes = new Uint8Array(at + head.length + 8);
          bytes.set(good.subarray(0, at));
          bytes.set(head, at);
          refused += isRefused(() => decode(bytes)) ? 1 : 0;
          claimed++;
        }
      }
    }
    // What lies within a text or an id is no length.
    assert.ok(claimed > 100 && refused > claimed / 2, `${name}: ${refused}`);
  }
});

function isRefused(decode: () => unknown): boolean {
  try {
    decode();
    return false;
  } catch (error) {
    const isOurs = isMnemError(error, "corrupt_store") ||
      isMnemError(error, "format_version");
    assert.ok(isOurs, String(error));
    return true;
  }
}

Deno.test("a pointer to pieces of more than 1 GiB is refused, and one below it is read piece by piece", () => {
  const pointer = (bytes: number) => {
    const writer = new CborWriter();
    writer.array(2);
    writer.int(bytes);
    writer.bytes(new Uint8Array(16));
    const inside = writer.finish();
    return new Uint8Array([2, ...inside]);
  };
  const key = ["n", "a", new Uint8Array(16)];
  const opened = unframeRow(key, pointer(2 ** 30), false);
  assert.ok("pieces" in opened && opened.pieces.length === 17_896);
  for (const bytes of [2 ** 30 + 1, 2 ** 40, 2 ** 53 - 1]) {
    assert.throws(
      () => unframeRow(key, pointer(bytes), false),
      (error) => isMnemError(error, "corrupt_store"),
    );
  }
});
