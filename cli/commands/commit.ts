/**
 * `mnem commit`: makes a commit of what is staged.
 *
 * @module
 */

import { type Call, type Command, EXIT_UNDONE } from "../command.ts";
import {
  COMMIT_OPTIONS,
  commitOptionsOf,
  ONCE_OPTION,
} from "../commit_options.ts";
import { UsageError } from "../given.ts";
import { reportWritten } from "../written.ts";

/** See the module. */
export const COMMIT: Command = {
  name: "commit",
  summary: "make a commit of what is staged",
  more: "With nothing staged it ends with status 1.",
  options: [
    ...COMMIT_OPTIONS,
    ONCE_OPTION,
    { flags: "--allow-empty", what: "make one even where nothing changes" },
  ],
  examples: [
    'mnem commit -m "open the account"',
    'mnem commit -m "read the note" --author support-agent',
  ],
  run: commit,
};

async function commit({ given, report, open }: Call): Promise<number> {
  const { message, ...options } = commitOptionsOf(given);
  if (message === undefined) {
    throw new UsageError("a commit needs a message: -m must be given");
  }
  const allowEmpty = given.has("allowEmpty");
  const store = await open();
  const written = await store.stage.commit({ ...options, message, allowEmpty });
  await reportWritten(
    store,
    report,
    written,
    allowEmpty ? "made an empty commit" : "nothing staged that is new",
  );
  if (written.changes.size > 0 || allowEmpty) return 0;
  await report.hint("mnem add <id> <text>");
  return EXIT_UNDONE;
}
