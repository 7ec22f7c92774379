/**
 * Random histories for both implementations, within what they are meant to answer alike. What ours
 * answers otherwise on purpose is left out: an unchanged write, the removal and the blame of an absent
 * node, clocks that stand still or go back, the merge of a criss-cross, reconciled evidence, a belief that flips more than once.
 *
 * @module
 */

import type { Json, ObjectId, Resolution, Store } from "@mnem/core";
import { isMnemError } from "@mnem/core";
import {
  type Arguments,
  type Evidence,
  OPERATIONS as LIBRARY,
  playStep,
} from "../support/trace_run.ts";
import type { Chance } from "../support/tree_cases.ts";

/** A call with our answer. */
export interface PlayedStep {
  /** The call. */
  readonly op: string;
  /** Its arguments, as both take them. */
  readonly args: Partial<Arguments>;
  /** What ours answered; `{error: code}` where it refused. */
  readonly answer: Json;
}

const NODE_IDS = [
  "plan",
  "seats",
  "a",
  "a/b",
  "b:",
  "owner α",
  "😀",
  "～",
  "__proto__",
  "-x",
  "x=y",
];
const SIDES: readonly Resolution[] = ["ours", "theirs", "base", "delete"];
const BRANCHES = ["main", "b1", "x/y", "zweig-ü"];

// The reference reads some decimals one unit off; those with few digits it reads right.
const NEW_CONTENTS: readonly ((n: number) => Json)[] = [
  (n) => `ü${n}😀`,
  (n) => n,
  (n) => -n * 1_000_003,
  (n) => n + 0.5,
  (n) => ({ v: n, tags: ["x", null, true], deep: { a: [[], {}] } }),
  (n) => [n, "1", false],
];
/** Contents that come again: without evidence, so that two sides that write them agree. */
const OLD_CONTENTS: readonly Json[] = [null, true, "same", "", [], {}];

/** Plays a random history of so many calls on a store, and returns it. */
export async function playRandomTrace(
  store: Store,
  { chance, steps }: { readonly chance: Chance; readonly steps: number },
): Promise<PlayedStep[]> {
  const player = new RandomPlayer(store, chance);
  const played: PlayedStep[] = [];
  while (played.length < steps) {
    const step = await player.next();
    if (step !== undefined) played.push(step);
  }
  return played;
}

type Call = Omit<PlayedStep, "answer">;

class RandomPlayer {
  readonly #store: Store;
  readonly #chance: Chance;
  readonly #commits: ObjectId[] = [];
  #n = 0;
  #timeMs = 1_700_000_000_000;

  constructor(store: Store, chance: Chance) {
    this.#store = store;
    this.#chance = chance;
  }

  /** Plays one call, or none where chance asked for what both answer differently. */
  async next(): Promise<PlayedStep | undefined> {
    const call = await this.#call();
    if (call === undefined) return undefined;
    const step = { op: call.op, args: call.args as Arguments };
    try {
      const answer = await playStep(step, this.#store, LIBRARY);
      const { commit } = Object(answer);
      if (typeof commit === "string") this.#commits.push(commit);
      return { ...call, answer };
    } catch (error) {
      if (!isMnemError(error)) throw error;
      return { ...call, answer: { error: error.code } };
    }
  }

  async #call(): Promise<Call | undefined> {
    this.#n += 1;
    const op = this.#chance.pick(
      this.#commits.length < 3 ? ["remember"] : OPERATIONS,
    );
    switch (op) {
      case "remember":
        return await this.#remember();
      case "remember_many":
        return await this.#rememberMany();
      case "forget":
        return await this.#forget();
      case "branch":
        return await this.#branch();
      case "switch":
        return { op, args: { target: await this.#existingBranch() } };
      case "merge":
        return await this.#merge();
      case "why":
        return await this.#why();
      case "when_did":
        return await this.#whenDid();
      default:
        return this.#read(op);
    }
  }

  #read(op: string): Call {
    const chance = this.#chance;
    switch (op) {
      case "recall":
        return { op, args: {} };
      case "recall_at":
        return {
          op,
          args: { at: this.#revision(), id: chance.pick(NODE_IDS) },
        };
      case "log":
        return {
          op,
          args: {
            limit: chance.pick([null, 1, 5]),
            ...(chance.below(2) === 0 ? {} : { first_parent: true }),
          },
        };
      case "diff":
        return { op, args: { from: this.#revision(), to: this.#revision() } };
      default:
        return { op, args: { commit: this.#revision() } };
    }
  }

  async #why(): Promise<Call | undefined> {
    const id = this.#chance.pick(NODE_IDS);
    const at = this.#chance.below(2) === 0 ? null : this.#revision();
    const memory = await this.#store.at(at ?? undefined);
    if (await memory.node(id) === null) return undefined;
    return { op: "why", args: { id, at } };
  }

  async #remember(): Promise<Call | undefined> {
    const id = this.#chance.pick(NODE_IDS);
    const value = this.#value();
    if (await this.#isEqual(id, value.content)) return undefined;
    return { op: "remember", args: { id, ...value, ...this.#summary() } };
  }

  async #rememberMany(): Promise<Call | undefined> {
    const ids = new Set(
      Array.from(
        { length: 1 + this.#chance.below(4) },
        () => this.#chance.pick(NODE_IDS),
      ),
    );
    const items = [...ids].map((id) => ({
      id,
      ...this.#value(),
    }));
    for (const { id, content } of items) {
      if (await this.#isEqual(id, content)) return undefined;
    }
    return { op: "remember_many", args: { items, ...this.#summary() } };
  }

  async #forget(): Promise<Call | undefined> {
    const id = this.#chance.pick(NODE_IDS);
    if (await this.#store.node(id) === null) return undefined;
    return { op: "forget", args: { id, ...this.#summary() } };
  }

  async #branch(): Promise<Call | undefined> {
    const name = this.#chance.pick(BRANCHES);
    // One that is there at the same commit is success here, and an error there.
    if ((await this.#store.branches()).has(name)) return undefined;
    const start = this.#chance.below(2) === 0 ? null : this.#revision();
    return { op: "branch", args: { name, start } };
  }

  async #merge(): Promise<Call | undefined> {
    const theirs = this.#chance.below(3) === 0
      ? this.#revision()
      : await this.#existingBranch();
    if (await this.#isCrissCross(theirs)) return undefined;
    const tried = await this.#store.merge(theirs, { dryRun: true });
    if (tried.reconciled.length > 0) return undefined;
    const { author, time_ms } = this.#summary();
    const strategy = this.#chance.pick([undefined, "ours", "theirs"] as const);
    const resolved = tried.conflicts.filter(() => this.#chance.below(3) > 0);
    const resolutions = Object.fromEntries(
      resolved.map(({ id, base }) => [
        id,
        this.#chance.pick(SIDES.filter((side) => side !== "base" || base)),
      ]),
    );
    return {
      op: "merge",
      args: {
        theirs,
        message: this.#chance.pick([null, `merged ${this.#n}`]),
        author: author ?? "merger",
        time_ms,
        ...(strategy === undefined ? {} : { strategy }),
        ...(resolved.length === 0 ? {} : { resolutions }),
      },
    };
  }

  async #whenDid(): Promise<Call | undefined> {
    const id = this.#chance.pick(NODE_IDS);
    const node = await this.#store.node(id);
    const holds = (one: typeof node) =>
      node === null ? one === null : one !== null &&
        JSON.stringify(one.content) === JSON.stringify(node.content);
    const { commit, flips } = await this.#store.bisect(
      async (memory) => holds(await memory.node(id)),
      { scan: true },
    );
    // The reference asks for a root where it does not hold yet.
    if (flips.length !== 1 || commit.parents.length === 0) return undefined;
    const asked = node === null
      ? { absent: true as const }
      : { equals: node.content };
    return { op: "when_did", args: { id, ...asked } };
  }

  /** Tells whether the head and a revision have several merge bases. */
  async #isCrissCross(theirs: string): Promise<boolean> {
    const [ours, others] = await Promise.all(
      ["HEAD", theirs].map((revision) => this.#ancestors(revision)),
    );
    const common = [...ours ?? []].filter((id) => others?.has(id));
    const below = new Set<string>();
    for (const id of common) {
      for (const one of await this.#ancestors(id)) {
        if (one !== id) below.add(one);
      }
    }
    return common.filter((id) => !below.has(id)).length > 1;
  }

  async #ancestors(revision: string): Promise<Set<string>> {
    const seen = new Set<string>();
    const left = [await this.#store.resolve(revision)];
    for (let id = left.pop(); id !== undefined; id = left.pop()) {
      if (seen.has(id)) continue;
      seen.add(id);
      left.push(...(await this.#store.readCommit(id)).parents);
    }
    return seen;
  }

  async #isEqual(id: string, content: Json): Promise<boolean> {
    const node = await this.#store.node(id);
    return node !== null &&
      JSON.stringify(node.content) === JSON.stringify(content);
  }

  async #existingBranch(): Promise<string> {
    return this.#chance.pick([...(await this.#store.branches()).keys()]);
  }

  #revision(): string {
    const commit = this.#chance.pick(this.#commits);
    return this.#chance.below(4) === 0 ? commit.slice(0, 12) : commit;
  }

  #value(): Evidence & { readonly content: Json } {
    return this.#chance.below(3) === 0
      ? { content: this.#chance.pick(OLD_CONTENTS) }
      : {
        content: this.#chance.pick(NEW_CONTENTS)(this.#n),
        ...this.#evidence(),
      };
  }

  #evidence(): Evidence {
    const fields = [
      "source",
      "step",
      "observation",
      "tool_call",
      "note",
    ] as const;
    return Object.fromEntries(
      fields.filter(() => this.#chance.below(4) === 0)
        .map((field) => [field, `${field}-${this.#n}`]),
    );
  }

  /** Times grow: the reference sorts its log by them, ours by descent first. */
  #summary(): Pick<Arguments, "time_ms" | "summary" | "author"> {
    this.#timeMs += this.#chance.pick([1, 1, 7, 60_000]);
    return {
      time_ms: this.#timeMs,
      ...(this.#chance.below(4) === 0 ? { summary: `summary ${this.#n}` } : {}),
      ...(this.#chance.below(4) === 0 ? { author: "ada ✅" } : {}),
    };
  }
}

const OPERATIONS = [
  ...["remember", "remember", "remember", "remember", "remember_many"],
  ...["forget", "branch", "switch", "merge", "merge", "recall", "recall_at"],
  ...["log", "diff", "why", "why", "whats_new", "when_did"],
];
