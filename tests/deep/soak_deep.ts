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
export const SECONDS = 35;

const WRITES = Deno.args.includes("--whole") ? 100_000 : 30_000;
/** Each value takes 2,000 bytes of the 16 MB for nodes, the cache that is full last; the engine's heap has grown by then. */
const BEFORE = 15_000;
const PROGRAM = fileURLToPath(new URL("./soak_program.ts", import.meta.url));

Deno.test(`${WRITES} writes leave memory as it was, and a file grown by what they stored`, async () => {
  const { code, stdout, stderr } = await runProgram(
    [Deno.execPath(), "run", "-A", "--v8-flags=--expose-gc"],
    [PROGRAM, String(WRITES), String(BEFORE)],
  );
  assert.equal(code, 0, stderr);
  const { early, late, grown, stored }: Soaked = JSON.parse(stdout);
  const figures = {
    writes: WRITES,
    rssMegabytes: Math.round(early.rss / 1e6),
    rssMegabytesAfter: Math.round(late.rss / 1e6),
    liveMegabytes: Math.round(early.live / 1e6),
    liveMegabytesAfter: Math.round(late.live / 1e6),
    fileBytesPerCommit: Math.round(grown),
    valueBytesPerCommit: Math.round(stored),
  };
  const said = JSON.stringify(figures);
  console.log(said);
  assert.ok(early.live > 1e6 && late.live < early.live * 1.1 + 2e6, said);
  assert.ok(late.rss < early.rss * 1.1 + 5e6, said);
  // Pages are seldom full, and each row has its place in an index beside its own.
  assert.ok(grown > stored * 0.8 && grown < stored * 1.6, said);
  reportFigures("soak", figures);
});
