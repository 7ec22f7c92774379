/**
 * The text of a bundle.
 *
 * @module
 */

import { MnemError } from "../errors.ts";
import { toHex } from "../object/hex.ts";
import { compareUtf8 } from "../object/utf8.ts";
import { FORMAT_VERSION } from "../storage/meta_row.ts";
import type { BundleHead } from "./bundle_reader.ts";
import { NAMED_TAG, readTag } from "./export_tags.ts";
import { isIdAt } from "./id_list.ts";
import { ITEM_HEAD_BYTES, itemAt, itemTag, valueStart } from "./item_bytes.ts";
import { writeObject } from "./object_writer.ts";
import type { Sorter } from "./sorter.ts";
import { writeState } from "./state_writer.ts";
import { TextBytes } from "./text_bytes.ts";

/**
 * Yields a bundle piece by piece. Throws `corrupt_store` for a node that a state names and that was
 * not among the objects.
 */
export function* bundleText(
  head: BundleHead,
  objects: Sorter,
): Generator<Uint8Array> {
  const out = new TextBytes();
  writeHead(out, head);
  out.ascii('\n  "objects": {');
  const last = new Uint8Array(32);
  let isFirst = true;
  let isNamed = false;
  let isWritten = false;
  let count = 0;
  const items = objects.cursor();
  while (items.step()) {
    const { bytes, place } = items;
    const name = place + ITEM_HEAD_BYTES;
    if (isFirst || !isIdAt(bytes, name, last)) {
      isFirst = false;
      if (isNamed && !isWritten) throw missing(last);
      for (let i = 0; i < 32; i++) last[i] = bytes[name + i]!;
      isNamed = isWritten = false;
    }
    const tag = itemTag(bytes, place);
    if (tag === NAMED_TAG) {
      isNamed = true;
      continue;
    }
    const { kind, needsName } = readTag(tag);
    if (isWritten || needsName && !isNamed) continue;
    isWritten = true;
    if (count++ > 0) out.ascii(",");
    out.line(2);
    out.hex(last, 0, 32);
    out.ascii(": ");
    if (kind === "state" || kind === "state_index") {
      const { value } = itemAt(bytes, place);
      for (const _ of writeState(out, value, kind)) yield out.take();
    } else writeObject(out, bytes, valueStart(bytes, place), kind);
    if (out.isFull) yield out.take();
  }
  if (isNamed && !isWritten) throw missing(last);
  if (count > 0) out.line(1);
  out.ascii("}\n}");
  yield out.take();
}

function writeHead(out: TextBytes, { head, refs, defaultBranch }: BundleHead) {
  const encoder = new TextEncoder();
  const quoted = (text: string) => {
    const bytes = encoder.encode(text);
    out.quoted(bytes, 0, bytes.length);
  };
  out.ascii(`{\n  "format_version": ${FORMAT_VERSION},`);
  out.ascii('\n  "hash_algo": "blake3",\n  "default_branch": ');
  quoted(defaultBranch);
  out.ascii(',\n  "head": ');
  quoted("branch" in head ? `ref: ${head.branch}` : head.commit);
  out.ascii(',\n  "refs": {');
  const sorted = [...refs].sort(([a], [b]) => compareUtf8(a, b));
  sorted.forEach(([name, id], i) => {
    if (i > 0) out.ascii(",");
    out.line(2);
    quoted(name);
    out.ascii(`: "${id}"`);
  });
  if (sorted.length > 0) out.line(1);
  out.ascii("},");
}

function missing(object: Uint8Array): MnemError {
  return new MnemError(
    "corrupt_store",
    `Cannot export the store: the node with the object id ${
      toHex(object)
    } is missing`,
  );
}
