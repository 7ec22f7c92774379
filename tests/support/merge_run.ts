/**
 * Plays a random history with many merges on a store and on the naive model of merges, and compares
 * every answer.
 *
 * @module
 */

import assert from "node:assert/strict";
import { isMnemError, type MergeResult, type Store } from "@mnem/core";
import { openStoreOn } from "../../core/store/open_store.ts";
import { checkVerified } from "./check_verified.ts";
import { MemoryKv } from "./memory_kv.ts";
import {
  type DrawnOptions,
  drawOptions,
  drawValue,
  fitOptions,
  inputOf,
} from "./merge_choices.ts";
import {
  checkBases,
  checkCommits,
  checkSearch,
  objectOf,
} from "./merge_check.ts";
import {
  kindsOf,
  naiveBases,
  naiveCommit,
  type NaiveMade,
  type NaiveMemory,
} from "./naive_graph.ts";
import { naiveMerge, type NaiveMerged, naiveRevert } from "./naive_merge.ts";
import { secondRoot } from "./second_root.ts";
import { Chance } from "./tree_cases.ts";

const BRANCHES = ["main", "left", "right", "other"] as const;
type Name = typeof BRANCHES[number];
const IDS = ["a", "b", "c"];

/** Plays so many steps; returns what happened. Throws where the store and the model disagree. */
export async function playMerges(
  seed: number,
  steps: number,
): Promise<string[]> {
  const kv = new MemoryKv();
  const store = await openStoreOn(kv.open(), { create: true });
  const run = new MergeRun(new Chance(seed), store, kv);
  await run.begin();
  for (let i = 0; i < steps; i++) {
    try {
      await run.step();
    } catch (cause) {
      throw new Error(`step ${i}: ${run.doing}`, { cause });
    }
  }
  await run.checkAll();
  await checkVerified(store);
  await store.close();
  return run.seen;
}

class MergeRun {
  readonly seen: string[] = [];
  doing = "";
  readonly #chance: Chance;
  readonly #store: Store;
  readonly #kv: MemoryKv;
  readonly #commits = new Map<string, NaiveMade>();
  readonly #tips = new Map<Name, NaiveMade>();
  #time = 0;

  constructor(chance: Chance, store: Store, kv: MemoryKv) {
    this.#chance = chance;
    this.#store = store;
    this.#kv = kv;
  }

  async begin(): Promise<void> {
    const memory: NaiveMemory = new Map();
    const root = naiveCommit([], memory, "root", 0);
    const { commit } = await this.#store.write([], {
      message: "root",
      timeMs: 0,
      allowEmpty: true,
    });
    assert.equal(commit, root.id);
    const second = naiveCommit([], memory, "second", 0);
    const made = await secondRoot(this.#kv.open(), {
      branch: "other",
      like: root.id,
      message: "second",
      timeMs: 0,
    });
    assert.equal(made, second.id);
    for (const name of ["left", "right"]) await this.#store.createBranch(name);
    for (const name of BRANCHES) {
      this.#land(name, name === "other" ? second : root);
    }
  }

  async checkAll(): Promise<void> {
    const commits = [...this.#commits.values()];
    await checkCommits(this.#kv, commits);
    await checkBases(this.#kv, commits, this.#chance);
    for (const [name, tip] of this.#tips) {
      await checkSearch(this.#kv, name, { tip, ids: IDS });
    }
  }

  async step(): Promise<void> {
    const kind = this.#chance.below(10);
    if (kind < 4) await this.#write();
    else if (kind < 9) await this.#merge();
    else await this.#revert();
  }

  #land(name: Name, commit: NaiveMade): void {
    const known = this.#commits.get(commit.id) ?? commit;
    this.#commits.set(commit.id, known);
    this.#tips.set(name, known);
  }

  #tick(): number {
    this.#time += this.#chance.below(3) * 10;
    return this.#time;
  }

  async #write(): Promise<void> {
    const name = this.#chance.pick(BRANCHES);
    const tip = this.#tips.get(name)!;
    const memory = new Map(tip.memory);
    const edits = [];
    for (const id of IDS) {
      if (this.#chance.below(2) === 0) continue;
      if (this.#chance.below(4) === 0) {
        edits.push({ id, remove: true as const });
        memory.delete(id);
      } else {
        const value = drawValue(this.#chance, id);
        edits.push({ id, ...inputOf(value) });
        memory.set(id, value);
      }
    }
    const message = `write ${this.#chance.below(2)}`;
    const timeMs = this.#tick();
    this.doing = `${message} on ${name}`;
    const { commit } = await this.#store.on(name).write(edits, {
      message,
      timeMs,
    });
    if (kindsOf(tip.memory, memory).size === 0) {
      return assert.equal(commit, tip.id);
    }
    const made = naiveCommit([tip], memory, message, timeMs);
    assert.equal(commit, made.id);
    this.#land(name, made);
  }

  #drawOptions(free: NaiveMerged): DrawnOptions {
    const drawn = drawOptions(this.#chance, IDS, this.#tick());
    return fitOptions(this.#chance, drawn, free);
  }

  async #merge(): Promise<void> {
    const name = this.#chance.pick(BRANCHES);
    const other = this.#chance.pick(BRANCHES);
    const ours = this.#tips.get(name)!;
    const back = this.#chance.below(4) === 0;
    const theirs = back
      ? this.#chance.pick([...this.#commits.values()])
      : this.#tips.get(other)!;
    const named = back ? theirs.id : other;
    const anyway = {
      resolutions: new Map(),
      strategy: undefined,
      allowUnrelated: true,
    };
    const free = naiveMerge(ours, theirs, anyway);
    const options = this.#drawOptions(free);
    this.doing = `merge ${named} into ${name}`;
    const expected = naiveMerge(ours, theirs, options.naive);
    if (naiveBases(ours, theirs).length > 1) this.seen.push("several bases");
    const answer = await caught(() =>
      this.#store.on(name).merge(named, options.real)
    );
    this.#judge(name, { ours, theirs }, expected, answer, {
      ...options,
      message: this.doing,
    });
    await this.#checkTip(name);
  }

  async #revert(): Promise<void> {
    const name = this.#chance.pick(BRANCHES);
    const ours = this.#tips.get(name)!;
    const commit = this.#chance.pick([...this.#commits.values()]);
    const parent = commit.parents.length < 2
      ? undefined
      : this.#chance.pick([1, 2] as const);
    const reverted = { commit, parent: commit.parents[(parent ?? 1) - 1] };
    const anyway = {
      resolutions: new Map(),
      strategy: undefined,
      allowUnrelated: true,
    };
    const free = naiveRevert(ours, reverted, anyway);
    const options = this.#drawOptions(free);
    const message = `revert ${commit.id}`;
    this.doing = `${message} on ${name}`;
    const expected = naiveRevert(ours, reverted, options.naive);
    const answer = await caught(() =>
      this.#store.on(name).revert(commit.id, { ...options.real, parent })
    );
    this.#judge(name, { ours, theirs: null }, expected, answer, {
      ...options,
      message,
    });
    if (expected.is === "merged" && !options.dryRun) {
      this.seen.push(parent === undefined ? "reverted" : "reverted a merge");
    }
    await this.#checkTip(name);
  }

  #judge(
    name: Name,
    { ours, theirs }: {
      readonly ours: NaiveMade;
      readonly theirs: NaiveMade | null;
    },
    expected: NaiveMerged,
    answer: MergeResult | "not_found" | "invalid_ref",
    { naive, real, dryRun, message }: DrawnOptions & {
      readonly message: string;
    },
  ): void {
    this.seen.push(expected.is);
    if (dryRun) this.seen.push("dry run");
    if (expected.is === "not_found") return assert.equal(answer, "not_found");
    if (expected.is === "unrelated") return assert.equal(answer, "invalid_ref");
    assert.ok(typeof answer !== "string", `${answer}, not ${expected.is}`);
    assert.equal(answer.status, expected.is);
    const conflicts = expected.is === "conflicts" ? expected.conflicts : [];
    assert.deepEqual(answer.conflicts.map(shown), conflicts);
    const memory = expected.is === "merged"
      ? expected.memory
      : expected.is === "fast-forwarded"
      ? theirs!.memory
      : ours.memory;
    assert.deepEqual([...answer.changes], [...kindsOf(ours.memory, memory)]);
    const reconciled = "reconciled" in expected ? expected.reconciled : [];
    assert.deepEqual(answer.reconciled, reconciled);
    if (reconciled.length > 0) this.seen.push("reconciled");
    if (expected.is === "merged") {
      for (const choice of naive.resolutions.values()) {
        const word = typeof choice === "string" ? choice : "a node";
        this.seen.push(`resolved by ${word}`);
      }
    }
    const stays = dryRun || expected.is === "conflicts" ||
      expected.is === "up-to-date";
    if (stays) return assert.equal(answer.commit, null);
    if (expected.is === "fast-forwarded") {
      assert.equal(answer.commit, theirs!.id);
      return this.#land(name, theirs!);
    }
    const parents = theirs === null ? [ours] : [ours, theirs];
    const made = naiveCommit(parents, memory, message, real.timeMs!);
    assert.equal(answer.commit, made.id);
    this.#land(name, made);
  }

  async #checkTip(name: Name): Promise<void> {
    const tip = this.#tips.get(name)!;
    assert.equal((await this.#store.on(name).head()).commit, tip.id);
  }
}

function shown(
  { id, kind, base, ours, theirs }: MergeResult["conflicts"][number],
) {
  return { id, kind, sides: [base, ours, theirs].map(objectOf) };
}

async function caught(
  call: () => Promise<MergeResult>,
): Promise<MergeResult | "not_found" | "invalid_ref"> {
  try {
    return await call();
  } catch (error) {
    if (isMnemError(error, "not_found")) return "not_found";
    if (isMnemError(error, "invalid_ref")) return "invalid_ref";
    throw error;
  }
}
