/**
 * What a test counted, for the page of promises: docs/RELIABILITY.md is written from what a run reports.
 *
 * @module
 */

import { appendFileSync } from "node:fs";

/** Names the file that figures are added to, one JSON line each; unset: nobody wants them. */
const FIGURES_FILE = "MNEM_FIGURES";

/** Counts by what they count, for example `{ rounds: 50, kills: 50, lost: 0 }`. */
export type Figures = { readonly [what: string]: number | string };

/**
 * Reports what a test counted once all its checks have passed.
 *
 * @param promise which promise the test keeps, a few words in kebab-case, for example "kill-9"; it
 *   stands in `scripts/promises.ts`
 * @param figures counts; several rows of them, with the same names, make a table
 */
export function reportFigures(
  promise: string,
  figures: Figures | readonly Figures[],
): void {
  const file = Deno.env.get(FIGURES_FILE);
  if (file === undefined) return;
  appendFileSync(file, `${JSON.stringify({ promise, figures })}\n`);
}
