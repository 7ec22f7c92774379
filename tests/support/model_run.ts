/**
 * Plays a random history on a store and on the naive model of it, and compares every answer.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  type Branch,
  type Edit,
  isMnemError,
  type Json,
  type MemoryNode,
  type Provenance,
  type Store,
  type WriteOptions,
} from "@mnem/core";
import {
  ancestorsOf,
  applyNaive,
  blameOf,
  chainOf,
  identicalNaive,
  kindsBetween,
  logOf,
  type NaiveCommit,
  type NaiveEdits,
  type NaiveNode,
  sortedIds,
  valueText,
  versionsOf,
} from "./naive_store.ts";
import { Chance } from "./tree_cases.ts";

/** What to play. */
export interface ModelRunOptions {
  /** Where all chance comes from. */
  readonly seed: number;
  /** How many calls. */
  readonly steps: number;
  /** Opens a handle on the store; on a branch if one is given. */
  readonly open: (branch?: string) => Promise<Store>;
}

const HEADS = [
  "a",
  "a/",
  "b:",
  "é",
  "～",
  "😀",
  "\ue000",
  "\uffff",
  "k\u{10ffff}",
];
const ODD_IDS = [
  "__proto__",
  "constructor",
  "/",
  " ",
  "a\u0001",
  "a".repeat(1_024),
];
const IDS = [
  ...ODD_IDS,
  ...HEADS.flatMap((head) => [head, `${head}0`, `${head}1`, `${head}~`]),
];

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
  readonly #open: ModelRunOptions["open"];
  readonly #commits = new Map<string, NaiveCommit>();
  readonly #branches = new Map<string, NaiveCommit>();
  // A branch, or the commit of a detached HEAD.
  #head: string | NaiveCommit = "main";
  #store: Store;
  #other: Store;
  #time = 1_000;
  #names = 0;

  private constructor(options: ModelRunOptions, store: Store, other: Store) {
    this.#chance = new Chance(options.seed);
    this.#open = options.open;
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
    const edits = this.#edits(parent);
    const options = this.#options();
    const written = await door.write(editsOf(edits), options);
    this.#wrote(branch, { edits, options, written });
  }

  /** Several calls that do not wait for each other: each is a commit of its own, in their order. */
  async #writeAtOnce(): Promise<void> {
    if (typeof this.#head !== "string") return await this.#switch();
    const branch = this.#head;
    const parent = this.#headCommit;
    const calls = [0, 1, 2, 3].map(() => ({
      edits: this.#edits(parent),
      options: this.#options(),
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
    const twin = this.#newName();
    await this.#any.createBranch(twin, { at: name });
    this.#branches.set(twin, at);
    const edits = this.#edits(at);
    const options = this.#options();
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
    const edits = this.#edits(head);
    const options = { ...this.#options(), base: base?.id ?? null };
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
    const options = { ...this.#options(), allowEmpty: true };
    const edits = new Map();
    const written = await this.#any.write([], options);
    assert.ok(written.commit !== this.#headCommit?.id);
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
    const parent = this.#branches.get(branch) ?? null;
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
    const name = this.#newName();
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
    const id = this.#chance.pick(IDS);
    const expected = nodeOf(id, this.#headCommit?.memory.get(id));
    assert.deepEqual(await this.#any.node(id), expected);
  }

  /** Asks everything of every commit, through a handle that has read nothing yet. */
  async checkAll(): Promise<void> {
    await this.#reopen();
    const names = sortedIds(this.#branches.keys());
    assert.deepEqual(
      [...await this.#store.branches()],
      names.map((name) => [name, this.#branches.get(name)!.id]),
    );
    for (const name of names) {
      const { id } = this.#branches.get(name)!;
      assert.deepEqual(await this.#any.on(name).head(), {
        branch: name,
        commit: id,
      });
    }
    for (const commit of this.#commits.values()) {
      await this.#checkMemory(commit);
      await this.#checkHistory(commit);
      await this.#checkNodes(commit);
      await this.#checkRevisions(commit);
      await this.#checkDiff(commit, this.#someCommit()!);
      await this.#checkBisect(commit);
    }
  }

  async #checkMemory(commit: NaiveCommit): Promise<void> {
    const at = await this.#store.at(commit.id);
    const ids = sortedIds(commit.memory.keys());
    const all = ids.map((id) => nodeOf(id, commit.memory.get(id))!);
    const memory = await at.memory();
    assert.deepEqual([...memory.keys()], ids);
    assert.deepEqual([...memory.values()], all);
    for (const id of IDS) {
      const expected = nodeOf(id, commit.memory.get(id));
      assert.deepEqual(await at.node(id), expected);
    }
    for (let i = 0; i < 4; i++) {
      const prefix = this.#chance.pick(["", "a", "a/", "é", "😀", "k", "x"]);
      const after = this.#chance.pick([undefined, ...IDS, "a2", "zz"]);
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

  async #checkNodes(commit: NaiveCommit): Promise<void> {
    const at = await this.#store.at(commit.id);
    const chain = chainOf(commit);
    const first = this.#chance.below(IDS.length);
    for (const [i, id] of IDS.entries()) {
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
      const found = this.#any.resolve(revision);
      if (expected === undefined) await rejectsWith(found, "invalid_ref");
      else assert.equal(await found, expected.id, revision);
    }
  }

  async #checkDiff(from: NaiveCommit, to: NaiveCommit): Promise<void> {
    for (const [a, b] of [[from, to], [to, from]] as const) {
      const told = await Array.fromAsync(this.#any.diff(a.id, b.id));
      assert.deepEqual(told, changesOf(a.memory, b.memory));
    }
  }

  async #checkBisect(commit: NaiveCommit): Promise<void> {
    const chain = chainOf(commit).reverse();
    const id = this.#chance.pick(IDS);
    const wanted = contentText(commit.memory.get(id));
    const holds = (at: NaiveCommit) =>
      contentText(at.memory.get(id)) === wanted;
    const flips = chain.filter((at, i) =>
      holds(at) !== (i > 0 && holds(chain[i - 1]!))
    ).map((at) => at.id);
    const predicate: Parameters<Branch["bisect"]>[0] = async (memory) =>
      contentText(await memory.node(id) ?? undefined) === wanted;
    const bad = commit.id;
    const scan = await this.#any.bisect(predicate, { bad, scan: true });
    assert.deepEqual(scan.flips, flips);
    assert.equal(scan.flipsComplete, true);
    assert.equal(scan.commit.id, chain.find(holds)?.id);
    const found = await this.#any.bisect(predicate, { bad });
    const place = chain.findIndex((at) => at.id === found.commit.id);
    assert.ok(holds(chain[place]!), "it holds at the commit found");
    assert.ok(place === 0 || !holds(chain[place - 1]!), "and not before it");
    assert.ok(found.flips.every((flip) => flips.includes(flip)));
  }

  #someBranch(): string | undefined {
    const names = [...this.#branches.keys()];
    return names.length === 0 ? undefined : this.#chance.pick(names);
  }

  #someCommit(): NaiveCommit | undefined {
    const commits = [...this.#commits.values()];
    return commits.length === 0 ? undefined : this.#chance.pick(commits);
  }

  #newName(): string {
    return this.#chance.pick(["b", "é", "x/y-", "ﬀ", "\u{10400}"]) +
      this.#names++;
  }

  #options(): WriteOptions {
    this.#time += this.#chance.pick([0, 0, 1, 1_000, 60_000, -2_500]);
    return {
      message: this.#chance.pick(["", "one", "two ✅"]),
      author: this.#chance.pick(["agent", ""]),
      timeMs: this.#time,
    };
  }

  /** Random edits of a memory: new values, the same again, other evidence, removals, old values. */
  #edits(parent: NaiveCommit | null): Map<string, NaiveNode | null> {
    const edits = new Map<string, NaiveNode | null>();
    const memory: ReadonlyMap<string, NaiveNode> = parent?.memory ?? new Map();
    const size = this.#chance.pick([1, 1, 1, 1, 2, 2, 3, 7, 30, 80]);
    for (let i = 0; i < size; i++) {
      const present = [...memory.keys()];
      const isOld = present.length > 0 && this.#chance.below(3) > 0;
      const id = this.#chance.pick(isOld ? present : IDS);
      const node = memory.get(id);
      const kind = this.#chance.below(10);
      if (kind < 3) edits.set(id, null);
      else if (kind < 4 && node !== undefined) edits.set(id, { ...node });
      else if (kind < 6 && node !== undefined) {
        edits.set(id, { ...node, ...this.#evidence() });
      } else if (kind < 8) edits.set(id, this.#earlier(parent, id));
      else edits.set(id, this.#node());
    }
    return edits;
  }

  /** A value that the node had before. */
  #earlier(commit: NaiveCommit | null, id: string): NaiveNode {
    const values = chainOf(commit).flatMap(({ memory }) => {
      const node = memory.get(id);
      return node === undefined ? [] : [node];
    });
    return values.length === 0 ? this.#node() : this.#chance.pick(values);
  }

  #node(): NaiveNode {
    return {
      content: this.#content(0),
      contentKind: this.#chance.pick(["note", "note", "claim"]),
      ...this.#evidence(),
    };
  }

  #evidence(): { provenance: Provenance; eventTimeMs: number | undefined } {
    const provenance = this.#chance.pick<Provenance>([
      {},
      { source: "ticket" },
      { source: "" },
      { agentStep: "s", observation: "o", toolCall: "t", note: "é" },
    ]);
    const eventTimeMs = this.#chance.pick([undefined, undefined, 0, -1, 5_000]);
    return { provenance, eventTimeMs };
  }

  #content(depth: number): Json {
    const kind = this.#chance.below(depth > 2 ? 6 : 9);
    if (kind < 2) return this.#chance.below(3);
    if (kind === 2) return this.#chance.pick(["", "x", "é😀", "～"]);
    if (kind === 3) return this.#chance.pick([null, true, false]);
    if (kind === 4) {
      return this.#chance.pick([-0, 0, 2 ** 60, 2n ** 60n, 0.5, -1, 1e300]);
    }
    if (kind === 5) {
      return this.#chance.below(12) === 0 ? "long ".repeat(15_000) : "short";
    }
    if (kind === 6) return [this.#content(depth + 1), this.#content(depth + 1)];
    const object: { [key: string]: Json } = JSON.parse('{"__proto__": 1}');
    if (kind === 7) object["b"] = this.#content(depth + 1);
    object["aa"] = this.#content(depth + 1);
    return object;
  }
}

function editsOf(edits: NaiveEdits): Edit[] {
  return [...edits].map(([id, node]) =>
    node === null ? { id, remove: true } : { id, ...node }
  );
}

function nodeOf(id: string, node: NaiveNode | undefined): MemoryNode | null {
  if (node === undefined) return null;
  const { content, contentKind, provenance, eventTimeMs } = node;
  const time = eventTimeMs === undefined ? {} : { eventTimeMs };
  return { id, content, contentKind, provenance, ...time };
}

function changesOf(
  before: ReadonlyMap<string, NaiveNode>,
  after: ReadonlyMap<string, NaiveNode>,
): unknown[] {
  return [...kindsBetween(before, after)].map(([id, kind]) => {
    const [old, now] = [before.get(id), after.get(id)];
    const evidenceOnly = old !== undefined && now !== undefined &&
      old.contentKind === now.contentKind && sameContents(old, now);
    return {
      id,
      kind,
      old: nodeOf(id, old),
      new: nodeOf(id, now),
      evidenceOnly,
    };
  });
}

function sameContents(a: NaiveNode, b: NaiveNode): boolean {
  return contentText(a) === contentText(b);
}

function contentText(node: { readonly content: Json } | undefined): string {
  return node === undefined ? "absent" : valueText(node.content);
}

function contentOf(node: Json | undefined): Json | undefined {
  if (node === null || node === undefined) return undefined;
  assert.ok(typeof node === "object" && "content" in node);
  return node.content;
}

function isAfter(id: string, after: string): boolean {
  return id !== after && sortedIds([id, after])[0] === after;
}

async function idsOf(
  commits: AsyncIterable<{ readonly id: string }>,
): Promise<string[]> {
  return (await Array.fromAsync(commits)).map(({ id }) => id);
}

async function rejectsWith(
  call: Promise<unknown>,
  code: string,
): Promise<{ readonly data?: { readonly [key: string]: Json } }> {
  const failure = await call.then(
    () => assert.fail(`there was no ${code}`),
    (error: unknown) => error,
  );
  assert.ok(isMnemError(failure), String(failure));
  assert.equal(failure.code, code, failure.message);
  return failure;
}
