/**
 * `mnem init`: makes a store.
 *
 * @module
 */

import { dirname } from "node:path";
import { initStore, MnemError } from "@mnem/core";
import type { Call, Command } from "../command.ts";
import { namedStore, placeOf, storeAbove } from "../find_store.ts";
import { UsageError } from "../given.ts";
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

async function init({ given, report, io }: Call): Promise<void> {
  const path = given.argument(0);
  if (path !== undefined && given.has("store")) {
    throw new UsageError("the folder is given twice: as a path and by --store");
  }
  const named = path === undefined ? namedStore(given, io) : undefined;
  const place = named ?? placeOf(path ?? ".", io);
  if (named === undefined) await refuseNested(place);
  await using store = await initStore(place, {
    defaultBranch: given.text("initialBranch"),
    stateForm: given.text("stateForm") === "flat" ? "flat" : "tree",
  });
  const status = await statusOf(store);
  await report.value(() => status, () => [
    `made a new store in ${visible(store.location)}`,
  ]);
  await report.hint("mnem remember <id> <text>");
}

/** A store inside another one would hide it from whoever works there. */
async function refuseNested(place: string): Promise<void> {
  if (/^https?:/.test(place)) return;
  const outer = await storeAbove(dirname(place));
  if (outer === undefined) return;
  throw new MnemError(
    "store_exists",
    `Cannot make a store in ${
      JSON.stringify(place)
    }: there is one above it, in ${
      JSON.stringify(outer)
    }; --store names a folder in which to make one all the same`,
  );
}
