/**
 * Bytes as hex text and back.
 *
 * @module
 */

const pairs = Array.from(
  { length: 256 },
  (_, byte) => byte.toString(16).padStart(2, "0"),
);

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
  const high = digit(text.charCodeAt(index));
  const low = digit(text.charCodeAt(index + 1));
  if (high < 0 || low < 0) {
    throw new SyntaxError(
      `Cannot read hex: no hex digit at position ${
        high < 0 ? index : index + 1
      }`,
    );
  }
  return high * 16 + low;
}

/** Tells whether text is hex of either case with a whole number of bytes; the empty text is. */
export function isHex(text: string): boolean {
  return /^(?:[0-9a-fA-F]{2})*$/.test(text);
}

function digit(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
