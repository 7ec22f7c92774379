/**
 * `mnem unstage`: drops what is staged.
 *
 * @module
 */

import { MnemError } from "@mnem/core";
import { stagedIds } from "../clean_stage.ts";
import type { Call, Command } from "../command.ts";
import { UsageError } from "../given.ts";
import { shown } from "../render/visible.ts";

/** See the module. */
export const UNSTAGE: Command = {
  name: "unstage",
  summary: "drop what is staged for nodes",
  arguments: [
    { name: "id", what: "the nodes' ids", optional: true, repeated: true },
  ],
  options: [{ flags: "-a, --all", what: "everything that is staged" }],
  examples: ["mnem unstage draft", "mnem unstage --all"],
  run: unstage,
};

async function unstage({ given, report, open }: Call): Promise<void> {
  const named = given.rest(0);
  if (given.has("all") === named.length > 0) {
    throw new UsageError("ids must be given, or --all");
  }
  const store = await open();
  const staged = await stagedIds(store);
  const missing = named.find((id) => !staged.includes(id));
  if (missing !== undefined) {
    throw new MnemError(
      "not_found",
      `Cannot unstage node ${
        JSON.stringify(missing)
      }: nothing is staged for it`,
    );
  }
  const ids = given.has("all") ? staged : [...new Set(named)];
  for (const id of ids) await store.stage.unstage(id);
  await report.value(
    () => ({ result: ids }),
    () =>
      ids.length === 0
        ? ["nothing is staged"]
        : ids.map((id) => `unstaged ${shown(id)}`),
  );
}
