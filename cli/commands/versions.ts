/**
 * `mnem versions`: every value that a node had.
 *
 * @module
 */

import { toWire } from "@mnem/agents";
import { MnemError, type NodeVersion } from "@mnem/core";
import { type Call, type Command, EXIT_ABSENT } from "../command.ts";
import { onelineCommit } from "../render/commit.ts";
import { bodyLines } from "../render/node.ts";
import type { Style } from "../render/style.ts";
import { shownTime } from "../render/time.ts";
import { shown } from "../render/visible.ts";

/** See the module. */
export const VERSIONS: Command = {
  name: "versions",
  summary: "list the values that a node had, newest first",
  more:
    "A node that was never in memory ends with status 3; with --json its list is empty.",
  arguments: [
    { name: "id", what: "the node's id" },
    { name: "revision", what: "as of this commit (else HEAD)", optional: true },
  ],
  options: [
    { flags: "-n, --limit <count>", what: "at most so many" },
    {
      flags: "--first-parent",
      what: "let a merge stand for what it brought in",
    },
  ],
  examples: ["mnem versions plan", "mnem versions plan -n 3 billing"],
  run: versions,
};

async function versions({ given, report, open }: Call): Promise<number> {
  const id = given.required(0);
  const limit = given.integer("limit", 0) ?? Infinity;
  const store = await open();
  const memory = await store.at(given.argument(1));
  const line = memory.versions(id, { firstParent: given.has("firstParent") });
  const { style } = report;
  const count = await report.list(atMost(limit, line), {
    json: ({ commit, node }) => ({
      commit: toWire(commit),
      node: node === null ? null : toWire(node),
    }),
    text: (version) => versionLines(version, style),
  });
  if (count > 0 || limit === 0) return 0;
  if (report.isJson) return EXIT_ABSENT;
  throw new MnemError(
    "not_found",
    `Cannot list the versions of node ${
      JSON.stringify(id)
    }: it was never in memory`,
  );
}

async function* atMost(
  limit: number,
  line: AsyncIterable<NodeVersion>,
): AsyncIterable<NodeVersion> {
  let count = 0;
  if (limit === 0) return;
  for await (const version of line) {
    yield version;
    if (++count === limit) return;
  }
}

function versionLines({ commit, node }: NodeVersion, style: Style): string[] {
  const body = node === null ? ["(removed)"] : bodyLines(node, style);
  return [
    onelineCommit(commit, style),
    `  ${shownTime(commit.timeMs)} ${shown(commit.author)}`,
    ...body.map((line) => `  ${line}`),
  ];
}
