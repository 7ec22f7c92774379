/**
 * `mnem diff`: what differs between two memories, field by field.
 *
 * @module
 */

import { toWire } from "@mnem/agents";
import {
  type ChangeKind,
  diffContent,
  type Json,
  type NodeChange,
  type Store,
} from "@mnem/core";
import type { Call, Command } from "../command.ts";
import { type Given, UsageError } from "../given.ts";
import { changeLines, countLine, statLine } from "../render/change.ts";
import { shown } from "../render/visible.ts";
import type { JsonObject } from "../report.ts";

/** See the module. */
export const DIFF: Command = {
  name: "diff",
  summary: "show what differs between two memories, field by field",
  more:
    "Without a revision: what is staged, against HEAD. With one: HEAD and what is staged, against it. With two: the second against the first.",
  arguments: [
    { name: "from", what: "the memory before", optional: true },
    { name: "to", what: "the memory after", optional: true },
  ],
  options: [
    {
      flags: "--cached, --staged",
      what: "what is staged, as without a second revision",
    },
    { flags: "--stat", what: "a line for each node, and a sum" },
    { flags: "--name-only", what: "the ids alone" },
    { flags: "--node <id>", what: "only this node", repeated: true },
  ],
  examples: [
    "mnem diff",
    "mnem diff HEAD~3 HEAD",
    "mnem diff main..billing --stat",
  ],
  run: diff,
};

async function diff({ given, report, open }: Call): Promise<void> {
  given.atMostOne("stat", "nameOnly");
  const [from, to] = sidesOf(given);
  if (given.has("staged") && to !== undefined) {
    throw new UsageError("--staged compares with one revision, not two");
  }
  const store = await open();
  const nodes = new Set(given.texts("node"));
  const changes = from !== undefined && to !== undefined
    ? store.diff(from, to)
    : store.stage.diff(from);
  const kinds: ChangeKind[] = [];
  const { style } = report;
  await report.list(ofNodes(changes, nodes), {
    json: changeJson,
    text: (change) => {
      kinds.push(change.kind);
      if (given.has("nameOnly")) return [shown(change.id)];
      return given.has("stat")
        ? [statLine(change, style)]
        : changeLines(change, style);
    },
    ...given.has("nameOnly") ? {} : { none: "no changes" },
  });
  if (given.has("stat") && kinds.length > 0 && !report.isJson) {
    await report.line(countLine(kinds));
  }
}

/** Two revisions; or one text `a..b`, as in git, where a side that is left out is HEAD. */
function sidesOf(
  given: Given,
): readonly [from: string | undefined, to: string | undefined] {
  const [from, to] = [given.argument(0), given.argument(1)];
  // No name of a branch holds it.
  const sides = from?.split("..") ?? [];
  return sides.length !== 2 || to !== undefined || from?.includes("...")
    ? [from, to]
    : [sides[0] || "HEAD", sides[1] || "HEAD"];
}

async function* ofNodes(
  changes: ReturnType<Store["diff"]>,
  ids: ReadonlySet<string>,
): AsyncIterable<NodeChange> {
  for await (const change of changes) {
    if (ids.size === 0 || ids.has(change.id)) yield change;
  }
}

/** The wire shape of a change, and the fields that differ where both sides hold a node. */
function changeJson(change: NodeChange): Json {
  const { old, new: now } = change;
  const wire: JsonObject = Object(toWire(change));
  const fields = old === null || now === null
    ? []
    : diffContent(old.content, now.content).map((field) => ({ ...field }));
  return { ...wire, fields };
}
