/**
 * What a bench measured, and the bounds that it is held to.
 *
 * @module
 */

/** One measured row. Times are medians in milliseconds, and mean something beside their floor only. */
export interface Figure {
  /** The bench. */
  readonly bench: string;
  /** What was varied. */
  readonly size: number;
  /** What was measured. */
  readonly values: { readonly [name: string]: number };
}

/** A bound on a figure: exact for counts, loose for ratios, none for milliseconds. */
export interface Gate {
  /** What is bounded, for a person. */
  readonly what: string;
  /** The measured value. */
  readonly value: number;
  /** A ratio or a size in memory, which another machine or moment moves: a short run only bounds it loosely. */
  readonly loose?: true;
  /** The bound. */
  readonly bound: { readonly most: number } | { readonly least: number } | {
    readonly exactly: number;
  };
}

/** What one bench gives. */
export interface BenchResult {
  /** Its rows. */
  readonly figures: readonly Figure[];
  /** Its bounds. */
  readonly gates: readonly Gate[];
}

/** How much to measure. */
export interface BenchScale {
  /** Numbers of nodes. */
  readonly nodes: readonly number[];
  /** Commits a measurement. */
  readonly commits: number;
  /** Lengths of history: the shorter, the longer. */
  readonly histories: readonly [number, number];
  /** Repeated runs, of which the median counts. */
  readonly runs: number;
  /** By how much loose bounds are looser: a short run on a busy machine must not fail for nothing. */
  readonly slack: number;
}

/** The median of some numbers, at least one. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? NaN;
}

/** The milliseconds that a call took. */
export async function timed(call: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await call();
  return performance.now() - startMs;
}

/** A gate as a short run holds it: a loose bound by so much looser. */
export function loosened(gate: Gate, slack: number): Gate {
  const { bound } = gate;
  if (!gate.loose) return gate;
  if ("most" in bound) return { ...gate, bound: { most: bound.most * slack } };
  if ("least" in bound) {
    return { ...gate, bound: { least: bound.least / slack } };
  }
  return gate;
}

/** Whether a gate holds. */
export function holds({ value, bound }: Gate): boolean {
  if ("most" in bound) return value <= bound.most;
  if ("least" in bound) return value >= bound.least;
  return value === bound.exactly;
}

/** A gate as a line. */
export function describeGate(gate: Gate): string {
  const { bound } = gate;
  const must = "most" in bound
    ? `at most ${round(bound.most)}`
    : "least" in bound
    ? `at least ${round(bound.least)}`
    : `exactly ${bound.exactly}`;
  const sign = holds(gate) ? "ok  " : "FAIL";
  return `${sign} ${gate.what}: ${round(gate.value)}, must be ${must}`;
}

/** A number with as many digits as it deserves. */
export function round(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toPrecision(3);
}
