/**
 * `mnem revert`: takes back what one commit changed.
 *
 * @module
 */

import type { RevertOptions } from "@mnem/core";
import { requireCleanStage } from "../clean_stage.ts";
import type { Call, Command } from "../command.ts";
import { MERGE_OPTIONS, mergeOptionsOf } from "../merge_options.ts";
import { reportMerged } from "../merged.ts";

/** See the module. */
export const REVERT: Command = {
  name: "revert",
  summary: "take back what one commit changed, as a new commit",
  more:
    "Nodes that were changed since are conflicts, decided as those of a merge. A merge can be taken back too: --parent says to which of its sides memory goes back.",
  arguments: [{ name: "revision", what: "the commit to take back" }],
  options: [
    {
      flags: "--parent <number>",
      what: "of a merge: the parent to go back to",
      words: ["1", "2"],
    },
    ...MERGE_OPTIONS,
  ],
  examples: [
    "mnem revert HEAD~2",
    "mnem revert 27be6b7ef0dc --dry-run",
    "mnem revert HEAD --parent 1",
  ],
  run: revert,
};

async function revert({ given, report, open }: Call): Promise<number> {
  const revision = given.required(0);
  const parent = given.integer("parent");
  const isDryRun = given.has("dryRun");
  const options: RevertOptions = {
    ...mergeOptionsOf(given),
    parent: parent === 1 || parent === 2 ? parent : undefined,
  };
  const store = await open();
  if (!isDryRun) await requireCleanStage(store, "revert");
  const result = await store.revert(revision, options);
  return await reportMerged(store, report, result, {
    command: "revert",
    revision,
    flags: given.flags("dryRun"),
    isDryRun,
    upToDate: "nothing to take back",
  });
}
