/**
 * The text of a bundle.
 *
 * @module
 */

import { MnemError } from "../errors.ts";
import { toHex } from "../object/hex.ts";
import { quote } from "../object/quote.ts";
import { compareUtf8, decodeUtf8 } from "../object/utf8.ts";
import { FORMAT_VERSION } from "../storage/meta_row.ts";
import type { BundleHead } from "./bundle_reader.ts";
import { NAMED_TAG, readTag } from "./export_tags.ts";
import { compareIds } from "./id_list.ts";
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
  let last: Uint8Array | undefined;
  let name: Uint8Array | undefined;
  let isWritten = false;
  let count = 0;
  for (const item of objects.sorted()) {
    if (last === undefined || compareIds(last, item.name) !== 0) {
      if (name !== undefined && !isWritten) throw missing(last!, name);
      last = item.name.slice();
      name = undefined;
      isWritten = false;
    }
    if (item.tag === NAMED_TAG) {
      name ??= item.value.slice();
      continue;
    }
    const { kind, needsName } = readTag(item.tag);
    if (isWritten || needsName && name === undefined) continue;
    isWritten = true;
    if (count++ > 0) out.ascii(",");
    out.line(2);
    out.hex(item.name, 0, item.name.length);
    out.ascii(": ");
    if (kind === "state" || kind === "state_index") {
      for (const _ of writeState(out, item.value, kind)) yield out.take();
    } else writeObject(out, item.value, kind);
    if (out.isFull) yield out.take();
  }
  if (name !== undefined && !isWritten) throw missing(last!, name);
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

function missing(object: Uint8Array, name: Uint8Array): MnemError {
  return new MnemError(
    "corrupt_store",
    `Cannot export the store: node ${quote(decodeUtf8(name))} is missing (${
      toHex(object)
    })`,
  );
}
