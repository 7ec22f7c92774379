/**
 * `mnem status`: where the store stands, and what is staged.
 *
 * @module
 */

import type { NodeChange } from "@mnem/core";
import { stagedIds } from "../clean_stage.ts";
import type { Call, Command } from "../command.ts";
import { statLine } from "../render/change.ts";
import { onelineCommit, shortId } from "../render/commit.ts";
import { shown, visible } from "../render/visible.ts";
import { statusOf } from "../store_status.ts";
import { changesJson } from "../written.ts";

/** See the module. */
export const STATUS: Command = {
  name: "status",
  summary: "show the branch, its commit and what is staged",
  options: [
    { flags: "-s, --short", what: "what is staged alone, a line each" },
  ],
  examples: ["mnem status", "mnem status -s", "mnem status --json"],
  run: status,
};

async function status({ given, report, open }: Call): Promise<void> {
  const store = await open();
  const at = await statusOf(store);
  const { branch, commit } = await store.head();
  const staged: NodeChange[] = [];
  for await (const change of store.stage.diff()) staged.push(change);
  const changed = new Set(staged.map(({ id }) => id));
  const idle = (await stagedIds(store)).filter((id) => !changed.has(id));
  const tip = commit === null ? undefined : await store.readCommit(commit);
  const { style } = report;
  await report.value(
    () => ({
      ...at,
      staged: changesJson(new Map(staged.map(({ id, kind }) => [id, kind]))),
      staged_unchanged: idle,
    }),
    () =>
      given.has("short") ? staged.map(shortLine) : [
        branch === null
          ? `detached at ${style.commit(shortId(commit ?? ""))}`
          : `on branch ${style.branch(shown(branch))}`,
        tip === undefined ? "no commits yet" : onelineCommit(tip, style),
        `store ${visible(store.location)}`,
        ...(staged.length + idle.length === 0
          ? ["nothing staged"]
          : ["staged:"]),
        ...staged.map((change) => `  ${statLine(change, style)}`),
        ...idle.map((id) => `  = ${shown(id)}  (as it is already)`),
      ],
  );
}

/** A letter as git has it, and the node. */
function shortLine({ id, kind }: NodeChange): string {
  return `${{ added: "A", modified: "M", removed: "D" }[kind]} ${shown(id)}`;
}
