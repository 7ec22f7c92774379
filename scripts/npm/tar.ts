/**
 * Reads and writes tarballs as npm and JSR have them: gzip around the POSIX format, files only.
 *
 * @module
 */

import { gunzipSync } from "node:zlib";
import { gzipAsync } from "@gfx/zopfli";

/** A file in a tarball. */
export interface TarFile {
  /** With forward slashes; at most 100 bytes of UTF-8. */
  readonly path: string;
  /** What it holds. */
  readonly bytes: Uint8Array;
  /** Whether it may be run. */
  readonly executable?: boolean;
}

const BLOCK = 512;
const PATH_BYTES_MAX = 100;
/** As npm writes it: the same files give the same bytes, whenever they were packed. */
const MTIME_SECONDS = 499_162_500;

/** Packs files, in the order of their paths: the same files always make the same bytes, and few (ADR-0028). */
export async function writeTarball(
  files: Iterable<TarFile>,
): Promise<Uint8Array> {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  const parts = sorted.flatMap((file) => [
    header(file),
    file.bytes,
    new Uint8Array(padding(file.bytes.length)),
  ]);
  const total = parts.reduce((sum, part) => sum + part.length, 0);
  const tar = new Uint8Array(total + 2 * BLOCK);
  let at = 0;
  for (const part of parts) {
    tar.set(part, at);
    at += part.length;
  }
  return new Uint8Array(await gzipAsync(tar, {}));
}

/** Unpacks files, in the order of the tarball. Throws for anything else than files and folders. */
export function readTarball(tarball: Uint8Array): TarFile[] {
  const tar = new Uint8Array(gunzipSync(tarball));
  const files: TarFile[] = [];
  for (let at = 0; at + BLOCK <= tar.length && tar[at] !== 0;) {
    const size = parseInt(text(tar, at + 124, 12), 8);
    const kind = text(tar, at + 156, 1);
    const prefix = text(tar, at + 345, 155);
    const name = text(tar, at, PATH_BYTES_MAX);
    const path = prefix === "" ? name : `${prefix}/${name}`;
    const start = at + BLOCK;
    if (kind === "0" || kind === "") {
      const executable = (parseInt(text(tar, at + 100, 8), 8) & 0o111) !== 0;
      files.push({ path, bytes: tar.slice(start, start + size), executable });
    } else if (kind !== "5") {
      throw new Error(`Cannot unpack "${path}": its kind is "${kind}"`);
    }
    at = start + size + padding(size);
  }
  return files;
}

function header({ path, bytes, executable }: TarFile): Uint8Array {
  const name = new TextEncoder().encode(path);
  if (name.length > PATH_BYTES_MAX) {
    throw new Error(
      `Cannot pack "${path}": its ${name.length} bytes are more than ${PATH_BYTES_MAX}`,
    );
  }
  const block = new Uint8Array(BLOCK);
  const put = (value: string, at: number) =>
    block.set(new TextEncoder().encode(value), at);
  block.set(name);
  put(octal(executable ? 0o755 : 0o644, 8), 100);
  put(octal(0, 8), 108);
  put(octal(0, 8), 116);
  put(octal(bytes.length, 12), 124);
  put(octal(MTIME_SECONDS, 12), 136);
  put(" ".repeat(8), 148);
  put("0", 156);
  put("ustar\x0000", 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  put(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}

function octal(value: number, width: number): string {
  return `${value.toString(8).padStart(width - 1, "0")}\0`;
}

/** The bytes that fill the last block of a file. */
function padding(size: number): number {
  return (BLOCK - size % BLOCK) % BLOCK;
}

/** The text of a field: up to its first zero, without the blanks at its end. */
function text(tar: Uint8Array, at: number, width: number): string {
  const field = tar.subarray(at, at + width);
  const end = field.indexOf(0);
  return new TextDecoder().decode(end < 0 ? field : field.subarray(0, end))
    .trim();
}
