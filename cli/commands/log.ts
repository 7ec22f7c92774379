/**
 * `mnem log`: lists commits.
 *
 * @module
 */

import { toWire } from "@mnem/agents";
import type { Commit } from "@mnem/core";
import { allCommits } from "../all_commits.ts";
import type { Call, Command } from "../command.ts";
import { UsageError } from "../given.ts";
import { commitLines, onelineCommit, type RefNames } from "../render/commit.ts";
import { Graph, type GraphRows } from "../render/graph.ts";
import type { Style } from "../render/style.ts";
import { readRefNames } from "../store_status.ts";

/** See the module. */
export const LOG: Command = {
  name: "log",
  summary: "list commits, children before parents",
  arguments: [
    { name: "revision", what: "where to begin (else HEAD)", optional: true },
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
  await using store = await open();
  const memory = await store.at(given.argument(0));
  const commits = isAll
    ? (await allCommits(store)).slice(0, limit)
    : limit === 0
    ? []
    : memory.log({ limit, node, firstParent });
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

interface LogForm {
  readonly isOneline: boolean;
  readonly graph: Graph | undefined;
  readonly firstParent: boolean;
}

class LogWriter {
  readonly #style: Style;
  readonly #refs: RefNames;
  readonly #form: LogForm;
  #last: GraphRows | undefined;
  #isFirst = true;

  constructor(style: Style, refs: RefNames, form: LogForm) {
    this.#style = style;
    this.#refs = refs;
    this.#form = form;
  }

  *lines(commit: Commit): Iterable<string> {
    const { isOneline, graph } = this.#form;
    if (!isOneline && !this.#isFirst) yield this.#last?.rest.trimEnd() ?? "";
    this.#isFirst = false;
    const texts = isOneline
      ? [onelineCommit(commit, this.#style, this.#refs)]
      : commitLines(commit, this.#style, this.#refs);
    if (graph === undefined) return yield* texts;
    yield* this.#drawn(commit, graph, texts);
  }

  *#drawn(
    { id, parents }: Commit,
    graph: Graph,
    texts: readonly string[],
  ): Iterable<string> {
    const shown = this.#form.firstParent ? parents.slice(0, 1) : parents;
    const rows = graph.next({ id, parents: shown });
    this.#last = rows;
    // Between commits in full there is such a row already.
    if (this.#form.isOneline) yield* rows.before;
    const drawn = [rows.node, ...rows.edges];
    for (let i = 0; i < Math.max(drawn.length, texts.length); i++) {
      const row = drawn[i] ?? rows.rest;
      const text = texts[i];
      // The rows of edges stand alone where a commit is one line, as in git.
      yield text === undefined
        ? row.trimEnd()
        : `${row.padEnd(rows.width)} ${text}`.trimEnd();
    }
  }
}
