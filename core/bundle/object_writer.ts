/**
 * Objects of a bundle as text: the fields in the order of the format, all other names in bytewise
 * order, numbers in their form.
 *
 * @module
 */

import { MnemError } from "../errors.ts";
import { CborReader } from "../object/cbor_reader.ts";
import { FloatNumber } from "../object/cbor_value.ts";
import { MAJOR } from "../object/cbor_writer.ts";
import { formatFloat } from "../object/format_float.ts";
import type { ObjectKind } from "../object/object_fields.ts";
import { orderPairs } from "../object/pair_order.ts";
import { headBytes, headCount, itemEnd } from "./cbor_span.ts";
import { FIELDS, type FieldShape, KINDS, PROVENANCE } from "./object_shapes.ts";
import type { TextBytes } from "./text_bytes.ts";

/** The level of indentation at which objects stand. */
const OBJECT_LEVEL = 2;

const encoder = new TextEncoder();

const SHAPES = new Map(FIELDS.map(({ name, shape }) => [name, shape]));

/** A name that the format knows. */
interface KnownName {
  readonly utf8: Uint8Array;
  readonly shape: FieldShape | undefined;
  /** What stands before its value: a comma, a new line, the name in quotes, a colon. */
  readonly text: Uint8Array;
}

const FIELD_NAMES: ReadonlyMap<ObjectKind, readonly KnownName[]> = new Map(
  KINDS.map(({ kind, fields }) => [
    kind,
    fields.map((name) => known(name, OBJECT_LEVEL, SHAPES.get(name))),
  ]),
);
const PROVENANCE_NAMES = PROVENANCE.map((name) =>
  known(name, OBJECT_LEVEL + 1)
);

/**
 * Writes the node or commit at a place. Throws `format_version` for a field of a later version that JSON cannot
 * hold.
 */
export function writeObject(
  out: TextBytes,
  bytes: Uint8Array,
  at: number,
  kind: ObjectKind,
): void {
  const writer = new ObjectWriter(out, bytes);
  writer.fields(at, FIELD_NAMES.get(kind)!, OBJECT_LEVEL);
}

class ObjectWriter {
  readonly #out: TextBytes;
  readonly #bytes: Uint8Array;

  constructor(out: TextBytes, bytes: Uint8Array) {
    this.#out = out;
    this.#bytes = bytes;
  }

  /** Writes the map at a place: the names that the format knows in its order, then all others. */
  fields(at: number, names: readonly KnownName[], level: number): void {
    const out = this.#out;
    const bytes = this.#bytes;
    const count = headCount(bytes, at);
    // Where each value lies, by the place of its name in the order; others behind them.
    const values = new Array<number>(names.length).fill(0);
    const others: number[] = [];
    let place = at + headBytes(bytes[at]!);
    for (let i = 0; i < count; i++) {
      const name = place + headBytes(bytes[place]!);
      const end = name + headCount(bytes, place);
      const rank = rankOf(names, bytes, name, end);
      if (rank < 0) others.push(name, end);
      else values[rank] = end;
      place = itemEnd(bytes, end);
    }
    out.ascii("{");
    let isFirst = true;
    for (let rank = 0; rank < names.length; rank++) {
      const value = values[rank]!;
      if (value === 0) continue;
      const { text, shape } = names[rank]!;
      out.copy(text, isFirst ? 1 : 0, text.length);
      isFirst = false;
      this.#field(shape, value, level + 1);
    }
    this.#pairs(others, level, isFirst);
    if (count > 0) out.line(level);
    out.ascii("}");
  }

  #field(shape: FieldShape | undefined, at: number, level: number): void {
    switch (shape) {
      case "id":
        return this.#id(at);
      case "ids":
        return void this.#list(at, level, (item) => {
          this.#id(item);
          return itemEnd(this.#bytes, item);
        });
      case "provenance":
        return this.fields(at, PROVENANCE_NAMES, level);
    }
    this.#value(at, level);
  }

  /** Writes the value at a place; returns where it ends. */
  #value(at: number, level: number): number {
    const bytes = this.#bytes;
    const first = bytes[at]!;
    switch (first >>> 5) {
      case MAJOR.text: {
        const start = at + headBytes(first);
        const end = start + headCount(bytes, at);
        this.#out.quoted(bytes, start, end);
        return end;
      }
      case MAJOR.uint:
        if (headBytes(first) > 5) break;
        this.#out.ascii(String(headCount(bytes, at)));
        return at + headBytes(first);
      case MAJOR.array:
        return this.#list(at, level, (item) => this.#value(item, level + 1));
      case MAJOR.map:
        return this.#map(at, level);
    }
    return this.#scalar(at);
  }

  /** Writes a number of any form, or a word. */
  #scalar(at: number): number {
    const reader = new CborReader(this.#bytes, at);
    const value = reader.readValue({ keepFloats: true });
    if (value instanceof Uint8Array) {
      throw new MnemError(
        "format_version",
        "Cannot export an object: it has a field of a later version, which JSON cannot hold",
      );
    }
    if (value instanceof FloatNumber) this.#out.ascii(formatFloat(value.value));
    else if (typeof value === "number" && this.#bytes[at]! >= 0xf9) {
      this.#out.ascii(formatFloat(value));
    } else this.#out.ascii(String(value));
    return reader.offset;
  }

  #map(at: number, level: number): number {
    const bytes = this.#bytes;
    const count = headCount(bytes, at);
    const places: number[] = [];
    let place = at + headBytes(bytes[at]!);
    for (let i = 0; i < count; i++) {
      const name = place + headBytes(bytes[place]!);
      const end = name + headCount(bytes, place);
      places.push(name, end);
      place = itemEnd(bytes, end);
    }
    this.#out.ascii("{");
    this.#pairs(places, level, true);
    if (count > 0) this.#out.line(level);
    this.#out.ascii("}");
    return place;
  }

  /** Writes the pairs whose names lie at some places, in bytewise order. */
  #pairs(places: readonly number[], level: number, isFirst: boolean): void {
    const out = this.#out;
    const order = orderPairs(this.#bytes, places);
    for (let i = 0; i < places.length / 2; i++) {
      const pair = order?.[i] ?? i;
      const end = places[2 * pair + 1]!;
      if (i > 0 || !isFirst) out.ascii(",");
      out.line(level + 1);
      out.quoted(this.#bytes, places[2 * pair]!, end);
      out.ascii(": ");
      this.#value(end, level + 1);
    }
  }

  /** Writes the list at a place, each item by `write`, which returns where it ends. */
  #list(at: number, level: number, write: (item: number) => number): number {
    const out = this.#out;
    const count = headCount(this.#bytes, at);
    let place = at + headBytes(this.#bytes[at]!);
    out.ascii("[");
    for (let i = 0; i < count; i++) {
      if (i > 0) out.ascii(",");
      out.line(level + 1);
      place = write(place);
    }
    if (count > 0) out.line(level);
    out.ascii("]");
    return place;
  }

  #id(at: number): void {
    const start = at + headBytes(this.#bytes[at]!);
    this.#out.hex(this.#bytes, start, start + headCount(this.#bytes, at));
  }
}

/** A name in an object at a level. */
function known(name: string, level: number, shape?: FieldShape): KnownName {
  const line = `,\n${"  ".repeat(level + 1)}`;
  const text = encoder.encode(`${line}"${name}": `);
  return { utf8: encoder.encode(name), shape, text };
}

/** The place among some names of the one that lies between two places; -1 if it is none of them. */
function rankOf(
  names: readonly KnownName[],
  bytes: Uint8Array,
  from: number,
  to: number,
): number {
  for (let rank = 0; rank < names.length; rank++) {
    const { utf8 } = names[rank]!;
    if (to - from !== utf8.length) continue;
    let same = 0;
    while (same < utf8.length && bytes[from + same] === utf8[same]) same++;
    if (same === utf8.length) return rank;
  }
  return -1;
}
