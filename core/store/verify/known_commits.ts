/**
 * The commits of a store: which there are, and in which order they came to be.
 *
 * @module
 */

import { shortOf, type SkipEntry } from "../../object/graph_commit.ts";
import type { Origin } from "../../state/chunk.ts";
import { commitKey, lastPartHex } from "../../storage/keys.ts";
import type { Row } from "../../storage/driver.ts";
import { openCommitRow } from "./commit_rows.ts";
import type { FaultList } from "./fault_list.ts";
import type { RowReader } from "./row_reader.ts";

/** Commits looked for in one round. */
const WAVE_COMMITS = 200;

/** A skip list: an ancestor, and the list behind it. Lists share their ends. */
export interface SkipList extends SkipEntry {
  /** What comes after it. */
  readonly rest: SkipList | null;
}

/** A commit's place in the graph, as it follows from its parents. */
export interface GraphPlace {
  /** One more than the highest of the parents; 0 for a root. */
  readonly generation: number;
  /** One more than that of the first parent; 0 for a root. */
  readonly depth: number;
  /** The depth of the latest merge on the first-parent chain; null if there is none. */
  readonly mergeDepth: number | null;
  /** Ancestors on the first-parent chain, nearest first. */
  readonly skips: SkipList | null;
}

/** What is remembered of a commit. */
export interface KnownCommit {
  /** Its id. */
  readonly id: string;
  /** The ids of its parents. */
  readonly parents: readonly string[];
  /** Its time, in Unix milliseconds. */
  readonly timeMs: number;
  /** The generation that its row gives. */
  readonly generation: number;
  /** Its place in the graph; null until its parents have theirs. */
  place: GraphPlace | null;
}

/** Reads every commit row once, and remembers what each names. */
export class KnownCommits {
  readonly #rows: RowReader;
  readonly #faults: FaultList;
  readonly #known = new Map<string, KnownCommit>();
  // Stored, but not readable: where others name them, that is no second fault.
  readonly #broken = new Set<string>();

  /** Knows no commit yet. */
  constructor(rows: RowReader, faults: FaultList) {
    this.#rows = rows;
    this.#faults = faults;
  }

  /** The commit whose id begins so, unless it is missing or unreadable. */
  get(short: string): KnownCommit | undefined {
    return this.#known.get(short);
  }

  /** Whether the row of a commit is stored, but unreadable. */
  isBroken(short: string): boolean {
    return this.#broken.has(short);
  }

  /** The origin of what a commit wrote; as its row has it, until it has its place. */
  originOf(short: string): Origin | null {
    const known = this.#known.get(short);
    if (known === undefined) return null;
    const { timeMs, place, generation } = known;
    return {
      commit: short,
      timeMs,
      generation: place?.generation ?? generation,
    };
  }

  /** Reads the rows of all commits. */
  async readAll(): Promise<void> {
    for await (const row of this.#rows.list("c", [16])) await this.#learn(row);
  }

  /**
   * Reads those that are named and were not met: they came while the others were listed. What is
   * not stored then is unknown.
   */
  async readNamed(named: readonly string[]): Promise<void> {
    const asked = new Set<string>();
    const isNew = (short: string): boolean => {
      const isKnown = this.#known.has(short) || this.#broken.has(short);
      return !isKnown && !asked.has(short);
    };
    const parents = [...this.#known.values()].flatMap((one) => one.parents);
    let waiting = [...new Set([...named, ...parents].map(shortOf))]
      .filter(isNew);
    while (waiting.length > 0) {
      const wave = waiting.splice(0, WAVE_COMMITS);
      for (const short of wave) asked.add(short);
      const keys = wave.map(commitKey);
      for (const [i, row] of (await this.#rows.counted(keys)).entries()) {
        if (row === null) {
          if (this.#rows.isUnreadable(keys[i]!)) this.#broken.add(wave[i]!);
          continue;
        }
        const next = await this.#learn(row);
        waiting.push(...next.map(shortOf).filter(isNew));
      }
      waiting = [...new Set(waiting)];
    }
  }

  /** The ids of the commits that are no commit's parent. */
  tips(): string[] {
    const all = [...this.#known.values()];
    const parents = new Set(all.flatMap((one) => one.parents));
    return all.map(({ id }) => id).filter((id) => !parents.has(id));
  }

  /** Whether a commit is stored under the id by which something names it; a fault if not. */
  isLinked(id: string, from: string): boolean {
    const short = shortOf(id);
    if (this.#broken.has(short)) return false;
    const found = this.#known.get(short)?.id;
    if (found === id) return true;
    this.#faults.add(
      "link",
      found === undefined
        ? `${from} names the commit ${id}, which is not stored`
        : `${from} names the commit ${id}, but ${found} is stored`,
    );
    return false;
  }

  /** The first 32 digits of all commits, parents first: a line of history stays together. */
  inOrder(): string[] {
    const order: string[] = [];
    const met = new Set<string>();
    for (const start of this.#known.keys()) {
      const waiting = [start];
      for (let at = waiting.at(-1); at !== undefined; at = waiting.at(-1)) {
        const parents = met.has(at) ? [] : this.#known.get(at)?.parents ?? [];
        const open = parents.map(shortOf)
          .filter((short) => this.#known.has(short) && !met.has(short));
        if (open.length > 0) {
          waiting.push(...open.reverse());
          continue;
        }
        waiting.pop();
        if (met.has(at)) continue;
        met.add(at);
        order.push(at);
      }
    }
    return order;
  }

  /** Remembers a commit; returns the ids of its parents. */
  async #learn(row: Row): Promise<readonly string[]> {
    const short = lastPartHex(row.key);
    const opened = await openCommitRow(this.#rows, this.#faults, row);
    if (opened === null) {
      this.#broken.add(short);
      return [];
    }
    const { generation, commit: { id, parents, timeMs } } = opened.row;
    const known = { id, parents, timeMs, generation, place: null };
    this.#known.set(short, known);
    return parents;
  }
}
