/**
 * What was typed after the name of a command, read by name and type.
 *
 * @module
 */

import { type Json, parseJson } from "@mnem/core";

/** A command line that cannot be followed. */
export class UsageError extends TypeError {
  /** Makes an error whose message names the argument. */
  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}

/** The arguments and flags of one call. */
export class Given {
  readonly #args: readonly unknown[];
  readonly #options: { readonly [name: string]: unknown };

  /** Holds what the parser found: flags by their names in camel case. */
  constructor(
    args: readonly unknown[],
    options: { readonly [name: string]: unknown },
  ) {
    this.#args = args;
    this.#options = options;
  }

  /** The argument at a place, from 0; undefined if it is left out. */
  argument(place: number): string | undefined {
    return textOf(this.#args[place]);
  }

  /** The argument at a place that the parser demands. */
  required(place: number): string {
    const text = this.argument(place);
    if (text === undefined) {
      throw new UsageError(`argument ${place} is missing`);
    }
    return text;
  }

  /** All arguments from a place on. */
  rest(place: number): string[] {
    return textsOf(this.#args[place]);
  }

  /** Whether a flag is there. */
  has(name: string): boolean {
    return this.#options[name] !== undefined;
  }

  /** The value of a flag; undefined if it is left out. */
  text(name: string): string | undefined {
    return textOf(this.#options[name]);
  }

  /** The flags as they can be typed again, but for one. */
  flags(except: string): string[] {
    return Object.entries(this.#options).flatMap(([name, value]) => {
      if (name === except) return [];
      if (value === true) return [flagOf(name)];
      return textsOf([value].flat()).map((text) => `${flagOf(name)}=${text}`);
    });
  }

  /** The values of a flag that may be given more than once. */
  texts(name: string): string[] {
    return textsOf(this.#options[name]);
  }

  /**
   * The value of a flag as an integer.
   *
   * @throws {UsageError} If it is none, too large to be kept exactly, or less than `least`.
   */
  integer(name: string, least = -Infinity): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = /^[+-]?[0-9]+$/.test(text) ? Number(text) : NaN;
    if (Number.isSafeInteger(value) && value >= least) return value;
    const range = Math.abs(value) > Number.MAX_SAFE_INTEGER
      ? " within -2^53 + 1 and 2^53 - 1"
      : least === -Infinity
      ? ""
      : ` from ${least}`;
    throw new UsageError(
      `${flagOf(name)} must be an integer${range}, not ${JSON.stringify(text)}`,
    );
  }

  /**
   * The value of a flag as JSON, integers read exactly.
   *
   * @throws {SyntaxError} If it is none; the message names the place and what is wrong.
   */
  json(name: string): Json | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : jsonOf(text, flagOf(name));
  }

  /**
   * Refuses flags that say two things.
   *
   * @throws {UsageError} If more than one of the names is given.
   */
  atMostOne(...names: readonly string[]): void {
    const [first, second] = names.filter((name) => this.has(name));
    if (first === undefined || second === undefined) return;
    throw new UsageError(
      `${flagOf(first)} and ${flagOf(second)} exclude each other`,
    );
  }
}

/**
 * Reads JSON that was typed.
 *
 * @throws {SyntaxError} If it is none; the message names where it came from.
 */
export function jsonOf(text: string, from: string): Json {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const isText = error.message.endsWith("must be a value");
    throw new SyntaxError(
      `${from}: ${error.message}${
        isText ? "; a text is JSON only in double quotes" : ""
      }`,
    );
  }
}

/** `timeMs` is typed `--time-ms`. */
function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function textsOf(value: unknown): string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [];
  return values.filter((one) => typeof one === "string");
}
