/**
 * What the benches are held to, and whether they were in this run.
 *
 * @module
 */

import type { Verdict } from "../../tests/bench/gate_rules.ts";
import { markdownTable, shown, shownSize } from "./markdown_table.ts";

/** A row a gate, its sizes beside each other. */
export function gateTable(verdicts: readonly Verdict[]): string {
  const gates = [...new Set(verdicts.map(({ gate }) => gate))];
  const rows = gates.map((gate) => {
    const own = verdicts.filter((verdict) => verdict.gate === gate);
    const measured = own.map(({ of }) =>
      of === undefined ? "-" : `${shown(of.value)} (${shownSize(of.size)})`
    );
    const must = [...new Set(own.map((verdict) => verdict.must))];
    const broken = own.filter(({ holds }) => !holds);
    return [
      `${gate.bench} ${gate.value}`,
      must.join(", "),
      measured.join(", "),
      broken.length === 0 ? "holds" : "**does not**",
    ];
  });
  return markdownTable(["gate", "must be", "measured (at)", ""], rows);
}
