/**
 * The fields of a stored object, taken by name and type.
 *
 * @module
 */

import { MnemError } from "../errors.ts";
import { CborReader } from "./cbor_reader.ts";
import type { CborValue } from "./cbor_value.ts";
import type { Json } from "./json.ts";
import { quote } from "./quote.ts";

/** The kinds of objects that this version knows. */
export type ObjectKind = "memory_node" | "state" | "state_index" | "commit";

const KINDS: readonly ObjectKind[] = [
  "memory_node",
  "state",
  "state_index",
  "commit",
];

/** Times are 64-bit integers with a sign. */
const TIME_MAX = 2n ** 63n - 1n;

/**
 * The fields of one object. Each method throws an MnemError `corrupt_store` for a field that is
 * missing or of another type; fields that nobody asks for are ignored.
 */
export class ObjectFields {
  readonly #kind: string;
  readonly #fields: ReadonlyMap<string, CborValue>;

  /** Holds the fields of an object of a kind. */
  constructor(kind: string, fields: ReadonlyMap<string, CborValue>) {
    this.#kind = kind;
    this.#fields = fields;
  }

  /** Whether there is a field of this name. */
  has(name: string): boolean {
    return this.#fields.has(name);
  }

  /** Returns a text. */
  text(name: string): string {
    const value = this.#fields.get(name);
    return typeof value === "string" ? value : this.#fail(name, "a text");
  }

  /** Returns a time in Unix milliseconds, rounded to a double beyond 2^53. */
  time(name: string): number {
    const value = this.#fields.get(name);
    if (typeof value === "bigint" && value <= TIME_MAX) return Number(value);
    return Number.isInteger(value)
      ? Number(value)
      : this.#fail(name, "a 64-bit integer");
  }

  /** Returns the 32 bytes of an object id. */
  id(name: string): Uint8Array {
    const value = this.#fields.get(name);
    return isId(value) ? value : this.#fail(name, "an object id");
  }

  /** Returns a list of object ids. */
  ids(name: string): Uint8Array[] {
    const value = this.#fields.get(name);
    return Array.isArray(value) && value.every(isId)
      ? value
      : this.#fail(name, "an array of object ids");
  }

  /** Returns a JSON value, fresh. */
  json(name: string): Json {
    const value = this.#fields.get(name);
    if (value === undefined) return this.#fail(name, "a value");
    // readFields has refused byte strings in the one field that is read so.
    return value as Json;
  }

  /** Returns the fields of a map. */
  map(name: string): ObjectFields {
    const value = this.#fields.get(name);
    const isMap = typeof value === "object" && value !== null &&
      !Array.isArray(value) && !(value instanceof Uint8Array);
    if (!isMap) return this.#fail(name, "a map");
    return new ObjectFields(this.#kind, new Map(Object.entries(value)));
  }

  #fail(name: string, must: string): never {
    throw new MnemError(
      "corrupt_store",
      `Cannot decode ${this.#kind}: field ${quote(name)} must be ${must}`,
    );
  }
}

/**
 * Reads the fields of an object of one kind. Throws an MnemError `corrupt_store` for bytes that are
 * not canonical CBOR of such an object, `format_version` for a kind that this version does not know.
 */
export function readFields(bytes: Uint8Array, kind: ObjectKind): ObjectFields {
  const fields = new Map<string, CborValue>();
  const reader = new CborReader(bytes);
  reader.readMap((name) => {
    const value = name === "content" ? reader.readJson() : reader.readValue();
    fields.set(name, value);
  });
  reader.end();
  const found = checkedKind(fields.get("kind"));
  if (found === kind) return new ObjectFields(kind, fields);
  throw new MnemError(
    "corrupt_store",
    `Cannot decode object: its kind is not "${kind}"`,
  );
}

/** The kind of an object. Throws `format_version` for one that this version does not know. */
export function readKind(bytes: Uint8Array): ObjectKind {
  const reader = new CborReader(bytes);
  let found: CborValue = null;
  reader.readMap((name) => {
    if (name === "kind") found = reader.readValue();
    else reader.skip();
  });
  return checkedKind(found);
}

function checkedKind(found: CborValue | undefined): ObjectKind {
  const kind = KINDS.find((kind) => kind === found);
  if (kind !== undefined) return kind;
  if (typeof found === "string") {
    throw new MnemError(
      "format_version",
      `Cannot decode object: kind ${quote(found)} is of a later version`,
    );
  }
  throw new MnemError("corrupt_store", "Cannot decode object: it has no kind");
}

function isId(value: CborValue | undefined): value is Uint8Array {
  return value instanceof Uint8Array && value.length === 32;
}
