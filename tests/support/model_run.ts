/**
 * Plays a random history on a store and on the naive model of it, and compares every answer.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Branch, Store, WriteOptions } from "@mnem/core";
import { checkVerified } from "./check_verified.ts";
import { contentOf, editsOf, nodeOf, rejectsWith } from "./model_answers.ts";
import { checkModel, type Origins } from "./model_checks.ts";
import {
  applyNaive,
  identicalNaive,
  type NaiveCommit,
  type NaiveEdits,
  sortedIds,
} from "./naive_store.ts";
import { NODE_IDS, RandomWrites } from "./random_writes.ts";
import { Chance } from "./tree_cases.ts";

/** What to play. */
export interface ModelRunOptions {
  /** Where all chance comes from. */
  readonly seed: number;
  /** How many calls. */
  readonly steps: number;
  /** Opens a handle on the store; on a branch if one is given. */
  readonly open: (branch?: string) => Promise<Store>;
  /** Reads which commits the entries of a commit's state name as their origins. */
  readonly origins?: (commit: string) => Promise<Origins>;
}

/** Plays one history, checking as it goes; at the end everything is asked of every commit. */
export async function playHistory(options: ModelRunOptions): Promise<void> {
  const run = await ModelRun.start(options);
  try {
    for (let step = 0; step < options.steps; step++) await run.step();
    await run.checkAll();
  } finally {
    await run.end();
  }
}

class ModelRun {
  readonly #chance: Chance;
  readonly #writes: RandomWrites;
  readonly #open: ModelRunOptions["open"];
  readonly #origins: ModelRunOptions["origins"];
  readonly #commits = new Map<string, NaiveCommit>();
  readonly #branches = new Map<string, NaiveCommit>();
  // A branch, or the commit of a detached HEAD.
  #head: string | NaiveCommit = "main";
  #store: Store;
  #other: Store;

  private constructor(options: ModelRunOptions, store: Store, other: Store) {
    this.#chance = new Chance(options.seed);
    this.#writes = new RandomWrites(this.#chance);
    this.#open = options.open;
    this.#origins = options.origins;
    this.#store = store;
    this.#other = other;
  }

  static async start(options: ModelRunOptions): Promise<ModelRun> {
    return new ModelRun(options, await options.open(), await options.open());
  }

  async end(): Promise<void> {
    await this.#store.close();
    await this.#other.close();
  }

  /** One random call, and a look at the head after it. */
  async step(): Promise<void> {
    const kind = this.#chance.below(24);
    if (kind < 11) await this.#writeHead();
    else if (kind < 14) await this.#writeBranch();
    else if (kind < 15) await this.#writeAtOnce();
    else if (kind < 16) await this.#writeTwins();
    else if (kind < 18) await this.#createBranch();
    else if (kind < 20) await this.#switch();
    else if (kind < 21) await this.#deleteBranch();
    else if (kind < 22) await this.#writeOnBase();
    else if (kind < 23) await this.#writeEmpty();
    else await this.#reopen();
    await this.#checkHead();
  }

  get #any(): Store {
    return this.#chance.below(2) === 0 ? this.#store : this.#other;
  }

  get #headCommit(): NaiveCommit | null {
    return typeof this.#head === "string"
      ? this.#branches.get(this.#head) ?? null
      : this.#head;
  }

  async #writeHead(): Promise<void> {
    if (typeof this.#head === "string") {
      return await this.#write(this.#any, this.#head);
    }
    const edits = [{ id: "a", content: 1 }];
    const write = this.#any.write(edits, { message: "detached" });
    await rejectsWith(write, "invalid_ref");
    await this.#switch();
  }

  async #writeBranch(): Promise<void> {
    const name = this.#someBranch();
    if (name === undefined) return await this.#writeHead();
    if (this.#chance.below(2) === 0) {
      return await this.#write(this.#any.on(name), name);
    }
    await using bound = await this.#open(name);
    await this.#write(bound, name);
  }

  async #write(door: Branch, branch: string): Promise<void> {
    const parent = this.#branches.get(branch) ?? null;
    const edits = this.#writes.edits(parent);
    const options = this.#writes.options();
    const written = await door.write(editsOf(edits), options);
    this.#wrote(branch, { edits, options, written });
  }

  /** Several calls that do not wait for each other: each is a commit of its own, in their order. */
  async #writeAtOnce(): Promise<void> {
    if (typeof this.#head !== "string") return await this.#switch();
    const branch = this.#head;
    const parent = this.#headCommit;
    const calls = [0, 1, 2, 3].map(() => ({
      edits: this.#writes.edits(parent),
      options: this.#writes.options(),
    }));
    const store = this.#any;
    const answers = await Promise.all(
      calls.map(({ edits, options }) => store.write(editsOf(edits), options)),
    );
    calls.forEach((call, i) => {
      this.#wrote(branch, { ...call, written: answers[i]! });
    });
  }

  /** The very same commit on two branches. */
  async #writeTwins(): Promise<void> {
    const name = this.#someBranch();
    if (name === undefined) return;
    const at = this.#branches.get(name)!;
    const twin = this.#writes.branchName();
    await this.#any.createBranch(twin, { at: name });
    this.#branches.set(twin, at);
    const edits = this.#writes.edits(at);
    const options = this.#writes.options();
    for (const branch of [name, twin]) {
      const written = await this.#any.on(branch).write(editsOf(edits), options);
      this.#wrote(branch, { edits, options, written });
    }
    assert.equal(this.#branches.get(name), this.#branches.get(twin));
  }

  async #writeOnBase(): Promise<void> {
    if (typeof this.#head !== "string") return await this.#switch();
    const head = this.#headCommit;
    const commits = [...this.#commits.values(), null];
    const base = this.#chance.pick(commits);
    const edits = this.#writes.edits(head);
    const options = { ...this.#writes.options(), base: base?.id ?? null };
    const moved = sortedIds(edits.keys()).filter((id) =>
      !identicalNaive(base?.memory.get(id), head?.memory.get(id))
    );
    const write = this.#any.write(editsOf(edits), options);
    if (moved.length === 0) {
      return this.#wrote(this.#head, { edits, options, written: await write });
    }
    const { data } = await rejectsWith(write, "conflict");
    assert.equal(data?.["head"], head?.id ?? null);
    const conflicts = data?.["conflicts"];
    assert.ok(Array.isArray(conflicts));
    assert.deepEqual(conflicts.map(({ id }) => id), moved);
    for (const { id, base: before, head: now } of conflicts) {
      assert.deepEqual(contentOf(before), base?.memory.get(id)?.content);
      assert.deepEqual(contentOf(now), head?.memory.get(id)?.content);
    }
  }

  async #writeEmpty(): Promise<void> {
    if (typeof this.#head !== "string") return await this.#switch();
    const options = { ...this.#writes.options(), allowEmpty: true };
    const edits = new Map();
    const written = await this.#any.write([], options);
    this.#wrote(this.#head, { edits, options, written });
  }

  /** Records what a write did, and checks its answer. */
  #wrote(
    branch: string,
    { edits, options, written }: {
      readonly edits: NaiveEdits;
      readonly options: WriteOptions;
      readonly written: Awaited<ReturnType<Branch["write"]>>;
    },
  ): void {
    const head = this.#branches.get(branch) ?? null;
    const parent = isMadeAgain(head, options, written)
      ? head?.parents[0] ?? null
      : head;
    const { memory, changes } = applyNaive(parent?.memory ?? new Map(), edits);
    assert.deepEqual([...written.changes], [...changes]);
    if (changes.size === 0 && !options.allowEmpty) {
      assert.equal(written.commit, parent?.id ?? null);
      return;
    }
    assert.ok(written.commit !== null);
    const commit: NaiveCommit = {
      id: written.commit,
      parents: parent === null ? [] : [parent],
      timeMs: options.timeMs ?? 0,
      message: options.message,
      author: options.author ?? "unknown",
      memory,
    };
    const twin = this.#commits.get(commit.id);
    if (twin !== undefined) assert.deepEqual(twin, commit);
    this.#commits.set(commit.id, twin ?? commit);
    this.#branches.set(branch, twin ?? commit);
  }

  async #createBranch(): Promise<void> {
    const commit = this.#someCommit();
    if (commit === undefined) {
      return void await rejectsWith(
        this.#any.createBranch("early"),
        "invalid_ref",
      );
    }
    const name = this.#writes.branchName();
    await this.#any.createBranch(name, { at: commit.id });
    this.#branches.set(name, commit);
  }

  async #switch(): Promise<void> {
    const name = this.#someBranch();
    const commit = this.#someCommit();
    if (name === undefined || commit === undefined) return;
    const detach = this.#chance.below(4) === 0;
    await this.#any.switchTo(detach ? commit.id : name);
    this.#head = detach ? commit : name;
  }

  async #deleteBranch(): Promise<void> {
    const name = this.#someBranch();
    if (name === undefined) return;
    if (name === this.#head) {
      return void await rejectsWith(this.#any.deleteBranch(name), "conflict");
    }
    // By one handle: another that never saw the default branch takes it for unborn.
    const store = this.#any;
    assert.equal(await store.deleteBranch(name), true);
    assert.equal(await store.deleteBranch(name), false);
    this.#branches.delete(name);
    await rejectsWith(store.on(name).head(), "invalid_ref");
    await rejectsWith(store.on(name).memory(), "invalid_ref");
  }

  async #reopen(): Promise<void> {
    await this.#store.close();
    if (this.#chance.below(2) === 0) {
      await this.#other.close();
      this.#other = await this.#open();
    }
    this.#store = await this.#open();
  }

  async #checkHead(): Promise<void> {
    const commit = this.#headCommit?.id ?? null;
    const branch = typeof this.#head === "string" ? this.#head : null;
    assert.deepEqual(await this.#any.head(), { branch, commit });
    const id = this.#chance.pick(NODE_IDS);
    const expected = nodeOf(id, this.#headCommit?.memory.get(id));
    assert.deepEqual(await this.#any.node(id), expected);
  }

  /** Asks everything of every commit, through a handle that has read nothing yet. */
  async checkAll(): Promise<void> {
    await this.#reopen();
    await checkModel({
      store: this.#store,
      commits: this.#commits,
      branches: this.#branches,
      chance: this.#chance,
      origins: this.#origins,
    });
    await checkVerified(this.#store);
  }

  #someBranch(): string | undefined {
    const names = [...this.#branches.keys()];
    return names.length === 0 ? undefined : this.#chance.pick(names);
  }

  #someCommit(): NaiveCommit | undefined {
    const commits = [...this.#commits.values()];
    return commits.length === 0 ? undefined : this.#chance.pick(commits);
  }
}

/**
 * Two handles that are asked for the very same commit on one parent cannot know who made it: both say
 * that they did, though the second was asked later.
 */
function isMadeAgain(
  head: NaiveCommit | null,
  { timeMs, message, author, allowEmpty = false }: WriteOptions,
  { commit, changes }: Awaited<ReturnType<Branch["write"]>>,
): boolean {
  return head !== null && commit === head.id &&
    (changes.size > 0 || allowEmpty) && head.timeMs === timeMs &&
    head.message === message &&
    head.author === author;
}
