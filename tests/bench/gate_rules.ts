/**
 * How figures are held to bounds: counts exactly, ratios loosely, times in long runs alone.
 *
 * @module
 */

import { type Figure, round } from "./figure.ts";

/** A number, or one for each size; a size that is not named is not bounded. */
export type PerSize = number | { readonly [size: number]: number };

/** What a value must be. */
export type Bound =
  | { readonly most: PerSize }
  | { readonly least: PerSize }
  | { readonly exactly: PerSize };

/** A bound on a value of a bench. */
export interface Gate {
  /** A count holds in every run, a ratio in a short one loosely, a time in a long one alone. */
  readonly kind: "count" | "ratio" | "time";
  /** The bench, and after a colon whose figures, if there are several. */
  readonly bench: string;
  /** The name of the value. */
  readonly value: string;
  /** What it must be. */
  readonly bound: Bound;
  /** Of the largest size to the smallest one: divided by it, or by how much more. */
  readonly ends?: "divided" | "more";
}

/** A gate applied to a figure. */
export interface Verdict {
  /** The gate. */
  readonly gate: Gate;
  /** The size of the figure, and its value; undefined where it was not measured. */
  readonly of: Sized | undefined;
  /** What it must be, in words. */
  readonly must: string;
  /** What was judged, in a line. */
  readonly line: string;
  /** Whether it holds. */
  readonly holds: boolean;
}

/** By how much ratios are looser in a short run: on a busy machine it must not fail for nothing. */
export const SHORT_SLACK = 3;

/** Judges figures; a gate of a bench that was run, whose value is missing, does not hold. */
export function judge(
  figures: readonly Figure[],
  gates: readonly Gate[],
  { short }: { readonly short: boolean },
): Verdict[] {
  return gates.filter(({ kind }) => !short || kind !== "time").flatMap(
    (gate) => {
      const own = figures.filter((figure) => nameOf(figure) === gate.bench);
      if (own.length === 0) return [];
      const values = own.map(({ size, values }) => ({
        size,
        value: values[gate.value] ?? NaN,
      })).filter(({ value }) => !Number.isNaN(value));
      if (values.length === 0) return [verdict(gate, { short })];
      const judged = gate.ends === undefined
        ? values
        : endsOf(values, gate.ends);
      return judged.flatMap(({ size, value }) =>
        boundAt(gate.bound, size) === undefined
          ? []
          : [verdict(gate, { short, of: { size, value } })]
      );
    },
  );
}

/** The name by which gates call a figure's bench. */
export function nameOf({ bench, of }: Pick<Figure, "bench" | "of">): string {
  return of === undefined ? bench : `${bench}:${of}`;
}

/** A value at a size. */
export interface Sized {
  /** What was varied. */
  readonly size: number;
  /** The value. */
  readonly value: number;
}

function endsOf(values: readonly Sized[], how: "divided" | "more"): Sized[] {
  const [smallest, ...rest] = values.toSorted((a, b) => a.size - b.size);
  const largest = rest.at(-1);
  if (smallest === undefined || largest === undefined) return [];
  const value = how === "divided"
    ? largest.value / smallest.value
    : largest.value - smallest.value;
  return [{ size: largest.size, value }];
}

function boundAt(bound: Bound, size: number): number | undefined {
  const per = Object.values(bound)[0];
  return typeof per === "number" ? per : per?.[size];
}

function verdict(
  gate: Gate,
  { short, of }: { readonly short: boolean; readonly of?: Sized },
): Verdict {
  const what = describe(gate, of);
  if (of === undefined) {
    const line = `FAIL ${what}: was not measured`;
    return { gate, of, must: "measured", line, holds: false };
  }
  const { bound } = gate;
  const slack = short && gate.kind === "ratio" ? SHORT_SLACK : 1;
  const limit = boundAt(bound, of.size) ?? NaN;
  const [must, holds] = "most" in bound
    ? [`at most ${round(limit * slack)}`, of.value <= limit * slack]
    : "least" in bound
    ? [`at least ${round(limit / slack)}`, of.value >= limit / slack]
    : [`exactly ${limit}`, of.value === limit];
  const sign = holds ? "ok  " : "FAIL";
  const line = `${sign} ${what}: ${round(of.value)}, must be ${must}`;
  return { gate, of, must, line, holds };
}

function describe({ bench, value, ends }: Gate, of: Sized | undefined): string {
  const at = of === undefined ? "" : ` at ${of.size}`;
  const over = ends === undefined ? "" : {
    divided: " / at the smallest",
    more: " more than at the smallest",
  }[ends];
  return `${bench} ${value}${at}${over}`;
}
