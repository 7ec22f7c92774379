/**
 * What a command says of a merge or a revert.
 *
 * @module
 */

import { toWire } from "@mnem/agents";
import type { MergeResult, Store } from "@mnem/core";
import { EXIT_UNDONE } from "./command.ts";
import { changeLine, countLine } from "./render/change.ts";
import { madeLine, shortId } from "./render/commit.ts";
import { conflictLines } from "./render/merge.ts";
import { shellWord, shown } from "./render/visible.ts";
import type { Report } from "./report.ts";

/** How a merge or revert was asked for. */
export interface Asked {
  /** The command, its revision and its flags, to be typed again with a decision. */
  readonly command: "merge" | "revert";
  readonly revision: string;
  readonly flags: readonly string[];
  /** Whether nothing was to be written. */
  readonly isDryRun: boolean;
  /** What is said where there is nothing to do. */
  readonly upToDate: string;
}

/** Writes the wire shape of a merge, or what it did; returns the exit status: 1 for conflicts. */
export async function reportMerged(
  store: Store,
  report: Report,
  result: MergeResult,
  asked: Asked,
): Promise<number> {
  const head = await headline(store, report, result, asked);
  const { style } = report;
  const { conflicts, changes, reconciled } = result;
  await report.value(() => toWire(result), () => [
    ...head,
    ...conflicts.flatMap((conflict) => conflictLines(conflict, style)),
    ...Array.from(changes, ([id, kind]) => ` ${changeLine(id, kind, style)}`),
    ...reconciled.map((id) =>
      ` = ${shown(id)}  (both agree; the later evidence was kept)`
    ),
  ]);
  const [first] = conflicts;
  if (first === undefined) return 0;
  await report.hint(
    `nothing was written; decide each, such as\n  ${
      lineWith(`--resolve=${first.id}=theirs`, asked)
    }\nwith ours, theirs, base or delete, or ${
      shellWord(`--set=${first.id}=<json>`)
    }`,
  );
  return EXIT_UNDONE;
}

/** The line as it was typed, and one flag more. */
function lineWith(flag: string, { command, revision, flags }: Asked): string {
  const words = revision.startsWith("-")
    ? [command, ...flags, flag, "--", revision]
    : [command, revision, ...flags, flag];
  return ["mnem", ...words.map(shellWord)].join(" ");
}

async function headline(
  store: Store,
  report: Report,
  result: MergeResult,
  { isDryRun, upToDate }: Asked,
): Promise<string[]> {
  const { status, commit, changes } = result;
  if (report.isJson || status === "conflicts") return [];
  if (status === "up-to-date") return [upToDate];
  if (isDryRun) {
    const what = status === "merged"
      ? "would make a commit"
      : "would go forward";
    return [`${what}: ${countLine(changes.values())}`];
  }
  const { branch } = await store.head();
  if (status === "merged") {
    return [
      madeLine(await store.readCommit(commit ?? "HEAD"), branch, report.style),
    ];
  }
  const id = report.style.commit(shortId(commit ?? ""));
  return [`branch ${shown(branch ?? "")} went forward to ${id}`];
}
