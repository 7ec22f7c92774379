/**
 * `mnem switch` and `mnem checkout`: go on at another branch or commit.
 *
 * @module
 */

import type { Head, Store } from "@mnem/core";
import { requireCleanStage, stagedIds } from "../clean_stage.ts";
import type { Call, Command, OptionSpec } from "../command.ts";
import { UsageError } from "../given.ts";
import { shortId } from "../render/commit.ts";
import { shown } from "../render/visible.ts";

const MORE =
  "HEAD moves for everybody who follows it. At a commit HEAD is detached: there memory is read as it was, and nothing can be written. What is staged stops a switch.";

const ARGUMENTS = [
  { name: "revision", what: "a branch, or a commit", optional: true },
] as const;

const OPTIONS: readonly OptionSpec[] = [
  { flags: "--detach", what: "at its commit, even if it is a branch" },
  { flags: "--discard", what: "drop what is staged" },
];

/** See the module. */
export const SWITCH: Command = {
  name: "switch",
  summary: "go on at another branch",
  more: MORE,
  arguments: ARGUMENTS,
  options: [
    {
      flags: "-c, --create <name>",
      what: "make this branch there first, and go on at it",
    },
    ...OPTIONS,
  ],
  examples: [
    "mnem switch billing",
    "mnem switch -c guess HEAD~2",
    "mnem switch main --discard",
  ],
  run: (call) => switchTo(call, call.given.text("create"), "switch"),
};

/** See the module. */
export const CHECKOUT: Command = {
  name: "checkout",
  summary: "the same as switch, with -b to make a branch",
  more: MORE,
  arguments: ARGUMENTS,
  options: [
    {
      flags: "-b <name>",
      what: "make this branch there first, and go on at it",
    },
    ...OPTIONS,
  ],
  examples: [
    "mnem checkout billing",
    "mnem checkout -b guess HEAD~2",
    "mnem checkout 27be6b7ef0dc",
  ],
  run: (call) => switchTo(call, call.given.text("b"), "checkout"),
};

async function switchTo(
  { given, report, open }: Call,
  made: string | undefined,
  action: string,
): Promise<void> {
  const target = given.argument(0);
  if (target === undefined && made === undefined) {
    throw new UsageError("a branch or a commit must be given");
  }
  if (made !== undefined && given.has("detach")) {
    throw new UsageError("--detach and a new branch exclude each other");
  }
  const store = await open();
  const before = await store.head();
  const to = await targetOf(store, target ?? "HEAD", given.has("detach"));
  if (made === undefined && isAt(before, to)) {
    return await tell({ report, head: before, isMoved: false });
  }
  if (!given.has("discard")) {
    const wayOut = 'commit it, or "--discard" drops it';
    await requireCleanStage(store, action, wayOut);
  }
  if (made !== undefined) {
    await store.createBranch(made, { at: to.commit ?? to.name });
  }
  await store.switchTo(made ?? to.name);
  // Once HEAD has moved: a switch that fails must not have cost what was staged.
  if (given.has("discard")) {
    for (const id of await stagedIds(store)) await store.stage.unstage(id);
  }
  await tell({ report, head: await store.head(), isMoved: true });
}

/** What a revision stands for: a branch, or else a commit. */
interface Target {
  readonly name: string;
  readonly branch: string | null;
  readonly commit: string | null;
}

async function targetOf(
  store: Store,
  text: string,
  isDetached: boolean,
): Promise<Target> {
  const head = await store.head();
  if (!isDetached) {
    // The first branch of a store may have no commit yet, and is there all the same.
    if (text === head.branch) return { name: text, ...head };
    const commit = (await store.branches()).get(text);
    if (commit !== undefined) return { name: text, branch: text, commit };
    if (text === "HEAD") return { name: text, ...head };
  }
  const commit = await store.resolve(text);
  return { name: commit, branch: null, commit };
}

function isAt(head: Head, { branch, commit }: Target): boolean {
  return head.branch === branch && (branch !== null || head.commit === commit);
}

async function tell(
  { report, head, isMoved }: {
    readonly report: Call["report"];
    readonly head: Head;
    readonly isMoved: boolean;
  },
): Promise<void> {
  const { branch, commit } = head;
  const { style } = report;
  const at = style.commit(shortId(commit ?? ""));
  await report.value(
    () => ({ head: branch === null ? commit : `ref: ${branch}` }),
    () => {
      if (branch === null) {
        return [`${isMoved ? "switched to" : "already at"} ${at}, detached`];
      }
      const name = style.branch(shown(branch));
      return [`${isMoved ? "switched to" : "already on"} branch ${name}`];
    },
  );
}
