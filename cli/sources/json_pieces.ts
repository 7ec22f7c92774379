/**
 * A large JSON file in pieces, each with its lines: the items of its lists one by one, and what is left
 * of the whole. A piece that is damaged does not hide those after it.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import type { Lines } from "./fact.ts";
import { LINE_BYTES_MAX } from "./text_lines.ts";

/** A piece of the file, as text that may not be JSON. */
export interface JsonPiece extends Lines {
  /** An item of a list, a whole value with those lists emptied, or text that is neither. */
  readonly kind: "item" | "whole" | "stray";
  /** The property of the whole that the list is; undefined: the list is the whole, or it is no item. */
  readonly list: string | undefined;
  /** Its bytes; none if there are more than {@linkcode LINE_BYTES_MAX}. */
  readonly bytes: Uint8Array;
  /** How many bytes it has. */
  readonly size: number;
  /** Whether the file ends within it. */
  readonly isCut: boolean;
}

/** No name that is looked for is so long: of a longer text no more is held. */
const NAME_BYTES_MAX = 256;

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [
  0x5b,
  0x5d,
  0x7b,
  0x7d,
];
const [LINE_FEED, SPACE] = [0x0a, 0x20];

/**
 * Yields the pieces of JSON text. `lists` names the properties of the outermost object whose lists are
 * taken apart; the items of an outermost list are, always.
 */
export async function* jsonPieces(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  lists: readonly string[],
): AsyncGenerator<JsonPiece> {
  const splitter = new Splitter(new Set(lists));
  for await (const chunk of bytes) yield* splitter.chunk(chunk);
  yield* splitter.end();
}

/** A list whose items are given one by one. */
interface OpenList {
  readonly name: string | undefined;
  readonly depth: number;
}

/** Bytes of a piece that has begun. */
class OpenPiece {
  readonly first: number;
  #parts: Uint8Array[] = [];
  size = 0;

  constructor(first: number) {
    this.first = first;
  }

  add(part: Uint8Array): void {
    this.size += part.length;
    if (this.size > LINE_BYTES_MAX) this.#parts = [];
    else this.#parts.push(part);
  }

  get bytes(): Uint8Array {
    return Buffer.concat(this.#parts);
  }
}

class Splitter {
  readonly #lists: ReadonlySet<string>;
  /** The containers that are open, by the byte that opened each. */
  readonly #open: number[] = [];
  #line = 1;
  /** The line of the last byte that was no space. */
  #lastLine = 1;
  #isText = false;
  #isEscaped = false;
  /** The text that was read last in the outermost object, and the name before a colon. */
  #text: number[] | undefined;
  #name: string | undefined;
  /** The list that is taken apart: its items stand at this depth. */
  #list: OpenList | undefined;
  #item: OpenPiece | undefined;
  #whole: OpenPiece | undefined;
  /** Where in the chunk begins what is not yet kept. */
  #from = 0;
  #ready: JsonPiece[] = [];

  constructor(lists: ReadonlySet<string>) {
    this.#lists = lists;
  }

  /** Reads on, and returns the pieces that have ended. */
  chunk(chunk: Uint8Array): readonly JsonPiece[] {
    this.#ready = [];
    this.#from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (byte > SPACE) {
        if (this.#isText) this.#inText(byte);
        else this.#outside(byte, chunk, at);
        this.#lastLine = this.#line;
      } else if (byte === LINE_FEED) {
        this.#line += 1;
        // A text that goes over a line is damaged, and its end is not known.
        this.#isText = this.#isEscaped = false;
      } else if (this.#isText) this.#inText(byte);
    }
    this.#keep(chunk, chunk.length);
    return this.#ready;
  }

  /** Returns the pieces in which the file ends. */
  end(): readonly JsonPiece[] {
    this.#ready = [];
    const isCut = this.#open.length > 0;
    if (this.#item !== undefined) this.#give("item", this.#item, isCut);
    if (this.#whole !== undefined) this.#give("whole", this.#whole, isCut);
    return this.#ready;
  }

  #inText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) {
      this.#isText = false;
      return;
    }
    if (this.#text !== undefined && this.#text.length < NAME_BYTES_MAX) {
      this.#text.push(byte);
    }
  }

  #outside(byte: number, chunk: Uint8Array, at: number): void {
    const depth = this.#open.length;
    if (depth === 0) return this.#outermost(byte, chunk, at);
    if (depth === this.#list?.depth) this.#atItem(byte, chunk, at);
    else if (depth === 1) this.#property(byte);
    if (byte === QUOTE) this.#isText = true;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) this.#open.push(byte);
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      this.#close(byte, chunk, at);
    }
  }

  /** Begins a whole value; what stands before it is stray. */
  #outermost(byte: number, chunk: Uint8Array, at: number): void {
    if (byte !== OPEN_LIST && byte !== OPEN_OBJECT) {
      if (this.#whole !== undefined) return;
      this.#from = at;
      this.#whole = new OpenPiece(this.#line);
      return;
    }
    this.#keep(chunk, at);
    const before = this.#whole;
    if (before !== undefined && !isMark(before.bytes)) {
      this.#give("stray", before);
    }
    this.#whole = new OpenPiece(this.#line);
    this.#open.push(byte);
    this.#name = undefined;
    if (byte === OPEN_LIST) this.#list = { name: undefined, depth: 1 };
  }

  #atItem(byte: number, chunk: Uint8Array, at: number): void {
    const isEnd = byte === CLOSE_LIST || byte === CLOSE_OBJECT;
    if (byte === COMMA || isEnd) this.#closeItem(chunk, at);
    else if (this.#item === undefined) {
      this.#keep(chunk, at);
      this.#item = new OpenPiece(this.#line);
    }
  }

  /** What stands in the outermost object itself: names, and lists that are taken apart. */
  #property(byte: number): void {
    if (byte === QUOTE) this.#text = [];
    else if (byte === COLON) {
      this.#name = new TextDecoder().decode(Uint8Array.from(this.#text ?? []));
      this.#text = undefined;
    } else if (byte === COMMA) this.#name = this.#text = undefined;
    else if (byte === OPEN_LIST && this.#lists.has(this.#name ?? "")) {
      this.#list = { name: this.#name, depth: 2 };
    }
  }

  #close(byte: number, chunk: Uint8Array, at: number): void {
    const opener = byte === CLOSE_LIST ? OPEN_LIST : OPEN_OBJECT;
    const depth = this.#open.lastIndexOf(opener);
    // One that closes nothing is the fault of the piece that it stands in.
    if (depth < 0) return;
    this.#open.length = depth;
    if (this.#list !== undefined && depth < this.#list.depth) {
      this.#closeItem(chunk, at);
      this.#list = undefined;
    }
    if (depth > 0 || this.#whole === undefined) return;
    this.#keep(chunk, at + 1);
    this.#lastLine = this.#line;
    this.#give("whole", this.#whole);
    this.#whole = undefined;
  }

  #closeItem(chunk: Uint8Array, at: number): void {
    if (this.#item === undefined) return;
    this.#keep(chunk, at);
    this.#give("item", this.#item);
    this.#item = undefined;
    // What divides the items is no part of the whole.
    if (chunk[at] === COMMA) this.#from = at + 1;
  }

  /** Adds what was read up to a byte to the piece that is open. */
  #keep(chunk: Uint8Array, to: number): void {
    // The reader may use its buffer again.
    if (to > this.#from) {
      (this.#item ?? this.#whole)?.add(chunk.slice(this.#from, to));
    }
    this.#from = to;
  }

  #give(kind: JsonPiece["kind"], piece: OpenPiece, isCut = false): void {
    const list = kind === "item" ? this.#list?.name : undefined;
    const { first, bytes, size } = piece;
    const last = this.#lastLine;
    this.#ready.push({ kind, list, bytes, size, first, last, isCut });
  }
}

/** Whether some bytes are a byte order mark, or a comma between two values. */
function isMark(bytes: Uint8Array): boolean {
  return /^\s*,?\s*$/.test(new TextDecoder().decode(bytes));
}
