/**
 * The folder of a store on this machine: looked at before Deno KV is, because KV makes a new database
 * wherever it finds none, and can end the process over a damaged one.
 *
 * @module
 */

import { statSync } from "node:fs";
import { mkdir, rmdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { MnemError } from "../errors.ts";
import { firstLine } from "./kv_errors.ts";
import { isForeignDatabase, readSchema } from "./kv_schema.ts";
import type { LocalLocation } from "./location.ts";

/** What {@linkcode createFolder} made. */
export interface CreatedFolder {
  /** The folders that did not exist before, outermost first. */
  readonly made: readonly string[];
  /**
   * Removes those folders again where they are empty. Never a file: another process that found the
   * folder may have its store in it by now.
   */
  undo(): Promise<void>;
}

/**
 * Makes the folder of a store, readable by its owner only, and the folders above it. Throws
 * `store_io` naming the path that cannot be made.
 */
export async function createFolder(
  location: LocalLocation,
): Promise<CreatedFolder> {
  const { directory, folder, text } = location;
  const made: string[] = [];
  const undo = () => removeEmpty(made);
  try {
    for (const path of await missingFolders(directory)) {
      await makeFolder(path, 0o777, made);
    }
    await makeFolder(folder, 0o700, made);
  } catch (error) {
    await undo();
    throw new MnemError(
      "store_io",
      `Cannot create store "${text}": ${firstLine(error)}`,
      { cause: error },
    );
  }
  return { made, undo };
}

/**
 * Looks at what lies at a location before it is opened. "absent": there is no database, or an empty
 * file, which KV would take for a new one. Throws `corrupt_store` for a file that is no database,
 * is another program's or was cut short, and `store_io` naming a path that cannot be used.
 */
export function inspectLocal(location: LocalLocation): "absent" | "present" {
  // Twice: another process may be moving its log into the file between two of our looks.
  const first = look(location);
  const seen = "damage" in first ? look(location) : first;
  if ("damage" in seen) {
    throw new MnemError(
      "corrupt_store",
      `Cannot open store "${location.text}": ${seen.damage}`,
    );
  }
  return seen.state;
}

type Sight = { readonly state: "absent" | "present" } | {
  readonly damage: string;
};

const HEADER_BYTES = 100;
const MAGIC = "SQLite format 3\0";

/** Ten short calls, at once: to have another thread make them takes longer than to open the database. */
function look(location: LocalLocation): Sight {
  const { file } = location;
  // Before the file: what leaves the log is in the file by then.
  const logged = sideBytes(`${file}-wal`);
  const journaled = sideBytes(`${file}-journal`);
  const size = fileBytes(location);
  if (size === undefined || size === 0) {
    return logged > 0
      ? {
        damage: `"${file}" is ${
          size === 0 ? "empty" : "missing"
        } beside its log, "${file}-wal"`,
      }
      : { state: "absent" };
  }
  const start = readFirst(location);
  const magic = new TextDecoder("latin1").decode(
    start.subarray(0, MAGIC.length),
  );
  if (!MAGIC.startsWith(magic)) {
    return { damage: `"${file}" is not a SQLite database` };
  }
  if (isForeignDatabase(start, `${file}-wal`)) {
    return {
      damage:
        `"${file}" is a database of another program: it lacks the tables of Deno KV`,
    };
  }
  // A log or journal holds what the file still lacks.
  if (logged > 0 || journaled > 0) return { state: "present" };
  const needed = neededBytes(start);
  return size < needed
    ? {
      damage:
        `"${file}" is cut short: it has ${size} bytes and must have ${needed}`,
    }
    : { state: "present" };
}

/** The bytes that a database must have by its own header (https://sqlite.org/fileformat2.html, 1.3). */
function neededBytes(header: Uint8Array): number {
  if (header.length < HEADER_BYTES) return HEADER_BYTES;
  const view = new DataView(header.buffer, header.byteOffset, header.length);
  const pageBytes = view.getUint16(16) === 1 ? 65_536 : view.getUint16(16);
  // The count is in use only if it was written along with the last change.
  const counted = view.getUint32(24) === view.getUint32(92);
  return counted ? pageBytes * view.getUint32(28) : pageBytes;
}

function readFirst(location: LocalLocation): Uint8Array {
  try {
    return readSchema(location.file);
  } catch (error) {
    throw unusable(location, error);
  }
}

/** The size of a store's file, undefined where there is none. */
function fileBytes(location: LocalLocation): number | undefined {
  let found;
  try {
    found = statSync(location.file);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw unusable(location, error);
  }
  // To open a pipe would wait for its other end.
  if (!found.isFile()) throw unusable(location, new Error("it is not a file"));
  return found.size;
}

/** The size of a file beside it. Whatever stands in the way there is met at the file itself too. */
function sideBytes(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}

function unusable(location: LocalLocation, cause: unknown): MnemError {
  return new MnemError(
    "store_io",
    `Cannot open store "${location.text}": "${location.file}" cannot be used: ${
      firstLine(cause)
    }`,
    { cause },
  );
}

async function missingFolders(directory: string): Promise<string[]> {
  const missing: string[] = [];
  for (let path = directory; !(await exists(path)); path = dirname(path)) {
    missing.unshift(path);
  }
  return missing;
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    // What is above a folder that this process may make need not be its to look at.
    if (error instanceof Error && error.name === "NotCapable") return true;
    throw error;
  }
}

async function makeFolder(
  path: string,
  mode: number,
  made: string[],
): Promise<void> {
  try {
    await mkdir(path, { mode });
    made.push(path);
  } catch (error) {
    if (codeOf(error) !== "EEXIST" || !(await stat(path)).isDirectory()) {
      throw error;
    }
  }
}

async function removeEmpty(folders: string[]): Promise<void> {
  for (let path = folders.pop(); path !== undefined; path = folders.pop()) {
    try {
      await rmdir(path);
    } catch (error) {
      // One that is gone leaves those above it. Any other is in use by now, and they with it.
      if (codeOf(error) !== "ENOENT") return;
    }
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
