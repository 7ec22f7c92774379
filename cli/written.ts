/**
 * What a command says of a commit that it made, or did not make.
 *
 * @module
 */

import type { Json, Store, Written } from "@mnem/core";
import type { Report } from "./report.ts";
import { changeLine } from "./render/change.ts";
import { madeLine } from "./render/commit.ts";

/** Stands for the commit of a branch that has none, as over MCP. */
export const NO_COMMIT = "none";

/** Writes `{commit, changes}`, or the commit's first line and the nodes that it changed. */
export async function reportWritten(
  store: Store,
  report: Report,
  written: Written,
  unchanged: string,
): Promise<void> {
  const { commit, changes } = written;
  const made = commit !== null && !report.isJson
    ? await store.readCommit(commit)
    : undefined;
  const { branch } = await store.head();
  const { style } = report;
  await report.value(
    () => ({ commit: commit ?? NO_COMMIT, changes: changesJson(changes) }),
    () =>
      made === undefined || changes.size === 0 ? [unchanged] : [
        madeLine(made, branch, style),
        ...Array.from(
          changes,
          ([id, kind]) => ` ${changeLine(id, kind, style)}`,
        ),
      ],
  );
}

/** Returns changes as `{id: kind}`. */
export function changesJson(changes: Written["changes"]): Json {
  return Object.fromEntries(changes);
}
