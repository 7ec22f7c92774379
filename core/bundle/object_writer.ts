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
import { compareUtf8, utf8Length } from "../object/utf8.ts";
import { FIELDS, KINDS, PROVENANCE } from "./object_shapes.ts";
import type { TextBytes } from "./text_bytes.ts";

/** The level of indentation at which objects stand. */
const OBJECT_LEVEL = 2;

/** Writes the value of a field. */
type WriteField = (name: string, level: number) => void;

/**
 * Writes one node or commit. Throws `format_version` for a field of a later version that JSON cannot
 * hold.
 */
export function writeObject(
  out: TextBytes,
  bytes: Uint8Array,
  kind: ObjectKind,
): void {
  const writer = new JsonText(out, bytes);
  writer.fields(
    KINDS.get(kind)!.fields,
    OBJECT_LEVEL,
    (name, level) => writer.field(name, level),
  );
}

/** Writes JSON of canonical CBOR. */
export class JsonText {
  readonly #out: TextBytes;
  readonly #bytes: Uint8Array;
  readonly #reader: CborReader;

  /** Reads from the first of some bytes. */
  constructor(out: TextBytes, bytes: Uint8Array) {
    this.#out = out;
    this.#bytes = bytes;
    this.#reader = new CborReader(bytes);
  }

  /** Writes a map whose first keys are some fields, in their order. */
  fields(known: readonly string[], level: number, write: WriteField): void {
    const names: string[] = [];
    this.#members(level, () => {
      const name = this.#name();
      names.push(name);
      write(name, level + 1);
    }, () => orderFields(known, names));
  }

  /** Writes the value of a field of an object. */
  field(name: string, level: number): void {
    switch (FIELDS.get(name)) {
      case "id":
        return this.#id();
      case "ids":
        return this.#list(level, () => this.#id());
      case "provenance":
        return this.fields(PROVENANCE, level, (_, inner) => this.value(inner));
      default:
        this.value(level);
    }
  }

  /** Writes any value. */
  value(level: number): void {
    const reader = this.#reader;
    switch (reader.nextMajor) {
      case MAJOR.text: {
        const start = reader.passText();
        return this.#out.quoted(this.#bytes, start, reader.offset);
      }
      case MAJOR.uint:
      case MAJOR.negative:
        return this.#out.ascii(String(reader.readInt()));
      case MAJOR.array:
        return this.#list(level, () => this.value(level + 1));
      case MAJOR.map:
        return this.#map(level);
      case MAJOR.bytes:
        throw new MnemError(
          "format_version",
          "Cannot export an object: it has a field of a later version, which JSON cannot hold",
        );
    }
    const value = reader.readValue({ keepFloats: true });
    const isFloat = typeof value === "number" || value instanceof FloatNumber;
    this.#out.ascii(
      isFloat
        ? formatFloat(typeof value === "number" ? value : value.value)
        : String(value),
    );
  }

  #map(level: number): void {
    const places: number[] = [];
    this.#members(level, () => {
      const name = this.#reader.passText();
      places.push(name, this.#reader.offset);
      this.#out.quoted(this.#bytes, name, this.#reader.offset);
      this.#out.ascii(": ");
      this.value(level + 1);
    }, () => orderPairs(this.#bytes, places));
  }

  /** Writes the members of a map, then puts them in the order that is asked for afterwards. */
  #members(
    level: number,
    write: () => void,
    order: () => readonly number[] | undefined,
  ): void {
    const out = this.#out;
    const count = this.#reader.readMapHead();
    const start = this.#open("{");
    const spans: number[] = [];
    for (let i = 0; i < count; i++) {
      if (i > 0) out.ascii(",");
      spans.push(out.length);
      out.line(level + 1);
      write();
      spans.push(out.length);
    }
    const wanted = order();
    if (wanted !== undefined) out.arrange(start, spans, wanted);
    this.#close("}", count, level);
  }

  #list(level: number, write: () => void): void {
    const count = this.#reader.readArrayHead();
    this.#open("[");
    for (let i = 0; i < count; i++) {
      if (i > 0) this.#out.ascii(",");
      this.#out.line(level + 1);
      write();
    }
    this.#close("]", count, level);
  }

  #name(): string {
    const name = this.#reader.readText();
    const end = this.#reader.offset;
    this.#out.quoted(this.#bytes, end - utf8Length(name), end);
    this.#out.ascii(": ");
    return name;
  }

  #id(): void {
    const id = this.#reader.readBytes();
    this.#out.hex(id, 0, id.length);
  }

  #open(brace: string): number {
    this.#out.ascii(brace);
    return this.#out.length;
  }

  #close(brace: string, count: number, level: number): void {
    if (count > 0) this.#out.line(level);
    this.#out.ascii(brace);
  }
}

/** In which order fields must stand, by number: those that are known first; undefined if they stand so. */
function orderFields(
  known: readonly string[],
  names: readonly string[],
): number[] | undefined {
  const rank = (name: string) => {
    const place = known.indexOf(name);
    return place < 0 ? known.length : place;
  };
  const order = names.map((_, i) => i).sort((a, b) =>
    rank(names[a]!) - rank(names[b]!) || compareUtf8(names[a]!, names[b]!)
  );
  return order.every((part, i) => part === i) ? undefined : order;
}
