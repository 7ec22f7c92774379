/**
 * `mnem rm`: stages removals.
 *
 * @module
 */

import { MnemError } from "@mnem/core";
import type { Call, Command } from "../command.ts";
import { shown } from "../render/visible.ts";

/** See the module. */
export const RM: Command = {
  name: "rm",
  summary: "stage the removal of nodes; the past keeps them",
  more: "A node that is only staged is taken off the stage.",
  arguments: [{ name: "id", what: "the nodes' ids", repeated: true }],
  examples: ["mnem rm draft", "mnem rm a b -- -c"],
  run: rm,
};

async function rm({ given, report, open }: Call): Promise<void> {
  const ids = given.rest(0);
  const store = await open();
  // All or none: each is looked at before the first is staged.
  const { nodes } = await store.stage.list();
  for (const id of ids) {
    if (nodes.has(id) || await store.node(id) !== null) continue;
    throw new MnemError(
      "not_found",
      `Cannot remove node ${
        JSON.stringify(id)
      }: it is neither staged nor in memory`,
    );
  }
  for (const id of new Set(ids)) await store.stage.remove(id);
  await report.value(
    () => ({ result: ids }),
    () => ids.map((id) => `staged the removal of ${shown(id)}`),
  );
}
