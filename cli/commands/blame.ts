/**
 * `mnem blame`: why a node is believed.
 *
 * @module
 */

import { toWire, why } from "@mnem/agents";
import type { Call, Command } from "../command.ts";
import { blameLines } from "../render/blame.ts";

/** See the module. */
export const BLAME: Command = {
  name: "blame",
  alias: "why",
  summary: "show the commit and the evidence behind a node's value",
  arguments: [
    { name: "id", what: "the node's id" },
    { name: "revision", what: "as of this commit (else HEAD)", optional: true },
  ],
  examples: ["mnem blame plan", "mnem blame plan HEAD~5", "mnem why plan"],
  run: blame,
};

async function blame({ given, report, open }: Call): Promise<void> {
  const store = await open();
  const found = await why(store, given.required(0), { at: given.argument(1) });
  await report.value(
    () => toWire(found),
    () => blameLines(found, report.style),
  );
}
