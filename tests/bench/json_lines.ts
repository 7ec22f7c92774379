/**
 * Figures as lines of JSON, and what machine they were measured on.
 *
 * @module
 */

import { availableParallelism, cpus, loadavg } from "node:os";
import type { Figure } from "./figure.ts";

/** The machine at one moment of a run; a run begins and ends with one. */
export interface Machine {
  /** When, as ISO 8601. */
  readonly time: string;
  /** Processors. */
  readonly cpus: number;
  /** Their name. */
  readonly cpu: string;
  /** The system. */
  readonly system: string;
  /** What ran the benches. */
  readonly deno: string;
  /** How many processes waited to run on average in the last minute. */
  readonly load: number;
}

/** What the lines of a run hold. */
export interface RunLines {
  /** In the order of the run. */
  readonly machines: readonly Machine[];
  /** In the order of the run. */
  readonly figures: readonly Figure[];
}

/** A line for the machine as it is now. */
export function machineLine(): string {
  const machine: Machine = {
    time: new Date().toISOString(),
    cpus: availableParallelism(),
    cpu: cpus()[0]?.model ?? "unknown",
    system: `${Deno.build.os} ${Deno.build.arch}`,
    deno: Deno.version.deno,
    load: Number(loadavg()[0]?.toFixed(2) ?? 0),
  };
  return JSON.stringify({ machine });
}

/** A line for a figure; five digits are more than it can be repeated to. */
export function figureLine({ bench, of, size, values }: Figure): string {
  const short = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      Number.isInteger(value) ? value : Number(value.toPrecision(5)),
    ]),
  );
  return JSON.stringify({ bench, of, size, values: short });
}

/** Reads the lines of a run. */
export function parseLines(text: string): RunLines {
  const lines = text.split("\n").filter((line) => line !== "").map((
    line,
  ): { readonly machine: Machine } | Figure => JSON.parse(line));
  return {
    machines: lines.flatMap((line) => "machine" in line ? [line.machine] : []),
    figures: lines.flatMap((line) => "machine" in line ? [] : [line]),
  };
}
