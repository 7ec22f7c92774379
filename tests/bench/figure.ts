/**
 * What a bench measured.
 *
 * @module
 */

import type { StorePool } from "./store_pool.ts";

/** One measured row. Times are medians in milliseconds, and mean something beside their floor only. */
export interface Figure {
  /** The bench. */
  readonly bench: string;
  /** Whose figures they are, where a bench measures more than one thing. */
  readonly of?: string;
  /** What was varied: mostly the number of nodes. */
  readonly size: number;
  /** What was measured. */
  readonly values: Values;
}

/** Measured values by name; a unit stands last in the name, and a ratio ends in `ratio`. */
export interface Values {
  readonly [name: string]: number;
}

/** How much to measure. */
export interface BenchScale {
  /** Numbers of nodes. */
  readonly nodes: readonly number[];
  /** Commits a measurement. */
  readonly commits: number;
  /** Questions a measurement, each on a handle of its own. */
  readonly questions: number;
  /** Lengths of history: the shorter, the longer. */
  readonly histories: readonly [number, number];
  /** Repeated runs, of which the median counts. */
  readonly runs: number;
  /** Numbers of processes that write at once. */
  readonly processes: readonly number[];
  /** Whether a short run: it leaves out what is no gate. */
  readonly short: boolean;
}

/** What a bench is given. */
export interface BenchContext {
  /** How much to measure. */
  readonly scale: BenchScale;
  /** The stores that benches share. */
  readonly stores: StorePool;
}

/** A bench. */
export type Bench = (context: BenchContext) => Promise<readonly Figure[]>;

/** The median of some numbers, at least one. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? NaN;
}

/** The median of each value by name. */
export function medians(runs: readonly Values[]): Values {
  const names = Object.keys(runs[0] ?? {});
  return Object.fromEntries(
    names.map((name) => [name, median(runs.map((run) => run[name] ?? NaN))]),
  );
}

/** The milliseconds that a call took. */
export async function timed(call: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await call();
  return performance.now() - startMs;
}

/** Calls of two kinds, taking turns in changing order so that the machine's moods cancel out; the times of each. */
export async function inTurns(
  turns: number,
  first: (turn: number) => Promise<number>,
  second: (turn: number) => Promise<number>,
): Promise<readonly [number[], number[]]> {
  const times: [number[], number[]] = [[], []];
  for (let turn = 0; turn < turns; turn++) {
    if (turn % 2 === 0) times[0].push(await first(turn));
    times[1].push(await second(turn));
    if (turn % 2 === 1) times[0].push(await first(turn));
  }
  return times;
}

/** A number with as many digits as it deserves. */
export function round(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return value >= 1_000 ? String(Math.round(value)) : value.toPrecision(3);
}
