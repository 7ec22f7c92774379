/**
 * Plays a random history with many merges on a store and on the naive model of merges, and compares
 * every answer.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  isMnemError,
  type MemoryNode,
  type MergeOptions,
  type MergeResult,
  type NodeInput,
  type Resolution,
  type Store,
} from "@mnem/core";
import { mergeBases } from "../../core/history/merge_base.ts";
import { shortOf } from "../../core/object/graph_commit.ts";
import { readEntry } from "../../core/state/read_entry.ts";
import { StoreReader } from "../../core/storage/store_reader.ts";
import { openStoreOn } from "../../core/store/open_store.ts";
import { MemoryKv } from "./memory_kv.ts";
import {
  ancestors,
  bornIn,
  kindsOf,
  naiveBases,
  type NaiveChoice,
  naiveCommit,
  type NaiveMade,
  type NaiveMemory,
  naiveMerge,
  type NaiveMerged,
  type NaiveOptions,
  naiveRevert,
  type NaiveValue,
  naiveValue,
  naiveWrittenIn,
  writerOf,
} from "./naive_merge.ts";
import { logOf } from "./naive_store.ts";
import { secondRoot } from "./second_root.ts";
import { Chance } from "./tree_cases.ts";

const BRANCHES = ["main", "left", "right", "other"] as const;
type Name = typeof BRANCHES[number];
const IDS = ["a", "b", "c"];

/** Options for the model and for the store. */
interface DrawnOptions {
  readonly naive: NaiveOptions;
  readonly real: MergeOptions;
  readonly dryRun: boolean;
}

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

  #value(id: string): NaiveValue {
    const source = this.#chance.pick([undefined, "s1", "s2"]);
    const eventTimeMs = this.#chance.below(8) === 0
      ? this.#chance.below(200)
      : undefined;
    const content = this.#chance.pick(["x", "y"]);
    return naiveValue(id, content, source, eventTimeMs);
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
        const value = this.#value(id);
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

  /** Options for both, the same. */
  #options(): DrawnOptions {
    const resolutions = new Map<string, NaiveChoice>();
    const real: Record<string, Resolution> = {};
    if (this.#chance.below(4) > 0) {
      for (const id of IDS) {
        if (this.#chance.below(6) === 0) continue;
        const words = ["ours", "theirs", "base", "delete"] as const;
        const place = this.#chance.below(5);
        const choice = words[place] ?? this.#value(id);
        resolutions.set(id, choice);
        real[id] = typeof choice === "string" ? choice : inputOf(choice);
      }
    }
    const strategy = this.#chance.pick(
      [undefined, undefined, "ours", "theirs"] as const,
    );
    const allowUnrelated = this.#chance.below(4) > 0;
    const dryRun = this.#chance.below(6) === 0;
    return {
      naive: { resolutions, strategy, allowUnrelated },
      real: {
        resolutions: real,
        strategy,
        allowUnrelated,
        dryRun,
        timeMs: this.#tick(),
      },
      dryRun,
    };
  }

  /** Only names ids that conflict, most of the time: else nothing but refusals would be seen. */
  #fitting(
    options: DrawnOptions,
    free: NaiveMerged,
  ): DrawnOptions {
    if (this.#chance.below(5) === 0) return options;
    const open = new Set(
      free.is === "conflicts"
        ? free.conflicts.map(({ id }) => id)
        : free.is === "merged"
        ? free.reconciled
        : [],
    );
    const resolutions = new Map(
      [...options.naive.resolutions].filter(([id]) => open.has(id)),
    );
    for (const { id, sides } of free.is === "conflicts" ? free.conflicts : []) {
      // Most bases are of no use, so that by chance alone they would not be chosen.
      if (sides[0] === null) {
        if (resolutions.get(id) === "base") resolutions.set(id, "theirs");
      } else if (this.#chance.below(2) === 0) resolutions.set(id, "base");
    }
    const real = Object.fromEntries(
      [...resolutions].map(([id, choice]): [string, Resolution] => [
        id,
        typeof choice === "string" ? choice : inputOf(choice),
      ]),
    );
    return {
      ...options,
      naive: { ...options.naive, resolutions },
      real: { ...options.real, resolutions: real },
    };
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
    const options = this.#fitting(this.#options(), free);
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
    const options = this.#fitting(this.#options(), free);
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

  /** Everything that history can be asked, of every commit, on a handle with empty caches. */
  async checkAll(): Promise<void> {
    const store = await openStoreOn(this.#kv.open(), {});
    const reader = new StoreReader(this.#kv.open());
    const all = [...this.#commits.values()];
    for (const commit of all) {
      this.doing = `commit ${commit.id}`;
      const at = await store.at(commit.id);
      const memory = [...await at.memory()].map(([id, node]) => [
        id,
        objectOf(node),
      ]);
      const held = [...commit.memory].map(([id, { object }]) => [id, object]);
      assert.deepEqual(memory, held.sort());
      const row = await reader.commit(shortOf(commit.id));
      for (const id of commit.memory.keys()) {
        const writer = writerOf(commit, id).id;
        assert.equal((await at.blame(id)).commit.id, writer, `blame ${id}`);
        const entry = await readEntry(reader, row.root, id);
        assert.equal(
          entry?.born.commit,
          shortOf(bornIn(commit, id).id),
          "born",
        );
      }
      const log = (await Array.fromAsync(at.log())).map(({ id }) => id);
      const expected = logOf([...ancestors(commit)]).map(({ id }) => id);
      assert.deepEqual(log, expected, "log");
    }
    for (let i = 0; i < 20; i++) {
      const [a, b] = [this.#chance.pick(all), this.#chance.pick(all)];
      const [x, y] = [
        await reader.commit(shortOf(a.id)),
        await reader.commit(shortOf(b.id)),
      ];
      const bases = (await mergeBases(reader, x, y)).map((one) =>
        one.commit.id
      );
      assert.deepEqual(bases, naiveBases(a, b).map(({ id }) => id).sort());
    }
    for (const name of BRANCHES) await this.#checkSearch(store, name);
  }

  async #checkSearch(store: Store, name: Name): Promise<void> {
    const tip = this.#tips.get(name)!;
    const chain: NaiveMade[] = [];
    for (let at = tip as NaiveMade | undefined; at; at = at.parents[0]) {
      chain.unshift(at);
    }
    for (const id of IDS) {
      this.doing = `search ${id} on ${name}`;
      const versions = await Array.fromAsync(
        store.on(name).versions(id, { firstParent: true }),
      );
      const changed = chain.filter((commit) =>
        commit.parents[0]?.memory.get(id)?.object !==
          commit.memory.get(id)?.object
      );
      assert.deepEqual(
        versions.map(({ commit }) => commit.id),
        changed.map((commit) => commit.id).reverse(),
        "versions",
      );
      const want = tip.memory.get(id)?.content;
      const holds = (commit: NaiveMade) =>
        commit.memory.get(id)?.content === want;
      const found = await store.on(name).bisect(
        async (memory) => (await memory.node(id))?.content === want,
        { scan: true },
      );
      const first = chain.find(holds)!;
      assert.equal(found.commit.id, first.id, "bisect");
      assert.equal(found.writtenIn.id, naiveWrittenIn(first, holds).id);
      const flips = chain.filter((commit, i) =>
        holds(commit) !== (i > 0 && holds(chain[i - 1]!))
      );
      assert.deepEqual(found.flips, flips.map((commit) => commit.id));
    }
  }
}

function inputOf({ content, source, eventTimeMs }: NaiveValue): NodeInput {
  const provenance = source === undefined ? {} : { source };
  return eventTimeMs === undefined
    ? { content, provenance }
    : { content, provenance, eventTimeMs };
}

function objectOf(node: MemoryNode | null): string | null {
  if (node === null) return null;
  const { id, content, provenance, eventTimeMs } = node;
  assert.ok(typeof content === "string");
  return naiveValue(id, content, provenance.source, eventTimeMs).object;
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
