/**
 * Room on the disk for what is too much to be kept at hand: a folder beside a store, gone when it is
 * done with. Files in it are written and read at once, not in the background: what is asked of them
 * is small and, as a rule, still in the system's cache, where a wait would cost more than the work.
 *
 * @module
 */

import {
  closeSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { MnemError } from "../errors.ts";
import { firstLine } from "../storage/kv_errors.ts";

/** Bytes that a file gathers before it writes them. */
const BUFFER_BYTES = 256 * 1024;

/** A place for a folder, or how to find one, which may not be permitted. */
export type ScratchPath = string | (() => string);

/** A folder that is made when its first file is. */
export class ScratchFolder {
  readonly #paths: readonly ScratchPath[];
  readonly #files: ScratchFile[] = [];
  #made: string | undefined;

  /** Says where the folder may be, the best place first; nothing is made yet. */
  constructor(paths: readonly ScratchPath[]) {
    this.#paths = paths;
  }

  /** The path of the folder, which is made. Throws `store_io` where that cannot be. */
  path(): string {
    return this.#made ??= inScratch(() => makeFolder(this.#paths));
  }

  /** Makes an empty file. Throws `store_io` where there is no room, or no right, for one. */
  file(): ScratchFile {
    const path = join(this.path(), `objects-${this.#files.length}`);
    const file = new ScratchFile(
      inScratch(() => openSync(path, "wx+", 0o600)),
    );
    this.#files.push(file);
    return file;
  }

  /** Closes all files and removes the folder. */
  remove(): void {
    for (const file of this.#files.splice(0)) file.close();
    if (this.#made === undefined) return;
    rmSync(this.#made, { recursive: true, force: true });
    this.#made = undefined;
  }
}

/** A file that is appended to, and read at any place. */
export class ScratchFile {
  readonly #fd: number;
  readonly #buffer = new Uint8Array(BUFFER_BYTES);
  #buffered = 0;
  #written = 0;
  #isClosed = false;

  /** Takes an open file. */
  constructor(fd: number) {
    this.#fd = fd;
  }

  /** How many bytes it holds. */
  get size(): number {
    return this.#written + this.#buffered;
  }

  /** Puts bytes at its end. */
  append(bytes: Uint8Array): void {
    if (this.#buffered + bytes.length > BUFFER_BYTES) this.#flush();
    if (bytes.length > BUFFER_BYTES) return this.#write(bytes);
    this.#buffer.set(bytes, this.#buffered);
    this.#buffered += bytes.length;
  }

  /** Fills `into` with the bytes from a place on; fewer only at the end. Returns how many. */
  read(place: number, into: Uint8Array): number {
    this.#flush();
    return inScratch(() => {
      let filled = 0;
      while (filled < into.length) {
        const read = readSync(
          this.#fd,
          into,
          filled,
          into.length - filled,
          place + filled,
        );
        if (read === 0) break;
        filled += read;
      }
      return filled;
    });
  }

  /** Closes it. Twice is once. */
  close(): void {
    if (!this.#isClosed) closeSync(this.#fd);
    this.#isClosed = true;
  }

  #flush(): void {
    if (this.#buffered === 0) return;
    this.#write(this.#buffer.subarray(0, this.#buffered));
    this.#buffered = 0;
  }

  #write(bytes: Uint8Array): void {
    inScratch(() => {
      let done = 0;
      while (done < bytes.length) {
        done += writeSync(
          this.#fd,
          bytes,
          done,
          bytes.length - done,
          this.#written + done,
        );
      }
    });
    this.#written += bytes.length;
  }
}

/** Makes the first folder that can be made. */
function makeFolder([place = "", ...others]: readonly ScratchPath[]): string {
  try {
    const path = typeof place === "string" ? place : place();
    mkdirSync(path, { mode: 0o700 });
    return path;
  } catch (error) {
    if (others.length === 0) throw error;
    return makeFolder(others);
  }
}

function inScratch<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    const isFull = error instanceof Error && "code" in error &&
      error.code === "ENOSPC";
    throw new MnemError(
      "store_io",
      `Cannot use a temporary file: ${
        isFull ? "the disk is full" : firstLine(error)
      }`,
      { cause: error },
    );
  }
}
