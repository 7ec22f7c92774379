/**
 * `mnem merge`: brings another line of history in.
 *
 * @module
 */

import { requireCleanStage } from "../clean_stage.ts";
import type { Call, Command } from "../command.ts";
import { MERGE_OPTIONS, mergeOptionsOf } from "../merge_options.ts";
import { reportMerged } from "../merged.ts";

/** See the module. */
export const MERGE: Command = {
  name: "merge",
  summary: "bring another branch into this one",
  more:
    "Nodes that both sides changed are conflicts: they are shown with the evidence of each side, nothing is written, and the status is 1. What is staged stops a merge.",
  arguments: [{ name: "revision", what: "the branch or commit to bring in" }],
  options: [
    ...MERGE_OPTIONS,
    {
      flags: "--allow-unrelated",
      what: "even if the two histories have nothing in common",
    },
  ],
  examples: [
    "mnem merge billing --dry-run",
    "mnem merge billing --resolve plan=theirs",
    `mnem merge billing --set 'plan="team"' --source customer`,
  ],
  run: merge,
};

async function merge({ given, report, open }: Call): Promise<number> {
  const theirs = given.required(0);
  const options = {
    ...mergeOptionsOf(given),
    allowUnrelated: given.has("allowUnrelated"),
  };
  const isDryRun = given.has("dryRun");
  const store = await open();
  if (!isDryRun) await requireCleanStage(store, "merge");
  const result = await store.merge(theirs, options);
  return await reportMerged(store, report, result, {
    command: "merge",
    revision: theirs,
    flags: given.flags("dryRun"),
    isDryRun,
    upToDate: "already up to date",
  });
}
