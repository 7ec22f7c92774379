/**
 * What of a value is stored: LangGraph asks for JSON, and programs give more than that.
 *
 * @module
 */

import type { Json } from "@mnem/core";
import { kindOf } from "./kind_of.ts";

/** Deeper than content may be, so that the store says what the limit is. */
const DEPTH_MAX = 200;

/**
 * Returns a copy of a value as JSON: a Date as ISO text, an object with `toJSON` as what that gives,
 * a property that is undefined left out, -0 as 0. Whatever else is not JSON comes back as it is, for
 * the store to refuse it by its path: nothing is lost in silence.
 *
 * @throws {TypeError} For a bigint, an invalid Date and an object that contains itself, with the path.
 */
export function storedValue(value: unknown, where: string): unknown {
  return new Conversion(where).value(value, "");
}

/**
 * Returns what of the value of an item is stored, as {@linkcode storedValue} does.
 *
 * @throws {TypeError} Also for anything but a plain object.
 */
export function storedObject(
  value: unknown,
  where: string,
): { readonly [name: string]: unknown } {
  const stored = storedValue(value, where);
  if (isPlain(stored)) return stored;
  throw new TypeError(
    `Cannot encode ${where}: it is ${
      kindOf(stored)
    }, must be a plain object, or null to delete the item`,
  );
}

/** The content of a node as the value of an item; content that is no object stands in a field of one. */
export function valueOf(content: Json): { [name: string]: Json } {
  return typeof content === "object" && content !== null &&
      !isList(content)
    ? { ...content }
    : { content };
}

/** Tells whether a value is an object that a literal or JSON.parse makes. */
export function isPlain(
  value: unknown,
): value is { readonly [name: string]: unknown } {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

class Conversion {
  readonly #where: string;
  readonly #path: string[] = [];
  readonly #open = new Set<object>();
  // One object can stand in more places than could ever be gone through.
  readonly #done = new Map<object, unknown>();

  constructor(where: string) {
    this.#where = where;
  }

  value(value: unknown, name: string): unknown {
    if (typeof value === "bigint") this.#refuse("a bigint, must be a number");
    if (typeof value !== "object" || value === null) {
      return Object.is(value, -0) ? 0 : value;
    }
    if (this.#path.length > DEPTH_MAX) return value;
    if (this.#open.has(value)) {
      this.#refuse("an object that contains itself, must end");
    }
    const done = this.#done.get(value);
    if (done !== undefined) return done;
    this.#open.add(value);
    const converted = this.#object(value, name);
    this.#open.delete(value);
    return converted;
  }

  #object(value: object, name: string): unknown {
    if (value instanceof Date && Number.isNaN(value.getTime())) {
      this.#refuse("an invalid Date, must be a valid one");
    }
    const toJson: unknown = Reflect.get(value, "toJSON");
    if (typeof toJson !== "function") {
      const parts = this.#parts(value);
      this.#done.set(value, parts);
      return parts;
    }
    const json: unknown = Reflect.apply(toJson, value, [name]);
    // As JSON.stringify: what toJSON gave is not asked again.
    return typeof json === "object" && json !== null
      ? this.#parts(json)
      : this.value(json, name);
  }

  #parts(value: object): unknown {
    if (Array.isArray(value)) return this.#items(value);
    if (!isPlain(value)) return value;
    const properties: [string, unknown][] = [];
    for (const name of Reflect.ownKeys(value)) {
      if (typeof name === "symbol" || !isData(value, name)) return value;
      const part = this.#part(value[name], name);
      if (part !== undefined) properties.push([name, part]);
    }
    return Object.fromEntries(properties);
  }

  #items(list: readonly unknown[]): unknown {
    const isUsual = Object.getPrototypeOf(list) === Array.prototype &&
      Reflect.ownKeys(list).length === list.length + 1 &&
      list.every((_, place) => isData(list, String(place)));
    if (!isUsual) return list;
    return list.map((item, place) => this.#part(item, String(place)));
  }

  #part(value: unknown, name: string): unknown {
    this.#path.push(name);
    const part = this.value(value, name);
    this.#path.pop();
    return part;
  }

  #refuse(what: string): never {
    const steps = this.#path.map((step) =>
      "/" + step.replaceAll("~", "~0").replaceAll("/", "~1")
    );
    throw new TypeError(
      `Cannot encode ${this.#where}: value at ${
        JSON.stringify(steps.join(""))
      } is ${what}`,
    );
  }
}

function isData(owner: object, name: string): boolean {
  const property = Object.getOwnPropertyDescriptor(owner, name);
  return property !== undefined && "value" in property &&
    property.enumerable === true;
}

/** As Array.isArray, which leaves a read-only array in the other branch. */
function isList(content: object): content is readonly Json[] {
  return Array.isArray(content);
}
