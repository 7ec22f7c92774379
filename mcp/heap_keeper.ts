/**
 * Keeps the process small. V8 lets garbage lie for as long as there is room, and takes a machine's
 * memory for room: a server whose caches are full of what is used would hold as much again of what
 * is not. Its own bounds can be set only where the program is started, by whoever starts it.
 *
 * @module
 */

import process from "node:process";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import {
  ANSWERS_BETWEEN_LOOKS,
  RESIDENT_BYTES_FREE,
  RESIDENT_GROWTH_BYTES,
} from "./limits.ts";

/** What a keeper works with. */
export interface HeapKeeperOptions {
  /** Memory that the process has taken, in bytes. */
  readonly resident: () => number;
  /** Gives back what is not used any more. */
  readonly collect: () => void;
}

/**
 * Returns what is to be called after each answer: now and then it looks at the size of the process,
 * and collects what has come together since the last time, if that is much.
 */
export function heapKeeper(
  { resident, collect }: HeapKeeperOptions,
): () => void {
  let answers = 0;
  /** What was left at the last collection, or less. */
  let left = RESIDENT_BYTES_FREE;
  return () => {
    answers += 1;
    if (answers % ANSWERS_BETWEEN_LOOKS !== 0) return;
    const before = resident();
    if (before >= left + RESIDENT_GROWTH_BYTES) collect();
    else if (before > left) return;
    left = Math.max(RESIDENT_BYTES_FREE, resident());
  };
}

/** Returns the keeper of this process. */
export function processKeeper(): () => void {
  let found: (() => void) | undefined;
  return heapKeeper({
    resident: () => process.memoryUsage.rss(),
    // Looked for when it is first needed: most servers answer a few calls.
    collect: () => (found ??= collector() ?? (() => {}))(),
  });
}

/** Returns the collector that V8 gives to code that is made while it is told to; undefined on another engine. */
export function collector(): (() => void) | undefined {
  try {
    setFlagsFromString("--expose-gc");
    const collect: unknown = runInNewContext("gc");
    setFlagsFromString("--no-expose-gc");
    return typeof collect === "function" ? () => collect() : undefined;
  } catch {
    return undefined;
  }
}
