/**
 * Text that is written as UTF-8, piece by piece.
 *
 * @module
 */

/** Bytes that are gathered before they are passed on. */
const PIECE_BYTES = 64 * 1024;

/** Texts up to this many bytes are copied byte by byte: a call costs more. */
const SHORT_BYTES = 96;

/** Levels of indentation that are made once. */
const LEVELS = 16;

const HEX = Uint8Array.from("0123456789abcdef", (digit) => digit.charCodeAt(0));

/** What stands for a byte in a string; nothing for most. */
const ESCAPES: readonly (string | undefined)[] = Array.from(
  { length: 0x5d },
  (_, byte) => {
    const written = JSON.stringify(String.fromCharCode(byte)).slice(1, -1);
    return written.length > 1 ? written : undefined;
  },
);

/** The beginning of a line at each level: two spaces a level. */
const LINES = Array.from(
  { length: LEVELS },
  (_, level) => new TextEncoder().encode("\n" + "  ".repeat(level)),
);

/** Text in the making. */
export class TextBytes {
  #bytes = new Uint8Array(2 * PIECE_BYTES);
  #length = 0;

  /** How many bytes are written and not passed on. */
  get length(): number {
    return this.#length;
  }

  /** Whether there is enough to be passed on. */
  get isFull(): boolean {
    return this.#length >= PIECE_BYTES;
  }

  /** Passes on what was written: good until more is written. */
  take(): Uint8Array {
    const piece = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    return piece;
  }

  /** Writes ASCII. */
  ascii(text: string): void {
    this.#reserve(text.length);
    for (let i = 0; i < text.length; i++) {
      this.#bytes[this.#length++] = text.charCodeAt(i);
    }
  }

  /** Begins a line at a level. */
  line(level: number): void {
    const known = LINES[level];
    if (known === undefined) this.ascii("\n" + "  ".repeat(level));
    else this.copy(known, 0, known.length);
  }

  /** Writes a part of some UTF-8 as a string in quotes. */
  quoted(bytes: Uint8Array, from: number, to: number): void {
    this.ascii('"');
    let plain = from;
    for (let i = from; i < to; i++) {
      const byte = bytes[i]!;
      if (byte > 0x5c || (byte >= 0x23 && byte < 0x5c)) continue;
      const escape = ESCAPES[byte];
      if (escape === undefined) continue;
      this.copy(bytes, plain, i);
      this.ascii(escape);
      plain = i + 1;
    }
    this.copy(bytes, plain, to);
    this.ascii('"');
  }

  /** Writes a part of some bytes as hex digits in quotes. */
  hex(bytes: Uint8Array, from: number, to: number): void {
    this.#reserve(2 * (to - from) + 2);
    const own = this.#bytes;
    let at = this.#length;
    own[at++] = 0x22;
    for (let i = from; i < to; i++) {
      const byte = bytes[i]!;
      own[at++] = HEX[byte >> 4]!;
      own[at++] = HEX[byte & 15]!;
    }
    own[at++] = 0x22;
    this.#length = at;
  }

  /** Writes a part of some UTF-8 as it is. */
  copy(bytes: Uint8Array, from: number, to: number): void {
    this.#reserve(to - from);
    if (to - from > SHORT_BYTES) {
      this.#bytes.set(bytes.subarray(from, to), this.#length);
      this.#length += to - from;
      return;
    }
    const own = this.#bytes;
    let at = this.#length;
    for (let i = from; i < to; i++) own[at++] = bytes[i]!;
    this.#length = at;
  }

  #reserve(size: number): void {
    const needed = this.#length + size;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}
