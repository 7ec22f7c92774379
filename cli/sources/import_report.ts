/**
 * What `mnem import` says of a source that was taken in, or would be.
 *
 * @module
 */

import type { Json, ObjectId } from "@mnem/core";
import type { Call } from "../command.ts";
import { changeLine, countLine } from "../render/change.ts";
import { shortId } from "../render/commit.ts";
import { shown, visible } from "../render/visible.ts";
import { NO_COMMIT } from "../written.ts";
import type { SourceFinding, TakenIn } from "./take_in.ts";

/** What is said beside what came of it. */
export interface ReportContext {
  /** Whether nothing was to be written. */
  readonly isDry: boolean;
  /** Whether what the source says no more was to be forgotten. */
  readonly isPruning: boolean;
  /** Where the branch stood before; undefined: nowhere. */
  readonly head: ObjectId | null;
}

/** What came of an import, and whether `--strict` refused it. */
export type Imported = TakenIn & { readonly isRefused: boolean };

/** Writes counts, what was skipped with its lines, and the commits; in a dry run each change too. */
export async function reportImport(
  { report }: Call,
  taken: Imported,
  context: ReportContext,
): Promise<void> {
  await report.value(
    () => importJson(taken, context),
    () => importLines(taken, context, report.style),
  );
}

function importJson(taken: Imported, { isDry, head }: ReportContext): Json {
  const { commits, changes, findings } = taken;
  const kinds = [...changes.values()];
  const count = (kind: string) => kinds.filter((one) => one === kind).length;
  return {
    commit: commits.at(-1) ?? head ?? NO_COMMIT,
    commits,
    dry_run: isDry,
    refused: taken.isRefused,
    added: count("added"),
    modified: count("modified"),
    removed: count("removed"),
    unchanged: taken.unchanged,
    changes: Object.fromEntries(changes),
    skipped: findings.filter(({ kind }) => kind !== "warning").map((one) => ({
      ...placeJson(one),
      fault: one.kind === "skipped",
    })),
    warnings: findings.filter(({ kind }) => kind === "warning").map(placeJson),
    vanished: taken.vanished,
    replaced: Object.fromEntries(taken.replaced),
  };
}

function placeJson({ source, line, reason }: SourceFinding): {
  readonly [name: string]: Json;
} {
  return { source, line: line ?? null, reason };
}

function* importLines(
  taken: Imported,
  { isDry, isPruning }: ReportContext,
  style: Call["report"]["style"],
): Generator<string> {
  const { commits, changes, unchanged, findings } = taken;
  const would = isDry || taken.isRefused;
  yield `${would ? "would be" : "imported"}: ${
    countLine(changes.values())
  }, ${unchanged} unchanged`;
  for (const id of commits) yield `  commit ${style.commit(shortId(id))}`;
  if (isDry) {
    for (const [id, kind] of changes) yield ` ${changeLine(id, kind, style)}`;
  }
  yield* listLines(
    "skipped",
    findings.filter(({ kind }) => kind !== "warning"),
  );
  yield* listLines(
    "imported all the same",
    findings.filter(({ kind }) => kind === "warning"),
  );
  yield* idLines("replaced what came from elsewhere", [
    ...taken.replaced.keys(),
  ]);
  yield* idLines(
    `said no more by the source, and kept${
      isPruning ? ", since something was skipped" : " (--prune forgets them)"
    }`,
    taken.vanished,
  );
  if (taken.isRefused) yield "refused by --strict: nothing was written";
}

function* listLines(
  what: string,
  findings: readonly SourceFinding[],
): Generator<string> {
  if (findings.length === 0) return;
  yield `${what}: ${findings.length}`;
  for (const { source, line, reason } of findings) {
    const place = line === undefined ? "" : `:${line}`;
    yield `  ${shown(source)}${place}: ${visible(reason)}`;
  }
}

function* idLines(what: string, ids: readonly string[]): Generator<string> {
  if (ids.length === 0) return;
  yield `${what}: ${ids.length}`;
  for (const id of ids) yield `  ${shown(id)}`;
}
