/**
 * Graphs of commits without a store, with any shape and any times.
 *
 * @module
 */

import { childSkips } from "../../core/history/skip_list.ts";
import type { CommitGraph } from "../../core/history/commit_graph.ts";
import type { GraphCommit } from "../../core/object/graph_commit.ts";
import type { Chance } from "./tree_cases.ts";

/** A commit that knows its parents themselves. */
export interface SyntheticCommit extends GraphCommit {
  /** For the naive side of a comparison. */
  readonly parents: readonly SyntheticCommit[];
}

/** A graph in memory, which counts what is read of it. */
export class SyntheticGraph implements CommitGraph<SyntheticCommit> {
  /** Rounds of reading so far: calls that are begun together are one. */
  rounds = 0;
  /** Commits read so far, each as often as it was. */
  commitsRead = 0;
  /** All commits in the order in which they were made. */
  readonly all: SyntheticCommit[] = [];
  readonly #byShort = new Map<string, SyntheticCommit>();
  #inFlight = false;

  /** Makes a commit; its id is random unless given, so that ids say nothing of the order. */
  add(
    chance: Chance,
    parents: readonly SyntheticCommit[],
    timeMs: number,
  ): SyntheticCommit {
    const [first] = parents;
    const id = Array.from({ length: 64 }, () => chance.below(16).toString(16))
      .join("");
    const depth = first === undefined ? 0 : first.depth + 1;
    const generation = 1 +
      Math.max(-1, ...parents.map((parent) => parent.generation));
    const commit: SyntheticCommit = {
      commit: {
        id,
        parents: parents.map((parent) => parent.commit.id),
        state: "0".repeat(64),
        message: "",
        author: "",
        timeMs,
      },
      parents,
      generation,
      depth,
      mergeDepth: parents.length > 1 ? depth : first?.mergeDepth ?? null,
      skips: first === undefined ? [] : childSkips(first),
    };
    this.all.push(commit);
    this.#byShort.set(id.slice(0, 32), commit);
    return commit;
  }

  /** Commits by short ids, null where there is none. */
  async commits(
    shorts: readonly string[],
  ): Promise<(SyntheticCommit | null)[]> {
    this.commitsRead += shorts.length;
    if (!this.#inFlight) this.rounds++;
    this.#inFlight = true;
    await Promise.resolve();
    this.#inFlight = false;
    return shorts.map((short) => this.#byShort.get(short) ?? null);
  }

  /** One commit; throws where there is none. */
  async commit(short: string): Promise<SyntheticCommit> {
    const [commit] = await this.commits([short]);
    if (!commit) throw new Error(`${short} is not in the graph`);
    return commit;
  }

  /** Starts counting anew. */
  reset(): void {
    this.rounds = 0;
    this.commitsRead = 0;
  }
}

/** What a random graph is like. */
export interface GraphShape {
  /** How many commits. */
  readonly size: number;
  /** Times: in order with ties, all the same, or anything. */
  readonly times: "ordered" | "equal" | "skewed";
  /** One commit in so many is a merge. */
  readonly mergeOneIn: number;
  /** How far back parents lie at most: small for long lines, large for a bush. */
  readonly reach: number;
}

/** Makes a random graph: now and then another root, merges of anything, criss-cross included. */
export function randomGraph(chance: Chance, shape: GraphShape): SyntheticGraph {
  const graph = new SyntheticGraph();
  for (let i = 0; i < shape.size; i++) {
    const recent = graph.all.slice(-shape.reach);
    const isRoot = recent.length === 0 || chance.below(40) === 0;
    const parents = isRoot ? [] : [chance.pick(recent)];
    if (!isRoot && chance.below(shape.mergeOneIn) === 0) {
      const other = chance.pick(recent);
      if (other !== parents[0]) parents.push(other);
    }
    graph.add(chance, parents, timeOf(chance, shape, i));
  }
  return graph;
}

function timeOf(
  chance: Chance,
  { times, size }: GraphShape,
  i: number,
): number {
  if (times === "equal") return 7;
  return times === "skewed" ? chance.below(size) - 5 : i - chance.below(2);
}
