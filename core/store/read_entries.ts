/**
 * Reads the entries of a state: which nodes it holds and where their values come from, without the
 * nodes themselves.
 *
 * @module
 */

import { compareUtf8 } from "../object/utf8.ts";
import type { ChunkRef, ChunkSource, Entry, Origin } from "../state/chunk.ts";
import { readEntries } from "../state/read_entry.ts";
import { type EntryRange, readRuns } from "../state/read_range.ts";
import type { NodeEntry } from "./surface.ts";

/** Which entries to read: those of a range, or of it only those with one of some ids. */
export interface EntryChoice extends EntryRange {
  /** Only these ids, in any order; one may repeat. */
  readonly ids?: readonly string[] | undefined;
}

/** Yields entries in bytewise UTF-8 order of their ids, in runs as they are read. */
export async function* chooseRuns(
  source: ChunkSource,
  root: ChunkRef,
  choice: EntryChoice = {},
): AsyncGenerator<readonly Entry[]> {
  const { ids, prefix = "", after, limit = Infinity } = choice;
  if (ids === undefined) {
    yield* readRuns(source, root, choice);
    return;
  }
  if (root.count === 0) return;
  const wanted = ids.filter((id) =>
    id.startsWith(prefix) &&
    (after === undefined || compareUtf8(id, after) > 0)
  );
  const found = await readEntries(source, root, wanted);
  yield [...found.values()].slice(0, limit);
}

/** An entry as users see it: a copy, for chunks are shared. */
export function nodeEntryOf({ id, changed, born }: Entry): NodeEntry {
  return { id, changed: copyOf(changed), born: copyOf(born) };
}

function copyOf({ commit, timeMs, generation }: Origin): Origin {
  return { commit, timeMs, generation };
}
