/**
 * `mnem forget`: takes a node out of memory.
 *
 * @module
 */

import { forget } from "@mnem/agents";
import type { Call, Command } from "../command.ts";
import {
  BASE_OPTION,
  COMMIT_OPTIONS,
  ONCE_OPTION,
  summaryOf,
} from "../commit_options.ts";
import { reportWritten } from "../written.ts";

/** See the module. */
export const FORGET: Command = {
  name: "forget",
  summary: "take a node out of memory, as one commit; the past keeps it",
  arguments: [{ name: "id", what: "the node's id" }],
  options: [...COMMIT_OPTIONS, ONCE_OPTION, BASE_OPTION],
  examples: ["mnem forget draft", 'mnem forget draft -m "it was wrong"'],
  run: remove,
};

async function remove({ given, report, open }: Call): Promise<void> {
  const store = await open();
  const summary = await summaryOf(given, store);
  const written = await forget(store, given.required(0), summary);
  await reportWritten(store, report, written, "already so: no commit was made");
}
