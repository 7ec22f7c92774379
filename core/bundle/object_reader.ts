/**
 * One object of a bundle, from its JSON to the canonical bytes that its id is made of.
 *
 * @module
 */

import { MnemError } from "../errors.ts";
import { CborWriter } from "../object/cbor_writer.ts";
import { toHex } from "../object/hex.ts";
import type { ObjectKind } from "../object/object_fields.ts";
import { quote } from "../object/quote.ts";
import { copyJson, copyMembers, copyName } from "./copy_json.ts";
import { outOfBytes } from "./byte_window.ts";
import type { JsonBytes } from "./json_bytes.ts";
import {
  FIELDS,
  type FieldShape,
  KINDS,
  type KindShape,
  PROVENANCE,
} from "./object_shapes.ts";

const NAMES = FIELDS.map(({ utf8 }) => utf8);

/** A kind, and its fields as bits by their places among all fields. */
interface KindBits extends KindShape {
  readonly all: number;
  readonly required: number;
}

const KIND_BITS: ReadonlyMap<string, KindBits> = new Map(
  KINDS.map((shape) => {
    const required = shape.fields.filter((name) =>
      !shape.optional.includes(name)
    );
    return [shape.kind, {
      ...shape,
      all: bitsOf(shape.fields),
      required: bitsOf(required),
    }];
  }),
);

/** Reads objects one after the other. */
export class ObjectReader {
  readonly #json: JsonBytes;
  #out = new CborWriter();
  // Where the fields, and the entries of `nodes`, begin; the names of both, and their values.
  #fields: number[] = [];
  #nodes: number[] | undefined;
  #nodesStart = 0;
  #isBegun = false;
  // The fields met, as bits; and whether there were others.
  #seen = 0;
  #hasOthers = false;
  #kind: string | undefined;
  #id: Uint8Array = new Uint8Array(32);
  #written = 0;

  /** Reads at a cursor. */
  constructor(json: JsonBytes) {
    this.#json = json;
  }

  /**
   * Reads on, entry by entry, as far as the bytes at hand go; true at the end of the object. Else fetch
   * more and call it again: of the text of a large state only a part need be at hand.
   */
  advance(): boolean {
    this.#keep();
    try {
      while (!this.#part()) this.#keep();
      return true;
    } catch (error) {
      if (error !== outOfBytes) throw error;
      this.#json.rewind();
      this.#out.rewind(this.#written);
      return false;
    }
  }

  /** Begins an object; its id, for messages. */
  begin(id: Uint8Array): void {
    this.#id = id;
    this.#out = new CborWriter();
    this.#isBegun = false;
    this.#fields = [];
    this.#seen = 0;
    this.#hasOthers = false;
    this.#kind = undefined;
  }

  /** Passes on the object that was read, as bytes that are overwritten later. */
  finish<T>(take: (kind: ObjectKind, bytes: Uint8Array) => T): T {
    const kind = this.#checkedKind();
    if (this.#out.closeMap(0, this.#fields) < this.#fields.length / 2) {
      throw this.#corrupt("a field is given twice");
    }
    return this.#out.finishWith((bytes) => take(kind, bytes));
  }

  /** What was read so far is not read again. */
  #keep(): void {
    this.#json.mark();
    this.#written = this.#out.length;
  }

  /** Reads one field, or one entry of `nodes`; true at the end of the object. */
  #part(): boolean {
    if (this.#nodes !== undefined) return this.#entry(this.#nodes);
    const json = this.#json;
    if (!this.#isBegun) {
      json.expect(0x7b);
      this.#isBegun = true;
      return false;
    }
    if (json.take(0x7d)) return true;
    if (this.#fields.length > 0) json.expect(0x2c);
    this.#field();
    return false;
  }

  #field(): void {
    const json = this.#json;
    const out = this.#out;
    const start = out.length;
    if (json.peek() !== 0x22) json.fail('a name in double quotes or "}"');
    const place = json.takeOneOf(NAMES);
    const known = FIELDS[place];
    if (known === undefined) json.copyText(out);
    else out.utf8(known.utf8, 0, known.utf8.length);
    json.expect(0x3a);
    const value = out.length;
    if (known?.shape === "nodes") {
      json.expect(0x7b);
      this.#nodes = [];
      this.#nodesStart = value;
    } else this.#value(known?.shape);
    if (known === undefined) this.#hasOthers = true;
    else this.#seen |= 1 << place;
    this.#fields.push(start, value);
  }

  /** Reads one entry of `nodes`, or its end. */
  #entry(places: number[]): false {
    const json = this.#json;
    const out = this.#out;
    if (json.take(0x7d)) {
      const count = out.closeMap(this.#nodesStart, places);
      if (count < places.length / 2) {
        throw this.#corrupt("a node is given twice");
      }
      this.#nodes = undefined;
      return false;
    }
    if (places.length > 0) json.expect(0x2c);
    const start = out.length;
    copyName(json, out);
    const value = out.length;
    json.copyId(out);
    places.push(start, value);
    return false;
  }

  #value(shape: FieldShape | undefined): void {
    const json = this.#json;
    const out = this.#out;
    switch (shape) {
      case "kind":
        this.#kind = json.text();
        return out.text(this.#kind);
      case "text":
        return json.copyText(out);
      case "content kind":
        return this.#contentKind();
      case "provenance":
        return this.#provenance();
      case "time":
      case "count":
        return json.copyInteger(out);
      case "id":
        return json.copyId(out);
      case "ids":
        return this.#ids();
      default:
        copyJson(json, out);
    }
  }

  #contentKind(): void {
    const kind = this.#json.text();
    if (kind !== "note" && kind !== "claim") {
      throw this.#corrupt(
        `its content_kind is ${quote(kind)}, must be "note" or "claim"`,
      );
    }
    this.#out.text(kind);
  }

  #provenance(): void {
    const json = this.#json;
    json.expect(0x7b);
    copyMembers(json, this.#out, (name) => {
      if (PROVENANCE.includes(name)) json.copyText(this.#out);
      else copyJson(json, this.#out);
    });
  }

  #ids(): void {
    const json = this.#json;
    const out = this.#out;
    const start = out.length;
    let count = 0;
    json.expect(0x5b);
    if (!json.take(0x5d)) {
      do {
        json.copyId(out);
        count++;
      } while (json.take(0x2c));
      if (!json.take(0x5d)) json.fail('"," or "]"');
    }
    out.closeArray(start, count);
  }

  #checkedKind(): ObjectKind {
    const kind = this.#kind;
    if (kind === undefined) throw this.#corrupt("it has no kind");
    const shape = KIND_BITS.get(kind);
    if (shape === undefined) {
      throw new MnemError(
        "format_version",
        `Cannot read bundle: object ${toHex(this.#id)} has the kind ${
          quote(kind)
        }, which is of a later version`,
      );
    }
    const missing = shape.required & ~this.#seen;
    if (missing !== 0) {
      const { name } = FIELDS[31 - Math.clz32(missing)]!;
      throw this.#corrupt(`it is a ${kind} without ${quote(name)}`);
    }
    // The id of a state is worked out from its nodes: there is no room for more.
    const isState = shape.kind === "state" || shape.kind === "state_index";
    if (isState && (this.#hasOthers || (this.#seen & ~shape.all) !== 0)) {
      throw this.#corrupt(`it has more fields than a ${kind}`);
    }
    return shape.kind;
  }

  #corrupt(what: string): MnemError {
    return corruptObject(toHex(this.#id), what);
  }
}

function bitsOf(names: readonly string[]): number {
  return FIELDS.reduce(
    (bits, { name }, place) => names.includes(name) ? bits | 1 << place : bits,
    0,
  );
}

/** The error of one object of a bundle. */
export function corruptObject(id: string, what: string): MnemError {
  return new MnemError(
    "corrupt_store",
    `Cannot read bundle: object ${id}: ${what}`,
  );
}
