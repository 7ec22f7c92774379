/**
 * The result of a command: on standard output alone, as text for people or as one JSON value.
 *
 * @module
 */

import { type Json, MnemError, stringifyJson } from "@mnem/core";
import type { Io } from "./io.ts";
import { makeStyle, type Style } from "./render/style.ts";
import { visible, withoutControls } from "./render/visible.ts";

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json };

/** Nobody reads the output any more: the program ends, and says nothing. */
export class OutputClosed extends Error {}

/** How one item of a list is written. */
export interface ListShape<T> {
  /** As JSON. */
  json(item: T): Json;
  /** As lines. */
  text(item: T): Iterable<string>;
  /** The line for a list without items. */
  readonly none?: string;
  /** What follows the list in JSON, once all items have passed. */
  after?(): JsonObject;
}

const BUFFERED_UNITS_MAX = 32_768;

/** Where a command writes. */
export class Report {
  /** Whether JSON is asked for. */
  readonly isJson: boolean;
  /** Colours for text. */
  readonly style: Style;
  readonly #io: Io;
  #pending = "";

  /** Writes to standard output, in colours where a person looks at it who has not refused them. */
  constructor(io: Io, isJson: boolean) {
    this.#io = io;
    this.isJson = isJson;
    const isColoured = io.stdout.isTerminal && !io.variable("NO_COLOR") &&
      io.variable("TERM") !== "dumb";
    this.style = makeStyle(isColoured);
  }

  /** Writes a result that is at hand. */
  async value(json: () => Json, text: () => Iterable<string>): Promise<void> {
    if (this.isJson) return await this.#add(jsonText(json()) + "\n");
    for (const line of text()) await this.line(line);
  }

  /** Writes a list as it comes: `{"result": [...]}`, and whatever follows it. Returns its length. */
  async list<T>(
    items: AsyncIterable<T> | Iterable<T>,
    shape: ListShape<T>,
  ): Promise<number> {
    let count = 0;
    if (this.isJson) await this.#add('{"result":[');
    for await (const item of items) {
      if (this.isJson) {
        await this.#add((count > 0 ? "," : "") + jsonText(shape.json(item)));
      } else {
        for (const line of shape.text(item)) await this.line(line);
      }
      count += 1;
    }
    if (this.isJson) {
      const after = Object.entries(shape.after?.() ?? {}).map(([name, value]) =>
        `,${JSON.stringify(name)}:${jsonText(value)}`
      );
      await this.#add(`]${after.join("")}}\n`);
    } else if (count === 0 && shape.none !== undefined) {
      await this.line(shape.none);
    }
    return count;
  }

  /** Writes one line of text. */
  async line(text: string): Promise<void> {
    await this.#add(withoutControls(text) + "\n");
  }

  /** Writes text that is ready, as it is. */
  async text(text: string): Promise<void> {
    await this.#add(text);
  }

  /** Writes bytes that are the result themselves. */
  async bytes(bytes: Uint8Array): Promise<void> {
    await this.flush();
    await this.#write(bytes);
  }

  /** Says on standard error what to type next; nothing where a program reads. */
  async hint(text: string): Promise<void> {
    if (this.isJson) return;
    await this.flush();
    await this.#io.stderr.write(`hint: ${withoutControls(text)}\n`);
  }

  /** Writes what is still held back. */
  async flush(): Promise<void> {
    const text = this.#pending;
    this.#pending = "";
    if (text !== "") await this.#write(text);
  }

  async #add(text: string): Promise<void> {
    this.#pending += text;
    if (this.#pending.length > BUFFERED_UNITS_MAX) await this.flush();
  }

  async #write(data: string | Uint8Array): Promise<void> {
    try {
      await this.#io.stdout.write(data);
    } catch (error) {
      throw asOutputError(error);
    }
  }
}

/** Returns JSON in one line, in which no control character stands raw. */
export function jsonText(value: Json): string {
  return visible(stringifyJson(value));
}

/** Returns the error to be thrown for a failed write to standard output. */
function asOutputError(error: unknown): Error {
  const code = error instanceof Error && "code" in error ? error.code : "";
  if (code === "EPIPE") return new OutputClosed();
  const why = error instanceof Error ? error.message : String(error);
  return new MnemError("store_io", `Cannot write the output: ${why}`, {
    cause: error,
  });
}
