/**
 * Many thousand commits by one process: its memory stays where it was, and the file grows by what each
 * commit stores.
 *
 * The whole of it, 100,000 writes: `deno test -A --frozen tests/deep/soak_deep.ts -- --whole`.
 *
 * @module
 */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { runProgram } from "../support/program.ts";
import { reportFigures } from "../support/report_figures.ts";
import type { Soaked } from "./soak_program.ts";

/** How long it takes on two cores; the whole takes four times as long. */
export const SECONDS = 30;

const WRITES = Deno.args.includes("--whole") ? 100_000 : 18_000;
/** Each value takes 2,000 bytes of the 16 MB for nodes, the cache that is full last. */
const BEFORE = 8_000;
const PROGRAM = fileURLToPath(new URL("./soak_program.ts", import.meta.url));

Deno.test(`${WRITES} writes leave memory as it was, and a file grown by what they stored`, async () => {
  const { code, stdout, stderr } = await runProgram(
    [Deno.execPath(), "run", "-A", "--no-check", PROGRAM],
    [String(WRITES), String(BEFORE)],
  );
  assert.equal(code, 0, stderr);
  const { early, late, grown, stored }: Soaked = JSON.parse(stdout);
  const figures = {
    writes: WRITES,
    earlyMegabytes: Math.round(early / 1e6),
    lateMegabytes: Math.round(late / 1e6),
    fileBytesPerCommit: Math.round(grown),
    valueBytesPerCommit: Math.round(stored),
  };
  const said = JSON.stringify(figures);
  console.log(said);
  assert.ok(early > 1e6 && late < early * 1.1 + 5e6, said);
  // Pages are seldom full, and each row has its place in an index beside its own.
  assert.ok(grown > stored * 0.8 && grown < stored * 1.6, said);
  reportFigures("soak", figures);
});
