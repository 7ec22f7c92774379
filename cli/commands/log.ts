/**
 * `mnem log`: lists commits.
 *
 * @module
 */

import { toWire } from "@mnem/agents";
import type { Commit, Snapshot } from "@mnem/core";
import { allCommits } from "../all_commits.ts";
import type { Call, Command } from "../command.ts";
import { UsageError } from "../given.ts";
import { Graph } from "../render/graph.ts";
import { LogWriter } from "../render/log.ts";
import { readRefNames } from "../store_status.ts";

/** See the module. */
export const LOG: Command = {
  name: "log",
  summary: "list commits, children before parents",
  arguments: [
    {
      name: "revision",
      what: "where to begin (else HEAD); a..b: what led to b and not to a",
      optional: true,
    },
  ],
  options: [
    { flags: "-n, --limit <count>", what: "at most so many" },
    { flags: "--oneline", what: "a line each" },
    { flags: "--graph", what: "draw branches and merges beside it" },
    { flags: "--all", what: "the commits of all branches" },
    { flags: "--first-parent", what: "leave out what was merged in" },
    { flags: "--node <id>", what: "only commits that changed this node" },
  ],
  examples: [
    "mnem log -n 5",
    "mnem log --oneline --graph --all",
    "mnem log --node plan billing~2",
    "mnem log main..billing",
  ],
  run: log,
};

async function log({ given, report, open }: Call): Promise<void> {
  const limit = given.integer("limit", 0);
  const node = given.text("node");
  if (given.has("graph") && node !== undefined) {
    throw new UsageError(
      "--graph and --node exclude each other: the commits of one node are no connected history",
    );
  }
  const isAll = given.has("all");
  const only = ["node", "firstParent"].find((name) => given.has(name));
  if (isAll && (only !== undefined || given.argument(0) !== undefined)) {
    throw new UsageError(
      "--all is of all branches, and takes no revision, --node or --first-parent",
    );
  }
  const firstParent = given.has("firstParent");
  const store = await open();
  const range = rangeOf(given.argument(0));
  const memory = await store.at(range.to);
  const known = range.from === undefined
    ? undefined
    : await idsOf(await store.at(range.from));
  const commits = isAll
    ? (await allCommits(store)).slice(0, limit)
    : limit === 0
    ? []
    : known === undefined
    ? memory.log({ limit, node, firstParent })
    : without(known, memory.log({ node, firstParent }), limit);
  const refs = report.isJson ? new Map() : await readRefNames(store);
  const writer = new LogWriter(report.style, refs, {
    isOneline: given.has("oneline"),
    graph: given.has("graph") ? new Graph() : undefined,
    firstParent,
  });
  await report.list(commits, {
    json: (commit) => toWire(commit),
    text: (commit) => writer.lines(commit),
    ...memory.commit === null ? { none: "no commits yet" } : {},
  });
}

/** A revision, or two with `..` between them, each of which may be left out. */
function rangeOf(
  text: string | undefined,
): { readonly from?: string; readonly to: string | undefined } {
  const at = text?.indexOf("..") ?? -1;
  if (text === undefined || at < 0) return { to: text };
  return {
    from: text.slice(0, at) || "HEAD",
    to: text.slice(at + 2) || "HEAD",
  };
}

async function idsOf(memory: Snapshot): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const { id } of memory.log()) ids.add(id);
  return ids;
}

async function* without(
  known: ReadonlySet<string>,
  commits: AsyncIterable<Commit>,
  limit = Infinity,
): AsyncGenerator<Commit> {
  let left = limit;
  for await (const commit of commits) {
    if (known.has(commit.id)) continue;
    if (left-- <= 0) return;
    yield commit;
  }
}
