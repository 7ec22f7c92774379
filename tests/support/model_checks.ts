/**
 * Asks a store everything about every commit, and compares with the naive model.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Branch, Store } from "@mnem/core";
import {
  changesOf,
  contentText,
  idsOf,
  nodeOf,
  rejectsWith,
} from "./model_answers.ts";
import {
  ancestorsOf,
  blameOf,
  chainOf,
  logOf,
  type NaiveCommit,
  sortedIds,
  versionsOf,
} from "./naive_store.ts";
import { NODE_IDS } from "./random_writes.ts";
import type { Chance } from "./tree_cases.ts";

/** By node id: the commit that wrote the value, and the one that added the id since it was last absent. */
export type Origins = ReadonlyMap<
  string,
  { readonly changed: string; readonly born: string }
>;

/** What is asked, and what must be answered. */
export interface ModelChecksOptions {
  /** The store. */
  readonly store: Store;
  /** All its commits by id. */
  readonly commits: ReadonlyMap<string, NaiveCommit>;
  /** Its branches. */
  readonly branches: ReadonlyMap<string, NaiveCommit>;
  /** Which of the endless questions. */
  readonly chance: Chance;
  /** Reads which commits the entries of a commit's state name as their origins. */
  readonly origins: ((commit: string) => Promise<Origins>) | undefined;
}

/** Asks everything; throws where an answer is not the model's. */
export async function checkModel(options: ModelChecksOptions): Promise<void> {
  const { store, branches, commits } = options;
  const names = sortedIds(branches.keys());
  assert.deepEqual(
    [...await store.branches()],
    names.map((name) => [name, branches.get(name)!.id]),
  );
  for (const name of names) {
    const commit = branches.get(name)!.id;
    assert.deepEqual(await store.on(name).head(), { branch: name, commit });
  }
  const checks = new ModelChecks(options);
  for (const commit of commits.values()) await checks.check(commit);
}

class ModelChecks {
  readonly #store: Store;
  readonly #commits: ModelChecksOptions["commits"];
  readonly #branches: ModelChecksOptions["branches"];
  readonly #chance: Chance;
  readonly #origins: ModelChecksOptions["origins"];

  constructor(options: ModelChecksOptions) {
    this.#store = options.store;
    this.#commits = options.commits;
    this.#branches = options.branches;
    this.#chance = options.chance;
    this.#origins = options.origins;
  }

  async check(commit: NaiveCommit): Promise<void> {
    await this.#checkMemory(commit);
    await this.#checkHistory(commit);
    await this.#checkOrigins(commit);
    await this.#checkNodes(commit);
    await this.#checkRevisions(commit);
    const other = this.#chance.pick([...this.#commits.values()]);
    await this.#checkDiff(commit, other);
    await this.#checkBisect(commit);
  }

  async #checkMemory(commit: NaiveCommit): Promise<void> {
    const at = await this.#store.at(commit.id);
    const ids = sortedIds(commit.memory.keys());
    const all = ids.map((id) => nodeOf(id, commit.memory.get(id))!);
    const memory = await at.memory();
    assert.deepEqual([...memory.keys()], ids);
    assert.deepEqual([...memory.values()], all);
    for (const id of NODE_IDS) {
      const expected = nodeOf(id, commit.memory.get(id));
      assert.deepEqual(await at.node(id), expected);
    }
    for (let i = 0; i < 4; i++) {
      const prefix = this.#chance.pick(["", "a", "a/", "é", "😀", "k", "x"]);
      const after = this.#chance.pick([undefined, ...NODE_IDS, "a2", "zz"]);
      const limit = this.#chance.pick([undefined, 0, 1, 5, 100]);
      const expected = ids.filter((id) => id.startsWith(prefix))
        .filter((id) => after === undefined || isAfter(id, after))
        .slice(0, limit);
      const found = await Array.fromAsync(at.nodes({ prefix, after, limit }));
      assert.deepEqual(found.map(({ id }) => id), expected);
    }
  }

  async #checkHistory(commit: NaiveCommit): Promise<void> {
    const at = await this.#store.at(commit.id);
    const told = await this.#store.readCommit(commit.id);
    assert.deepEqual(at.commit, told);
    const { id, timeMs, message, author } = commit;
    const parents = commit.parents.map((parent) => parent.id);
    assert.deepEqual(told, {
      id,
      timeMs,
      message,
      author,
      parents,
      state: told.state,
    });
    const log = logOf(ancestorsOf(commit)).map((one) => one.id);
    const chain = chainOf(commit).map((one) => one.id);
    const limit = this.#chance.below(log.length + 2);
    assert.deepEqual(await idsOf(at.log()), log);
    assert.deepEqual(await idsOf(at.log({ limit })), log.slice(0, limit));
    assert.deepEqual(await idsOf(at.log({ firstParent: true })), chain);
    assert.deepEqual(
      await idsOf(at.log({ firstParent: true, limit })),
      chain.slice(0, limit),
    );
    const before = commit.parents[0]?.memory ?? new Map();
    const changes = await this.#store.changes(commit.id);
    assert.deepEqual(changes, changesOf(before, commit.memory));
  }

  async #checkOrigins(commit: NaiveCommit): Promise<void> {
    const origins = await this.#origins?.(commit.id);
    if (origins === undefined) return;
    assert.deepEqual([...origins.keys()], sortedIds(commit.memory.keys()));
    for (const [id, { changed, born }] of origins) {
      const chain = chainOf(commit);
      const run = chain.findIndex(({ memory }) => !memory.has(id));
      const length = run < 0 ? chain.length : run;
      assert.equal(changed, blameOf(commit, id)?.id.slice(0, 32));
      assert.equal(born, chain[length - 1]?.id.slice(0, 32));
    }
  }

  async #checkNodes(commit: NaiveCommit): Promise<void> {
    const at = await this.#store.at(commit.id);
    const chain = chainOf(commit);
    const first = this.#chance.below(NODE_IDS.length);
    for (const [i, id] of NODE_IDS.entries()) {
      if (i % 4 !== first % 4) continue;
      const versions = versionsOf(chain, id);
      const told = (await Array.fromAsync(at.versions(id))).map((version) => ({
        commit: version.commit.id,
        node: version.node,
      }));
      assert.deepEqual(
        told,
        versions.map(({ commit, node }) => ({
          commit,
          node: nodeOf(id, node ?? undefined),
        })),
      );
      const ids = versions.map(({ commit }) => commit);
      assert.deepEqual(await idsOf(at.log({ node: id })), ids);
      assert.deepEqual(
        await idsOf(at.log({ node: id, limit: 2, firstParent: true })),
        ids.slice(0, 2),
      );
      const blamed = blameOf(commit, id);
      if (blamed === null) {
        await rejectsWith(at.blame(id), "not_found");
        continue;
      }
      const node = nodeOf(id, commit.memory.get(id))!;
      const blame = await at.blame(id);
      assert.equal(blame.commit.id, blamed.id);
      assert.deepEqual(blame.node, node);
      assert.equal(blame.timeMs, node.eventTimeMs ?? blamed.timeMs);
    }
  }

  async #checkRevisions(commit: NaiveCommit): Promise<void> {
    const chain = chainOf(commit);
    const others = [...this.#commits.keys()].filter((id) => id !== commit.id);
    let digits = 4;
    while (others.some((id) => id.startsWith(commit.id.slice(0, digits)))) {
      digits++;
    }
    const short = commit.id.slice(0, digits);
    const back = this.#chance.below(chain.length + 1);
    const time = this.#chance.pick(chain).timeMs + this.#chance.below(3) - 1;
    const then = chain.find(({ timeMs }) => timeMs <= time);
    const iso = new Date(time).toISOString();
    const cases: [string, NaiveCommit | undefined][] = [
      [commit.id, commit],
      [short, commit],
      [short.toUpperCase(), commit],
      [`${short}^0`, commit],
      [`${short}~0`, commit],
      [`${short}~${back}`, chain[back]],
      [`${short}^`, chain[1]],
      [`${short}^1`, chain[1]],
      [`${short}~`, chain[1]],
      [`${short}^2`, undefined],
      [`${short}^^~1`, chain[3]],
      [`${short}@{${iso}}`, then],
      [`${short}~1@{${iso}}`, chain.slice(1).find((c) => c.timeMs <= time)],
    ];
    for (const [name, at] of this.#branches) {
      if (at === commit) cases.push([name, commit], [`${name}~2`, chain[2]]);
    }
    for (const [revision, expected] of cases) {
      const found = this.#store.resolve(revision);
      if (expected === undefined) await rejectsWith(found, "invalid_ref");
      else assert.equal(await found, expected.id, revision);
    }
  }

  async #checkDiff(from: NaiveCommit, to: NaiveCommit): Promise<void> {
    for (const [a, b] of [[from, to], [to, from]] as const) {
      const told = await Array.fromAsync(this.#store.diff(a.id, b.id));
      assert.deepEqual(told, changesOf(a.memory, b.memory));
    }
  }

  async #checkBisect(commit: NaiveCommit): Promise<void> {
    const chain = chainOf(commit).reverse();
    const id = this.#chance.pick(NODE_IDS);
    const wanted = contentText(commit.memory.get(id));
    const holds = (at: NaiveCommit) =>
      contentText(at.memory.get(id)) === wanted;
    const flips = chain.filter((at, i) =>
      holds(at) !== (i > 0 && holds(chain[i - 1]!))
    ).map((at) => at.id);
    const predicate: Parameters<Branch["bisect"]>[0] = async (memory) =>
      contentText(await memory.node(id) ?? undefined) === wanted;
    const bad = commit.id;
    const scan = await this.#store.bisect(predicate, { bad, scan: true });
    assert.deepEqual(scan.flips, flips);
    assert.equal(scan.flipsComplete, true);
    assert.equal(scan.commit.id, chain.find(holds)?.id);
    const found = await this.#store.bisect(predicate, { bad });
    const place = chain.findIndex((at) => at.id === found.commit.id);
    assert.ok(holds(chain[place]!), "it holds at the commit found");
    assert.ok(place === 0 || !holds(chain[place - 1]!), "and not before it");
    assert.ok(found.flips.every((flip) => flips.includes(flip)));
  }
}

function isAfter(id: string, after: string): boolean {
  return id !== after && sortedIds([id, after])[0] === after;
}
