/**
 * What a test counted, for the page of promises: docs/RELIABILITY.md is written from what a run reports.
 *
 * @module
 */

import { appendFileSync } from "node:fs";

/** Names the file that figures are added to, one JSON line each; unset: nobody wants them. */
const FIGURES_FILE = "MNEM_FIGURES";

/**
 * Reports what a test counted once all its checks have passed.
 *
 * @param promise which promise the test keeps, a few words in kebab-case, for example "kill-9"
 * @param figures counts by what they count, for example `{ rounds: 50, kills: 50, lost: 0 }`
 */
export function reportFigures(
  promise: string,
  figures: Readonly<Record<string, number | string>>,
): void {
  const file = Deno.env.get(FIGURES_FILE);
  if (file === undefined) return;
  appendFileSync(file, `${JSON.stringify({ promise, figures })}\n`);
}
