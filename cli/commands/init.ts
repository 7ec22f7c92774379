/**
 * `mnem init`: makes a store.
 *
 * @module
 */

import { initStore } from "@mnem/core";
import type { Call, Command } from "../command.ts";
import { newPlace } from "../find_store.ts";
import { statusOf } from "../store_status.ts";
import { visible } from "../render/visible.ts";

/** See the module. */
export const INIT: Command = {
  name: "init",
  summary: "make a store in this folder, or in another one",
  more:
    "The store lies in .mnem inside the folder, which is made too. In a folder below one that holds a store none is made, unless --store names it.",
  arguments: [{
    name: "path",
    what: "the folder (else this one)",
    optional: true,
  }],
  options: [
    {
      flags: "-b, --initial-branch <name>",
      what: 'the first branch (else "main")',
    },
    {
      flags: "--state-form <form>",
      what: "how large memories are stored (else tree)",
      words: ["tree", "flat"],
    },
  ],
  examples: [
    "mnem init",
    "mnem init ./mem",
    "mnem init -b trunk --store=./mem",
  ],
  run: init,
};

async function init({ given, report, io, keep }: Call): Promise<void> {
  const place = await newPlace(given, io, given.argument(0));
  const store = keep(
    await initStore(place, {
      defaultBranch: given.text("initialBranch"),
      stateForm: given.text("stateForm") === "flat" ? "flat" : "tree",
    }),
  );
  const status = await statusOf(store);
  await report.value(() => status, () => [
    `made a new store in ${visible(store.location)}`,
  ]);
  await report.hint("mnem remember <id> <text>");
}
