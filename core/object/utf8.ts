/**
 * UTF-8: the bytes of text, and the two orders that the format puts text into.
 *
 * @module
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Texts up to this length are encoded and decoded by hand if they are ASCII: a call of the coder costs
 * more, and so does the memory that it takes.
 */
const SHORT_TEXT_UNITS = 64;

/** Encodes text as UTF-8. Lone surrogates become U+FFFD: check that the text is well-formed first. */
export function encodeUtf8(text: string): Uint8Array {
  if (text.length > SHORT_TEXT_UNITS) return encoder.encode(text);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x80) return encoder.encode(text);
    bytes[i] = unit;
  }
  return bytes;
}

/** Decodes UTF-8, keeping a leading byte order mark. Throws a TypeError for bytes that are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** Decodes a part of some bytes, likewise. */
export function decodeUtf8Part(
  bytes: Uint8Array,
  from: number,
  to: number,
): string {
  return shortAscii(bytes, from, to) ?? decodeUtf8(bytes.subarray(from, to));
}

/** The text of a short part that is ASCII. By eights: text that grows by a unit is put together later. */
function shortAscii(
  bytes: Uint8Array,
  from: number,
  to: number,
): string | undefined {
  if (to - from > SHORT_TEXT_UNITS) return undefined;
  let text = "";
  let at = from;
  for (; at + 8 <= to; at += 8) {
    const a = bytes[at]!, b = bytes[at + 1]!, c = bytes[at + 2]!;
    const d = bytes[at + 3]!, e = bytes[at + 4]!, f = bytes[at + 5]!;
    const g = bytes[at + 6]!, h = bytes[at + 7]!;
    if ((a | b | c | d | e | f | g | h) >= 0x80) return undefined;
    text += String.fromCharCode(a, b, c, d, e, f, g, h);
  }
  for (; at < to; at++) {
    if (bytes[at]! >= 0x80) return undefined;
    text += String.fromCharCode(bytes[at]!);
  }
  return text;
}

/** Tells up to which byte some bytes are UTF-8: all of them if their number is returned. */
export function faultyByte(bytes: Uint8Array): number {
  const strict = new TextDecoder("utf-8", { fatal: true });
  for (let at = 0; at < bytes.length; at++) {
    try {
      strict.decode(bytes.subarray(at, at + 1), { stream: true });
    } catch {
      return at;
    }
  }
  return bytes.length;
}

/** Counts the UTF-8 bytes of text without encoding it; a lone surrogate counts as three. */
export function utf8Length(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit < 0x800) length += 1;
    else {
      length += 2;
      if (isPairAt(text, i)) i++;
    }
  }
  return length;
}

/** Compares two well-formed texts bytewise as UTF-8, which is the order of their code points. */
export function compareUtf8(a: string, b: string): number {
  if (a === b) return 0;
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Compares two well-formed texts as keys of a canonical CBOR map: the shorter UTF-8 first, then bytewise. */
export function compareCbor(a: string, b: string): number {
  return utf8Length(a) - utf8Length(b) || compareUtf8(a, b);
}

/** Lifts surrogates above all other units: they stand for the code points from U+10000 on. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

function isPairAt(text: string, index: number): boolean {
  const high = text.charCodeAt(index);
  if (high < 0xd800 || high > 0xdbff) return false;
  const low = text.charCodeAt(index + 1);
  return low >= 0xdc00 && low <= 0xdfff;
}
