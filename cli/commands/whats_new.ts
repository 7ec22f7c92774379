/**
 * `mnem whats-new`: what one commit changed.
 *
 * @module
 */

import { whatsNew } from "@mnem/agents";
import type { Call, Command } from "../command.ts";
import { changeLine } from "../render/change.ts";
import { changesJson } from "../written.ts";

/** See the module. */
export const WHATS_NEW: Command = {
  name: "whats-new",
  summary: "list the nodes that a commit added, modified and removed",
  more: "Of a merge: what it brought into the branch.",
  arguments: [
    { name: "revision", what: "the commit (else HEAD)", optional: true },
  ],
  examples: ["mnem whats-new", "mnem whats-new billing~1"],
  run: list,
};

async function list({ given, report, open }: Call): Promise<void> {
  const store = await open();
  const changes = await whatsNew(store, given.argument(0));
  await report.value(
    () => ({ result: changesJson(changes) }),
    () =>
      changes.size === 0
        ? ["no changes"]
        : Array.from(changes, ([id, kind]) =>
          changeLine(id, kind, report.style)),
  );
}
