/**
 * The flat state object: all entries of a state in one canonical map, whose hash is the id of a
 * small state (FORMAT.md, "State"). Its bytes are kept and patched, neither encoded nor hashed anew.
 *
 * @module
 */

import { CborWriter } from "../object/cbor_writer.ts";
import { PatchedBytes } from "../object/patched_bytes.ts";
import { assertTreeOrder } from "./build_tree.ts";
import { writeStateHead } from "./make_chunk.ts";
import { inMapOrder } from "./map_order.ts";

/** A change of the flat object. */
export interface FlatEdit {
  /** The node id. */
  readonly id: string;
  /** The object id to put there, 32 bytes; null removes, also where there is nothing. */
  readonly object: Uint8Array | null;
}

/** The flat object of one state. It never changes: other heads may rest on it. */
export interface FlatImage {
  /** The object id, 32 bytes: BLAKE3-256 of the bytes. */
  readonly id: Uint8Array;
  /** `{kind: "state", nodes: {node id: object id}}` as canonical CBOR. */
  readonly bytes: Uint8Array;
  /** The same bytes, as they are hashed. */
  readonly tree: PatchedBytes;
  /** Where in the bytes each pair of the nodes map starts; as many as there are entries. */
  readonly starts: Uint32Array;
}

/** An edit at its place among the pairs of the map. */
interface Splice {
  /** How many pairs come before it. */
  readonly place: number;
  /** Whether the pair at that place has its id, and goes. */
  readonly isThere: boolean;
  /** The pair to put there, in CBOR; empty for a removal. */
  readonly pair: Uint8Array;
}

/** Encodes the flat object of entries, which are in bytewise UTF-8 order with unique ids. */
export function flatImage(
  entries: readonly { readonly id: string; readonly object: Uint8Array }[],
): FlatImage {
  assertTreeOrder(entries);
  const starts = new Uint32Array(entries.length);
  const writer = new CborWriter();
  writeStateHead(writer, entries.length);
  let filled = 0;
  for (const { id, object } of inMapOrder(entries, (entry) => entry.id)) {
    starts[filled++] = writer.length;
    writer.text(id);
    writer.bytes(object);
  }
  return imageOf(new PatchedBytes(writer.finish()), starts);
}

/**
 * Returns the flat object after edits, which are in bytewise UTF-8 order of their ids, each id once.
 * The given image stays as it is.
 */
export function spliceFlat(
  image: FlatImage,
  edits: readonly FlatEdit[],
): FlatImage {
  assertTreeOrder(edits);
  const splices: Splice[] = [];
  for (const edit of inMapOrder(edits, (edit) => edit.id)) {
    const splice = placeEdit(image, edit, splices.at(-1)?.place ?? 0);
    if (splice.isThere || edit.object !== null) splices.push(splice);
  }
  if (splices.length === 0) return image;
  const isRevision = splices.every(({ isThere, pair }) =>
    isThere && pair.length > 0
  );
  return isRevision ? revise(image, splices) : assemble(image, splices);
}

function placeEdit(image: FlatImage, edit: FlatEdit, from: number): Splice {
  const writer = new CborWriter();
  writer.text(edit.id);
  const keySize = writer.length;
  if (edit.object !== null) writer.bytes(edit.object);
  const pair = writer.finish();
  const key = pair.subarray(0, keySize);
  let low = from;
  let high = image.starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareKey(image, middle, key) < 0) low = middle + 1;
    else high = middle;
  }
  return {
    place: low,
    isThere: low < image.starts.length && compareKey(image, low, key) === 0,
    pair: edit.object === null ? pair.subarray(0, 0) : pair,
  };
}

/** Compares the key of a pair with another, both in CBOR: the order of a canonical map is that of these bytes. */
function compareKey(image: FlatImage, place: number, key: Uint8Array): number {
  const start = startOf(image, place);
  for (let i = 0; i < key.length; i++) {
    const difference = (image.bytes[start + i] ?? 0) - (key[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Puts other objects under ids that are there: every pair keeps its length and its place. */
function revise(image: FlatImage, splices: readonly Splice[]): FlatImage {
  const patches = splices.map(({ place, pair }) => ({
    place: startOf(image, place),
    bytes: pair,
  }));
  return imageOf(image.tree.patched(patches), image.starts);
}

function imageOf(tree: PatchedBytes, starts: Uint32Array): FlatImage {
  return { id: tree.id, bytes: tree.bytes, tree, starts };
}

function assemble(image: FlatImage, splices: readonly Splice[]): FlatImage {
  let count = image.starts.length;
  let size = image.bytes.length - startOf(image, 0);
  for (const { place, isThere, pair } of splices) {
    if (isThere) size -= startOf(image, place + 1) - startOf(image, place);
    size += pair.length;
    count += (pair.length > 0 ? 1 : 0) - (isThere ? 1 : 0);
  }
  const writer = new CborWriter();
  writeStateHead(writer, count);
  const head = writer.finish();
  const bytes = new Uint8Array(head.length + size);
  const starts = new Uint32Array(count);
  bytes.set(head);
  let end = head.length;
  let filled = 0;
  let from = 0;
  const keepUpTo = (place: number) => {
    if (place === from) return;
    const kept = startOf(image, from);
    const shift = end - kept;
    bytes.set(image.bytes.subarray(kept, startOf(image, place)), end);
    for (; from < place; from++) {
      starts[filled++] = startOf(image, from) + shift;
    }
    end = startOf(image, place) + shift;
  };
  for (const { place, isThere, pair } of splices) {
    keepUpTo(place);
    if (pair.length > 0) {
      starts[filled++] = end;
      bytes.set(pair, end);
      end += pair.length;
    }
    if (isThere) from++;
  }
  keepUpTo(image.starts.length);
  return imageOf(new PatchedBytes(bytes), starts);
}

/** Returns where a pair starts, or, one place after the last, where the bytes end. */
function startOf(image: FlatImage, place: number): number {
  return image.starts[place] ?? image.bytes.length;
}
