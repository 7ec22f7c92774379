/**
 * All commands, in the order in which help lists them.
 *
 * @module
 */

import type { Command } from "./command.ts";
import { ADD } from "./commands/add.ts";
import { BLAME } from "./commands/blame.ts";
import { BRANCH } from "./commands/branch.ts";
import { COMMIT } from "./commands/commit.ts";
import { completions } from "./commands/completions.ts";
import { DIFF } from "./commands/diff.ts";
import { EXPORT } from "./commands/export.ts";
import { FORGET } from "./commands/forget.ts";
import { IMPORT } from "./commands/import.ts";
import { INIT } from "./commands/init.ts";
import { LOG } from "./commands/log.ts";
import { MERGE } from "./commands/merge.ts";
import { RECALL } from "./commands/recall.ts";
import { REMEMBER } from "./commands/remember.ts";
import { REVERT } from "./commands/revert.ts";
import { RM } from "./commands/rm.ts";
import { SERVE } from "./commands/serve.ts";
import { SHOW } from "./commands/show.ts";
import { STATUS } from "./commands/status.ts";
import { CHECKOUT, SWITCH } from "./commands/switch.ts";
import { UNSTAGE } from "./commands/unstage.ts";
import { VERIFY } from "./commands/verify.ts";
import { VERSIONS } from "./commands/versions.ts";
import { WATCH } from "./commands/watch.ts";
import { WHATS_NEW } from "./commands/whats_new.ts";
import { BISECT, WHEN_DID } from "./commands/when_did.ts";

/** The table that parsing, help, completions and the documents are made from. */
export const COMMANDS: readonly Command[] = [
  INIT,
  REMEMBER,
  FORGET,
  RECALL,
  BLAME,
  WHEN_DID,
  WHATS_NEW,
  VERSIONS,
  ADD,
  RM,
  UNSTAGE,
  STATUS,
  DIFF,
  COMMIT,
  LOG,
  SHOW,
  BRANCH,
  SWITCH,
  CHECKOUT,
  MERGE,
  REVERT,
  BISECT,
  VERIFY,
  EXPORT,
  IMPORT,
  WATCH,
  SERVE,
  completions(() => COMMANDS),
];
