/**
 * Names in git's alphabet: what a file system or git itself could mistake is written as `%xx`, its UTF-8
 * bytes in hex digits, and a part that is too long goes on after `%/`.
 *
 * @module
 */

/** A file system's names have 255 bytes; what is added to one, such as `.json` or `.lock`, fits in the rest. */
const PIECE_BYTES_MAX = 200;

/** What stands alone for an empty part; at the end of a piece: the part goes on in the next one. */
const MARK = "%";

/** Returns the bytes of some text as `%xx`. */
export function percent(text: string): string {
  let escaped = "";
  for (const byte of new TextEncoder().encode(text)) {
    escaped += MARK + byte.toString(16).padStart(2, "0");
  }
  return escaped;
}

/**
 * Returns a part of a name in pieces joined by `%/`, each guarded by `guard`. No `%xx` and no character
 * is cut.
 */
export function inPieces(
  part: string,
  guard: (piece: string, isLast: boolean) => string,
): string {
  if (part === "") return MARK;
  const pieces: string[] = [];
  let piece = "";
  let size = 0;
  for (const token of part.match(/%[0-9a-f]{2}|[^%]/gsu) ?? []) {
    const bytes = new TextEncoder().encode(token).length;
    if (size + bytes > PIECE_BYTES_MAX) {
      pieces.push(guard(piece, false) + MARK);
      piece = "";
      size = 0;
    }
    piece += token;
    size += bytes;
  }
  pieces.push(guard(piece, true));
  return pieces.join("/");
}

/** Returns what parts and pieces were made of; undefined for what is no such text. */
export function fromPieces(text: string): string | undefined {
  if (/[^/]%$/.test(text)) return undefined;
  const joined = text.split("/").map((piece, i, all) => {
    const isLast = i === all.length - 1;
    if (piece === MARK) return isLast ? "" : "/";
    if (piece.endsWith(MARK)) return piece.slice(0, -1);
    return isLast ? piece : `${piece}/`;
  }).join("");
  const bytes: number[] = [];
  for (const token of joined.match(/%[0-9a-f]{2}|[^%]|%/gsu) ?? []) {
    if (token === MARK) return undefined;
    if (token.startsWith(MARK)) bytes.push(parseInt(token.slice(1), 16));
    else bytes.push(...new TextEncoder().encode(token));
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      Uint8Array.from(bytes),
    );
  } catch {
    return undefined;
  }
}
