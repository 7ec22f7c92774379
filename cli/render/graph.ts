/**
 * Draws a history beside its listing: one line of commits each, `*` for a commit, `|`, `/`, `\` and `_`
 * for what leads to its parents. Lane n stands in column 2n; a line moves left in the columns between,
 * so that it can cross others.
 *
 * @module
 */

import type { ObjectId } from "@mnem/core";

/** What is drawn of a commit. */
export interface GraphCommit {
  /** Its id. */
  readonly id: ObjectId;
  /** Those that the picture leads to; at most two. */
  readonly parents: readonly ObjectId[];
}

/** The rows of one commit. */
export interface GraphRows {
  /** The rows above it: one where a commit without children would seem to be the parent of a root. */
  readonly before: readonly string[];
  /** The row with its `*`. */
  readonly node: string;
  /** The rows below it that lead to where its parents are expected, if it takes any. */
  readonly edges: readonly string[];
  /** A row in which nothing happens, for what else is said of the commit. */
  readonly rest: string;
  /** The width of the widest of them. */
  readonly width: number;
}

/** The lines of a picture as far as it is drawn. Give it the commits children before parents. */
export class Graph {
  /** The commit that each lane leads to. */
  #lanes: ObjectId[] = [];
  /** The lane in which a root was drawn just now. */
  #ended = -1;

  /** Draws the next commit. */
  next(commit: GraphCommit): GraphRows {
    let at = this.#lanes.indexOf(commit.id);
    let before: string[] = [];
    if (at < 0) {
      if (this.#ended === this.#lanes.length) before = [this.#row(() => "|")];
      at = this.#lanes.push(commit.id) - 1;
    }
    const node = this.#row((lane) => lane === at ? "*" : "|");
    const edges = this.#leave(at, commit.parents);
    this.#ended = commit.parents.length === 0 ? at : -1;
    const rest = this.#row(() => "|");
    const width = Math.max(...[node, ...edges, rest].map((row) => row.length));
    return { before, node, edges, rest, width };
  }

  #leave(at: number, parents: readonly ObjectId[]): string[] {
    const [first, second] = parents;
    if (first === undefined) return this.#end(at);
    this.#lanes[at] = first;
    const edges = second === undefined ? [] : this.#fork(at, second);
    for (
      let twins = this.#twins();
      twins !== undefined;
      twins = this.#twins()
    ) {
      edges.push(...this.#join(...twins));
    }
    return edges;
  }

  /** A lane that leads nowhere: those beside it move up. */
  #end(at: number): string[] {
    this.#lanes.splice(at, 1);
    if (at === this.#lanes.length) return [];
    const row = this.#blank(this.#lanes.length + 1);
    for (const lane of this.#lanes.keys()) {
      if (lane < at) row[2 * lane] = "|";
      else row[2 * lane + 1] = "/";
    }
    return [textOf(row)];
  }

  /** A second parent gets a lane of its own: those beside it make room. */
  #fork(at: number, parent: ObjectId): string[] {
    const row = this.#blank(this.#lanes.length + 1);
    for (const lane of this.#lanes.keys()) {
      if (lane <= at) row[2 * lane] = "|";
      if (lane >= at) row[2 * lane + 1] = "\\";
    }
    this.#lanes.splice(at + 1, 0, parent);
    return [textOf(row)];
  }

  /** The first two lanes that lead to the same commit. */
  #twins(): [left: number, right: number] | undefined {
    for (const [right, id] of this.#lanes.entries()) {
      const left = this.#lanes.indexOf(id);
      if (left < right) return [left, right];
    }
    return undefined;
  }

  /** The right lane runs into the left one, across those between; those beside it move up. */
  #join(left: number, right: number): string[] {
    const first = this.#blank(this.#lanes.length);
    const second = this.#blank(this.#lanes.length - 1);
    for (const lane of this.#lanes.keys()) {
      if (lane < right) first[2 * lane] = second[2 * lane] = "|";
      else first[2 * lane - 1] = "/";
      if (lane > right) second[2 * lane - 2] = "|";
    }
    this.#lanes.splice(right, 1);
    if (right === left + 1) return [textOf(first)];
    for (let lane = left + 1; lane < right - 1; lane++) {
      first[2 * lane + 1] = "_";
    }
    second[2 * left + 1] = "/";
    return [textOf(first), textOf(second)];
  }

  #row(mark: (lane: number) => string): string {
    return this.#lanes.map((_, lane) => mark(lane)).join(" ");
  }

  #blank(lanes: number): string[] {
    return Array.from({ length: Math.max(2 * lanes, 0) }, () => " ");
  }
}

function textOf(row: readonly string[]): string {
  return row.join("").trimEnd();
}
