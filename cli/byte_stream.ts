/**
 * Streams of bytes from files and standard input, and into files.
 *
 * @module
 */

import { createReadStream } from "node:fs";
import { open, rename, stat, unlink } from "node:fs/promises";
import process from "node:process";
import type { Readable } from "node:stream";
import { MnemError } from "@mnem/core";
import { UsageError } from "./given.ts";
import { shown } from "./render/visible.ts";

/** A bundle holds what the store holds, which its owner alone may read. */
const FILE_MODE = 0o600;

/** Returns the bytes of a Node stream. */
export function bytesOf(stream: Readable): ReadableStream<Uint8Array> {
  const chunks = stream[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(new Uint8Array(value));
    },
    cancel() {
      stream.destroy();
    },
  });
}

/**
 * Returns the bytes of a file.
 *
 * @throws {UsageError} If it cannot be opened.
 */
export async function readFileBytes(
  path: string,
  name: string,
): Promise<ReadableStream<Uint8Array>> {
  try {
    // A folder can be opened, and fails only when it is read.
    if ((await stat(path)).isDirectory()) throw new Error("it is a folder");
    await (await open(path, "r")).close();
  } catch (error) {
    throw new UsageError(`cannot read ${shown(name)}: ${reasonOf(error)}`);
  }
  return bytesOf(createReadStream(path));
}

/**
 * Writes a stream to a file, whole or not at all: a file that was there stays as it was until all of it
 * is written. Returns the number of bytes.
 *
 * @throws {MnemError} `store_io` if the file cannot be written; and whatever the stream throws.
 */
export async function writeFileBytes(
  path: string,
  name: string,
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<number> {
  // A device or a pipe cannot be replaced.
  const isWhole = await stat(path).then((found) => found.isFile(), () => true);
  const target = isWhole ? `${path}.part-${process.pid}` : path;
  try {
    const size = await writeTo(target, name, bytes);
    if (isWhole) {
      await rename(target, path).catch((error) => {
        throw cannotWrite(name, error);
      });
    }
    return size;
  } catch (error) {
    if (isWhole) await unlink(target).catch(() => {});
    throw error;
  }
}

async function writeTo(
  path: string,
  name: string,
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<number> {
  const file = await open(path, "w", FILE_MODE).catch((error) => {
    throw cannotWrite(name, error);
  });
  try {
    let size = 0;
    for await (const chunk of bytes) {
      await file.writeFile(chunk).catch((error) => {
        throw cannotWrite(name, error);
      });
      size += chunk.length;
    }
    return size;
  } finally {
    await file.close();
  }
}

function cannotWrite(name: string, cause: unknown): MnemError {
  const why = `Cannot write ${JSON.stringify(name)}: ${reasonOf(cause)}`;
  return new MnemError("store_io", why, { cause });
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
