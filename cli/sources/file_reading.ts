/**
 * The file that a source is, opened anew for each reading.
 *
 * @module
 */

import { stat } from "node:fs/promises";
import { readFileBytes } from "../byte_stream.ts";
import { UsageError } from "../given.ts";
import { shown } from "../render/visible.ts";
import type { ReadingOptions } from "./facts_import.ts";
import type { Parsed } from "./fact.ts";
import { markOf, type Reading } from "./take_in.ts";

/** Parses the bytes of a file. */
export type FileParser = (
  bytes: ReadableStream<Uint8Array>,
) => AsyncIterable<Parsed>;

/**
 * Returns the reading of one file.
 *
 * @throws {UsageError} If it is not there or no file.
 */
export async function fileReading(
  kind: string,
  { path, typed, name, prefix }: ReadingOptions,
  parse: FileParser,
): Promise<Reading> {
  await requireFile(path, typed);
  return {
    mark: markOf(kind),
    prefix,
    covers: (source) => source === name,
    async *items() {
      for await (const parsed of parse(await readFileBytes(path, typed))) {
        yield { source: name, parsed };
      }
    },
  };
}

async function requireFile(path: string, typed: string): Promise<void> {
  const found = await stat(path).catch((error) => {
    throw new UsageError(`cannot read ${shown(typed)}: ${error.message}`);
  });
  if (found.isFile()) return;
  throw new UsageError(`cannot read ${shown(typed)}: it must be a file`);
}
