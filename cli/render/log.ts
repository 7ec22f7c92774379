/**
 * A log as text, with or without its picture.
 *
 * @module
 */

import type { Commit } from "@mnem/core";
import { commitLines, onelineCommit, type RefNames } from "./commit.ts";
import type { Graph, GraphRows } from "./graph.ts";
import type { Style } from "./style.ts";

/** How a log is told. */
export interface LogForm {
  /** A line for each commit. */
  readonly isOneline: boolean;
  /** Draws it beside the text. */
  readonly graph: Graph | undefined;
  /** Whether only first parents are followed. */
  readonly firstParent: boolean;
}

/** Tells commits one after another. */
export class LogWriter {
  readonly #style: Style;
  readonly #refs: RefNames;
  readonly #form: LogForm;
  #last: GraphRows | undefined;
  #isFirst = true;

  /** Begins a log. */
  constructor(style: Style, refs: RefNames, form: LogForm) {
    this.#style = style;
    this.#refs = refs;
    this.#form = form;
  }

  /** The lines of the next commit, children before parents. */
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
