/**
 * Commits as text.
 *
 * @module
 */

import type { Commit, ObjectId } from "@mnem/core";
import type { Style } from "./style.ts";
import { shownTime } from "./time.ts";
import { shown, visible, visibleLines } from "./visible.ts";

const SHORT_DIGITS = 12;

/** The branches that stand at each commit, the current one first. */
export type RefNames = ReadonlyMap<ObjectId, readonly string[]>;

/** Returns the first digits of an id. */
export function shortId(id: ObjectId): string {
  return id.slice(0, SHORT_DIGITS);
}

/** Returns the first line of a message. */
export function firstLine(message: string): string {
  return visible(message.split(/\r?\n/, 1)[0] ?? "");
}

/** Returns which branches stand where. */
export function refNames(
  branches: ReadonlyMap<string, ObjectId>,
  head: { readonly branch: string | null; readonly commit: ObjectId | null },
): RefNames {
  const names = new Map<ObjectId, string[]>();
  const add = (commit: ObjectId, name: string) =>
    names.set(commit, [...names.get(commit) ?? [], name]);
  if (head.commit !== null) {
    add(head.commit, head.branch === null ? "HEAD" : `HEAD -> ${head.branch}`);
  }
  for (const [name, commit] of branches) {
    if (name !== head.branch) add(commit, shown(name));
  }
  return names;
}

/** A commit in full: its id, who made it when, and its message, indented. */
export function commitLines(
  commit: Commit,
  style: Style,
  refs: RefNames = new Map(),
): string[] {
  const [ours, theirs] = commit.parents;
  return [
    style.commit(`commit ${commit.id}`) + refText(commit.id, refs, style),
    ...(ours === undefined || theirs === undefined
      ? []
      : [`Merge:  ${shortId(ours)} ${shortId(theirs)}`]),
    `Author: ${shown(commit.author)}`,
    `Date:   ${shownTime(commit.timeMs)}`,
    "",
    ...visibleLines(commit.message).map((line) => `    ${line}`.trimEnd()),
  ];
}

/** A commit in one line: short id and the first line of its message. */
export function onelineCommit(
  commit: Commit,
  style: Style,
  refs: RefNames = new Map(),
): string {
  return `${style.commit(shortId(commit.id))}${
    refText(commit.id, refs, style)
  } ${firstLine(commit.message)}`;
}

/** What a command that made a commit says of it, as git does. */
export function madeLine(
  commit: Commit,
  branch: string | null,
  style: Style,
): string {
  const where = branch === null ? "detached" : shown(branch);
  return `[${where} ${style.commit(shortId(commit.id))}] ${
    firstLine(commit.message)
  }`;
}

function refText(id: ObjectId, refs: RefNames, style: Style): string {
  const names = refs.get(id) ?? [];
  return names.length === 0
    ? ""
    : ` (${names.map((name) => style.branch(name)).join(", ")})`;
}
