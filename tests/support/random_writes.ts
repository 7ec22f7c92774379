/**
 * Random writes: of new values and old ones, of the same again, of other evidence, of removals.
 *
 * @module
 */

import type { Json, Provenance, WriteOptions } from "@mnem/core";
import { chainOf, type NaiveCommit, type NaiveNode } from "./naive_store.ts";
import type { Chance } from "./tree_cases.ts";

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
/** Ids that differ in every order there is, odd ones among them. */
export const NODE_IDS: readonly string[] = [
  ...ODD_IDS,
  ...HEADS.flatMap((head) => [head, `${head}0`, `${head}1`, `${head}~`]),
];

/** Makes writes by chance. */
export class RandomWrites {
  readonly #chance: Chance;
  #time = 1_000;
  #names = 0;

  /** Takes all chance from one source. */
  constructor(chance: Chance) {
    this.#chance = chance;
  }

  /** A branch name that was not given before. */
  branchName(): string {
    return this.#chance.pick(["b", "é", "x/y-", "ﬀ", "\u{10400}"]) +
      this.#names++;
  }

  /** What a commit says of itself; times mostly grow, with ties and steps back. */
  options(): WriteOptions {
    this.#time += this.#chance.pick([0, 0, 1, 1_000, 60_000, -2_500]);
    return {
      message: this.#chance.pick(["", "one", "two ✅"]),
      author: this.#chance.pick(["agent", ""]),
      timeMs: this.#time,
    };
  }

  /** Random edits of a memory: new values, the same again, other evidence, removals, old values. */
  edits(parent: NaiveCommit | null): Map<string, NaiveNode | null> {
    const edits = new Map<string, NaiveNode | null>();
    const memory: ReadonlyMap<string, NaiveNode> = parent?.memory ?? new Map();
    const size = this.#chance.pick([1, 1, 1, 1, 2, 2, 3, 7, 30, 80]);
    for (let i = 0; i < size; i++) {
      const present = [...memory.keys()];
      const isOld = present.length > 0 && this.#chance.below(3) > 0;
      const id = this.#chance.pick(isOld ? present : NODE_IDS);
      const node = memory.get(id);
      const kind = this.#chance.below(10);
      if (kind < 3) edits.set(id, null);
      else if (kind < 4 && node !== undefined) edits.set(id, twinOf(node));
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

/** The same value in another form, where there is one: no change. */
function twinOf(node: NaiveNode): NaiveNode {
  return { ...node, content: otherForm(node.content) };
}

function otherForm(value: Json): Json {
  if (value === 0) return Object.is(value, -0) ? 0 : -0;
  if (value === 2 ** 60) return 2n ** 60n;
  if (value === 2n ** 60n) return 2 ** 60;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(otherForm);
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, otherForm(field)]),
  );
}
