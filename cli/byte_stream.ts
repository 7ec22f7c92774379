/**
 * Streams of bytes from files and standard input, and into files.
 *
 * @module
 */

import { open, realpath, rename, stat, unlink } from "node:fs/promises";
import process from "node:process";
import type { Readable } from "node:stream";
import { MnemError } from "@mnem/core";
import { UsageError } from "./given.ts";
import { shown } from "./render/visible.ts";

/** A bundle holds what the store holds, which its owner alone may read. */
const FILE_MODE = 0o600;

/** What is read from a stream at once. */
const PIECE_BYTES = 64 * 1024;

/** Returns the bytes of a Node stream. One that fails is a UsageError, which names it. */
export function bytesOf(
  stream: Readable,
  name: string,
): ReadableStream<Uint8Array> {
  const chunks = stream[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next().catch((error) => {
        throw cannotRead(name, error);
      });
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
    // Once: whoever writes into a pipe would take a second opening for another reader.
    return bytesOf((await open(path, "r")).createReadStream(), name);
  } catch (error) {
    throw cannotRead(name, error);
  }
}

/**
 * Yields the pieces of a stream that fills the buffers of its reader, all in one buffer: each is good
 * until the next is asked for.
 */
export async function* passingPieces(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader({ mode: "byob" });
  try {
    let room = new Uint8Array(PIECE_BYTES);
    for (;;) {
      const { done, value } = await reader.read(room);
      if (done) return;
      yield value;
      room = new Uint8Array(value.buffer);
    }
  } finally {
    await reader.cancel();
  }
}

/**
 * Writes a stream to a file, whole or not at all: a file that was there, or that a link leads to, stays
 * as it was until all of it is written. Returns the number of bytes.
 *
 * @throws {MnemError} `store_io` if the file cannot be written; and whatever the stream throws.
 */
export async function writeFileBytes(
  path: string,
  name: string,
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<number> {
  const file = await replaceable(path);
  if (file === undefined) return await writeTo(path, name, bytes);
  const part = `${file}.part-${process.pid}`;
  try {
    const size = await writeTo(part, name, bytes);
    await rename(part, file).catch((error) => {
      throw cannotWrite(name, error);
    });
    return size;
  } catch (error) {
    await unlink(part).catch(() => {});
    throw error;
  }
}

/** Returns the file that a path leads to, or where there is none yet; undefined for a device or a pipe. */
async function replaceable(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return path;
  return found.isFile()
    ? await realpath(path).catch(() => undefined)
    : undefined;
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

function cannotRead(name: string, cause: unknown): UsageError {
  return new UsageError(`cannot read ${shown(name)}: ${reasonOf(cause)}`);
}

function cannotWrite(name: string, cause: unknown): MnemError {
  const why = `Cannot write ${JSON.stringify(name)}: ${reasonOf(cause)}`;
  return new MnemError("store_io", why, { cause });
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
