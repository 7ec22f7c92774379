/**
 * Bytes as hex text and back.
 *
 * @module
 */

const pairs = Array.from(
  { length: 256 },
  (_, byte) => byte.toString(16).padStart(2, "0"),
);

/** The value of each digit by its code unit, -1 for what is none. */
const digits = Int8Array.from({ length: 128 }, (_, unit) => {
  const value = parseInt(String.fromCharCode(unit), 16);
  return Number.isNaN(value) ? -1 : value;
});

/** Writes bytes as lowercase hex, two digits a byte. */
export function toHex(bytes: Uint8Array): string {
  // Node 20 has no such method.
  if (typeof bytes.toHex === "function") return bytes.toHex();
  let text = "";
  for (const byte of bytes) text += pairs[byte];
  return text;
}

/** Reads hex of either case. Throws a SyntaxError for an odd length or any other character. */
export function fromHex(text: string): Uint8Array {
  if (text.length % 2 !== 0) {
    throw new SyntaxError(
      `Cannot read hex: ${text.length} digits, must be an even number`,
    );
  }
  const native = readNative(text);
  if (native !== undefined) return native;
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = hexByte(text, 2 * i);
  return bytes;
}

/** By the engine's own reader, where there is one; a fault is left to the slow way, which names it. */
function readNative(text: string): Uint8Array | undefined {
  if (typeof Uint8Array.fromHex !== "function") return undefined;
  try {
    return Uint8Array.fromHex(text);
  } catch {
    return undefined;
  }
}

/** Reads the byte whose two hex digits stand at an index. Throws a SyntaxError for other characters. */
export function hexByte(text: string, index: number): number {
  const high = hexDigit(text.charCodeAt(index));
  const low = hexDigit(text.charCodeAt(index + 1));
  if (high < 0 || low < 0) {
    throw new SyntaxError(
      `Cannot read hex: no hex digit at position ${
        high < 0 ? index : index + 1
      }`,
    );
  }
  return high * 16 + low;
}

/** The value of a hex digit, given its code unit; -1 for anything else. */
export function hexDigit(unit: number): number {
  return digits[unit] ?? -1;
}

/** Tells whether text is hex of either case with a whole number of bytes; the empty text is. */
export function isHex(text: string): boolean {
  return /^(?:[0-9a-fA-F]{2})*$/.test(text);
}
