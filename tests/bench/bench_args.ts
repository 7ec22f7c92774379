/**
 * The flags of the benches.
 *
 * @module
 */

import { parseArgs } from "node:util";
import type { BenchScale } from "./figure.ts";

/** What to run. */
export interface BenchArgs {
  /** How much to measure. */
  readonly scale: BenchScale;
  /** The benches by name, or undefined for all that the scale takes. */
  readonly only: readonly string[] | undefined;
  /** The file that takes the JSON lines. */
  readonly json: string | undefined;
}

/** One line a flag. */
export const USAGE = `Usage: deno task bench [flags]
  --short        small sizes, and the gates loosely: what CI runs
  --million      1,000,000 nodes too
  --only=NAME    one bench; may be given several times
  --runs=N       repeated runs, of which the median counts; default 3
  --json=FILE    writes the JSON lines to a file too`;

const SHORT: BenchScale = {
  nodes: [100, 1_000, 10_000],
  commits: 60,
  questions: 15,
  histories: [1_000, 2_000],
  runs: 3,
  processes: [2],
  short: true,
};
const LONG: BenchScale = {
  nodes: [100, 1_000, 10_000, 100_000],
  commits: 300,
  questions: 50,
  histories: [1_000, 20_000],
  runs: 3,
  processes: [2, 4],
  short: false,
};
const MILLION = 1_000_000;

/** Reads the flags; a RangeError says which of them is wrong. */
export function parseBenchArgs(
  args: readonly string[],
  names: readonly string[],
): BenchArgs {
  const { values } = parseFlags(args);
  const { short = false, million = false, only, runs = "3", json } = values;
  if (short && million) {
    throw new RangeError("Cannot run --short with --million");
  }
  if (!/^[1-9]\d{0,2}$/.test(runs)) {
    throw new RangeError(`Cannot run "${runs}" times: it must be 1 to 999`);
  }
  const unknown = only?.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const all = names.join(", ");
    throw new RangeError(`There is no bench "${unknown}"; there are ${all}`);
  }
  const scale = short ? SHORT : LONG;
  const nodes = million ? [...scale.nodes, MILLION] : scale.nodes;
  return { scale: { ...scale, nodes, runs: Number(runs) }, only, json };
}

function parseFlags(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        short: { type: "boolean" },
        million: { type: "boolean" },
        only: { type: "string", multiple: true },
        runs: { type: "string" },
        json: { type: "string" },
      },
    });
  } catch (cause) {
    throw new RangeError(Error.isError(cause) ? cause.message : "", { cause });
  }
}
