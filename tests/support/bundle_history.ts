/**
 * Random histories to be exported: branches, merges, reverts, removals, and memories that grow from a
 * flat state into a tree and back.
 *
 * @module
 */

import type { Branch, Edit, Store } from "@mnem/core";
import type { Chance } from "./tree_cases.ts";

/** What a history is made of. */
export interface BundleHistory {
  /** Draws what happens. */
  readonly chance: Chance;
  /** How many things happen. */
  readonly steps: number;
  /** Node ids are drawn from so many. */
  readonly ids: number;
  /** Edits of a usual commit at most. */
  readonly edits: number;
}

const BRANCHES = ["main", "left", "right/é"];

/** Plays a history on an empty store. */
export async function playBundleHistory(
  store: Store,
  history: BundleHistory,
): Promise<void> {
  const play = new Play(store, history);
  await play.write(store.on("main"), history.ids);
  for (const name of BRANCHES.slice(1)) await store.createBranch(name);
  for (let step = 0; step < history.steps; step++) await play.step();
}

class Play {
  readonly #store: Store;
  readonly #history: BundleHistory;
  #time = 0;

  constructor(store: Store, history: BundleHistory) {
    this.#store = store;
    this.#history = history;
  }

  async step(): Promise<void> {
    const { chance, edits } = this.#history;
    const name = chance.pick(BRANCHES);
    const branch = this.#store.on(name);
    const about = { timeMs: this.#nextTime(), author: chance.pick(["a", "é"]) };
    switch (chance.below(8)) {
      case 0:
      case 1: {
        const strategy = chance.pick(["ours", "theirs"] as const);
        await branch.merge(chance.pick(BRANCHES), { ...about, strategy });
        return;
      }
      case 2:
        await branch.revert("HEAD", { ...about, strategy: "ours", parent: 1 });
        return;
      case 3:
        await this.#store.createBranch(`gone-${about.timeMs}`, { at: name });
        await this.write(this.#store.on(`gone-${about.timeMs}`), 2);
        await this.#store.deleteBranch(`gone-${about.timeMs}`);
        return;
      default:
        await this.write(branch, 1 + chance.below(edits));
    }
  }

  async write(branch: Branch, most: number): Promise<void> {
    const { chance } = this.#history;
    const edits = Array.from({ length: most }, () => this.#edit());
    await branch.write(edits, {
      message: `commit ${chance.below(1_000)}`,
      timeMs: this.#nextTime(),
      allowEmpty: true,
    });
  }

  #edit(): Edit {
    const { chance, ids } = this.#history;
    const id = this.#id(chance.below(ids));
    if (chance.below(3) === 0) return { id, remove: true };
    const content = chance.pick([
      chance.below(3),
      0.5,
      -0,
      2n ** 60n,
      "long ".repeat(chance.below(300) === 0 ? 15_000 : 1),
      { b: [null, true], aa: "é😀\n", "": {} },
    ]);
    const provenance = chance.pick([{}, { source: "s" }, {
      note: "",
      agentStep: "1",
    }]);
    const eventTimeMs = chance.pick([undefined, -1, 5_000]);
    return { id, content, provenance, eventTimeMs };
  }

  /** Ids of several lengths and scripts, so that the orders of text differ. */
  #id(n: number): string {
    return ["n", "é", "😀", "～", "long-name-"][n % 5] + String(n);
  }

  /** Time mostly goes on. */
  #nextTime(): number {
    this.#time += this.#history.chance.below(10) - 1;
    return this.#time;
  }
}
