/**
 * The order in which history is told: children before parents, newest first among the free, ties by
 * id descending.
 *
 * @module
 */

import { type GraphCommit, shortOf } from "../object/graph_commit.ts";
import type { CommitGraph } from "./commit_graph.ts";
import { firstParentRun } from "./skip_list.ts";
import { WaveReader } from "./wave_reader.ts";

/** Commits of a first-parent chain read in the first wave; each later wave doubles. */
const WAVE_COMMITS_MIN = 32;
/** See {@linkcode WAVE_COMMITS_MIN}. */
const WAVE_COMMITS_MAX = 1_024;

/** The first-parent chain from a commit, newest first; `most` are wanted, and no more read ahead at first. */
export async function* firstParentLog<C extends GraphCommit>(
  graph: CommitGraph<C>,
  from: C,
  most = Infinity,
): AsyncGenerator<C> {
  let at: C | null = from;
  for (let size = Math.min(WAVE_COMMITS_MIN, most); at !== null;) {
    const run: C[] = await firstParentRun(graph, at, size);
    yield* run;
    const parent = run.at(-1)?.commit.parents[0];
    at = parent === undefined ? null : await graph.commit(shortOf(parent));
    size = Math.min(size * 2, WAVE_COMMITS_MAX);
  }
}

/** All that led to a commit, by any parent, itself included. */
export async function* fullLog<C extends GraphCommit>(
  graph: CommitGraph<C>,
  from: C,
  most = Infinity,
): AsyncGenerator<C> {
  // Without a merge below, the chain of first parents is all there is.
  if (from.generation === from.depth && from.mergeDepth === null) {
    yield* firstParentLog(graph, from, most);
    return;
  }
  const walk = new Walk(graph, from);
  for (let next = await walk.next(); next !== null; next = await walk.next()) {
    yield next;
  }
}

/** A walk that tells a commit only once all its children were told. */
class Walk<C extends GraphCommit> {
  readonly #reader: WaveReader<C>;
  // How many children a commit has among those that led to the start, as far as explored.
  readonly #children = new Map<string, number>();
  readonly #told = new Map<string, number>();
  readonly #candidates: C[];
  readonly #met: Set<string>;
  #unexplored: C[];

  constructor(graph: CommitGraph<C>, from: C) {
    this.#reader = new WaveReader(graph);
    this.#candidates = [from];
    this.#met = new Set([from.commit.id]);
    this.#unexplored = [from];
  }

  async next(): Promise<C | null> {
    for (;;) {
      this.#candidates.sort(oldestFirst);
      const newest = this.#candidates.pop();
      if (newest === undefined) return null;
      // A child is always above: then all children are counted.
      await this.#explore(({ generation }) => generation > newest.generation);
      const { id } = newest.commit;
      if ((this.#children.get(id) ?? 0) !== (this.#told.get(id) ?? 0)) continue;
      await this.#explore((commit) => commit === newest);
      for (const parent of await this.#reader.parents(newest)) {
        count(this.#told, parent.commit.id);
        if (!this.#candidates.includes(parent)) this.#candidates.push(parent);
      }
      return newest;
    }
  }

  /** Counts the children that commits have, from some of the unexplored and what they lead to. */
  async #explore(wanted: (commit: C) => boolean): Promise<void> {
    for (;;) {
      const next = this.#unexplored.find(wanted);
      if (next === undefined) return;
      this.#unexplored = this.#unexplored.filter((commit) => commit !== next);
      for (const parent of await this.#reader.parents(next)) {
        const { id } = parent.commit;
        count(this.#children, id);
        if (!this.#met.has(id)) this.#unexplored.push(parent);
        this.#met.add(id);
      }
    }
  }
}

function count(counts: Map<string, number>, id: string): void {
  counts.set(id, (counts.get(id) ?? 0) + 1);
}

function oldestFirst(a: GraphCommit, b: GraphCommit): number {
  return a.commit.timeMs - b.commit.timeMs ||
    (a.commit.id < b.commit.id ? -1 : 1);
}
