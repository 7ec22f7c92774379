/**
 * JSON text, read exactly: no integer is rounded, and whatever could not be stored is refused where
 * it stands (RFC 8259; FORMAT.md, "Objects").
 *
 * @module
 */

import { CONTENT_DEPTH_MAX } from "../limits.ts";
import {
  type CborValue,
  FloatNumber,
  INTEGER_MAX,
  INTEGER_MIN,
  isIntegerNumber,
} from "./cbor_value.ts";
import type { Json } from "./json.ts";
import { setOwn } from "./own_property.ts";
import { quote } from "./quote.ts";

/** How JSON text is read. */
export interface JsonReadOptions {
  /** Nesting above which text is refused, in containers: that of content, 127, unless said otherwise. */
  readonly depthMax?: number | undefined;
}

/** A number, and in the group what makes it a float. */
const NUMBER = /-?(?:0|[1-9][0-9]*)((?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)/y;

/** -2^63 and 2^64 - 1 have at most this many characters. */
const INTEGER_UNITS_MAX = 20;

/**
 * Reads JSON text. Integers beyond 2^53 - 1 come back as bigint, every other number as the nearest
 * double; objects are plain, `__proto__` an own property; of a name given twice the last counts.
 * Throws a SyntaxError with the position, in UTF-16 units, for text that is not JSON, and for what
 * could not be stored: integers outside -2^63 to 2^64 - 1, numbers beyond the doubles, lone
 * surrogates, nesting over 127 levels.
 */
export function parseJson(text: string, options: JsonReadOptions = {}): Json {
  // Without `keepFloats` nothing but JSON is made.
  return new JsonReader(text, options.depthMax, false).read() as Json;
}

/**
 * Reads the JSON of a bundle, where 1.0 and 1 are different objects: an integral number written
 * with a fraction or an exponent becomes a FloatNumber, and integers outside -2^63 to 2^64 - 1
 * become floats. Otherwise like {@linkcode parseJson}.
 */
export function parseBundleJson(
  text: string,
  options: JsonReadOptions = {},
): CborValue {
  return new JsonReader(text, options.depthMax, true).read();
}

class JsonReader {
  readonly #text: string;
  readonly #depthMax: number;
  readonly #keepFloats: boolean;
  #at = 0;

  constructor(text: string, depthMax = CONTENT_DEPTH_MAX, keepFloats: boolean) {
    this.#text = text;
    this.#depthMax = depthMax;
    this.#keepFloats = keepFloats;
  }

  read(): CborValue {
    const value = this.#value(0);
    if (this.#next() !== undefined) this.#fail("the end of the text");
    return value;
  }

  #value(depth: number): CborValue {
    const found = this.#next();
    switch (found) {
      case '"':
        return this.#string();
      case "{":
      case "[":
        if (depth >= this.#depthMax) {
          this.#fail(`nesting of at most ${this.#depthMax} levels`);
        }
        this.#at++;
        return found === "{" ? this.#object(depth + 1) : this.#array(depth + 1);
      case "t":
        return this.#literal("true", true);
      case "f":
        return this.#literal("false", false);
      case "n":
        return this.#literal("null", null);
    }
    return this.#number();
  }

  #object(depth: number): CborValue {
    const object: { [key: string]: CborValue } = {};
    if (this.#take("}")) return object;
    do {
      if (this.#next() !== '"') this.#fail("a name in double quotes");
      const key = this.#string();
      if (!this.#take(":")) this.#fail('":"');
      setOwn(object, key, this.#value(depth));
    } while (this.#take(","));
    if (!this.#take("}")) this.#fail('"," or "}"');
    return object;
  }

  #array(depth: number): CborValue {
    const items: CborValue[] = [];
    if (this.#take("]")) return items;
    do items.push(this.#value(depth)); while (this.#take(","));
    if (!this.#take("]")) this.#fail('"," or "]"');
    return items;
  }

  #literal<T>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) this.#fail("a value");
    this.#at += word.length;
    return value;
  }

  /** Reads a string, whose opening quote is at the cursor. */
  #string(): string {
    const text = this.#text;
    const start = this.#at;
    let isEscaped = false;
    let at = start + 1;
    let unit = text.charCodeAt(at);
    while (unit !== 0x22) {
      // At the end of the text the unit is NaN.
      if (!(unit >= 0x20)) {
        this.#fail("the rest of a string", Math.min(at, text.length));
      }
      if (unit === 0x5c) {
        isEscaped = true;
        at++;
      }
      unit = text.charCodeAt(++at);
    }
    this.#at = at + 1;
    const string = isEscaped
      ? this.#unescape(start)
      : text.slice(start + 1, at);
    if (!string.isWellFormed()) {
      this.#fail("a string without lone surrogates", start);
    }
    return string;
  }

  #unescape(start: number): string {
    try {
      return JSON.parse(this.#text.slice(start, this.#at));
    } catch {
      return this.#fail("a string with valid escapes", start);
    }
  }

  #number(): number | bigint | FloatNumber {
    const start = this.#at;
    NUMBER.lastIndex = start;
    const match = NUMBER.exec(this.#text);
    if (match === null) return this.#fail("a value");
    this.#at = NUMBER.lastIndex;
    const [token, tail] = match;
    const value = Number(token);
    if (tail === "" && token !== "-0" && !isIntegerNumber(value)) {
      if (token.length <= INTEGER_UNITS_MAX) {
        const integer = BigInt(token);
        if (integer >= INTEGER_MIN && integer <= INTEGER_MAX) return integer;
      }
      if (!this.#keepFloats) {
        this.#fail("an integer within -2^63 and 2^64 - 1", start);
      }
    }
    if (!Number.isFinite(value)) {
      this.#fail("a number that a double can hold", start);
    }
    return this.#keepFloats && tail !== "" && isIntegerNumber(value)
      ? new FloatNumber(value)
      : value;
  }

  /** Passes over white space and returns the character there, undefined at the end. */
  #next(): string | undefined {
    const text = this.#text;
    for (;;) {
      const unit = text.charCodeAt(this.#at);
      if (unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09) {
        this.#at++;
      } else return text[this.#at];
    }
  }

  #take(mark: string): boolean {
    if (this.#next() !== mark) return false;
    this.#at++;
    return true;
  }

  #fail(expected: string, at: number = this.#at): never {
    const found = this.#text[at];
    throw new SyntaxError(
      `Cannot parse JSON at position ${at}: found ${
        found === undefined ? "the end of the text" : quote(found)
      }, must be ${expected}`,
    );
  }
}
