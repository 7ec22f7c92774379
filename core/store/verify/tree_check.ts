/**
 * Whether the chunks of a state are the one tree of its node ids, each where it is said to be, and
 * what they name is stored. Chunks that states share are looked at once.
 *
 * @module
 */

import { toHex } from "../../object/hex.ts";
import { quote } from "../../object/quote.ts";
import { compareUtf8 } from "../../object/utf8.ts";
import { levelOf } from "../../state/boundary.ts";
import {
  type Chunk,
  type ChunkRef,
  type Index,
  isLeaf,
  type Leaf,
  type Origin,
} from "../../state/chunk.ts";
import { ByteCache } from "../../storage/byte_cache.ts";
import { addressOf } from "../../storage/chunk_record.ts";
import { type ChunkReader, placeName } from "./chunk_reader.ts";
import type { FaultList } from "./fault_list.ts";
import type { KnownCommits } from "./known_commits.ts";
import type { StoredNodes } from "./node_rows.ts";

/** Chunks read in one wave: leaves and what is right above them, and higher ones. */
const WAVE_CHUNKS = 256;
/** See {@linkcode WAVE_CHUNKS}: of these each has many below it. */
const WAVE_HIGH_CHUNKS = 8;
/** Memory for what is known of chunks; what is forgotten is looked at again. */
const JUDGED_BYTES_MAX = 64 * 1024 * 1024;

/** What is known of a chunk that is in order. */
interface Judged {
  readonly id: string;
  readonly level: number;
  readonly count: number;
  /** Entries or children. */
  readonly parts: number;
  /** The first and the last node id below. */
  readonly first: string;
  readonly last: string;
}

/** What a check of trees needs. */
export interface TreeGround {
  /** Reads chunks. */
  readonly chunks: ChunkReader;
  /** The commits that origins name. */
  readonly commits: KnownCommits;
  /** The nodes that entries name. */
  readonly nodes: StoredNodes;
  /** Where faults go. */
  readonly faults: FaultList;
}

/** Checks trees. */
export class TreeCheck {
  readonly #ground: TreeGround;
  readonly #judged = new ByteCache<Judged | "broken">(JUDGED_BYTES_MAX);

  /** Has looked at nothing yet. */
  constructor(ground: TreeGround) {
    this.#ground = ground;
  }

  /** Whether the state of a commit is a tree in order; faults if not. `commit` is an id. */
  async isSound(root: ChunkRef, commit: string): Promise<boolean> {
    const name = `The root of commit ${commit}`;
    const [judged] = await this.#settle([root], `commit ${commit}`);
    if (judged === undefined || judged === "broken") return false;
    if (!this.#fits(root, judged, name)) return false;
    if (root.level === 0 || judged.parts > 1) return true;
    this.#ground.faults.add("tree", `${name} is an index over a single chunk`);
    return false;
  }

  /** Judges chunks of one level and all below them, except what was judged before. */
  async #settle(
    refs: readonly ChunkRef[],
    by: string,
  ): Promise<(Judged | "broken")[]> {
    const results = refs.map((ref) => this.#judged.get(nameOf(ref)));
    const waiting = refs.flatMap((ref, i) =>
      results[i] === undefined ? [{ ref, i }] : []
    );
    const size = (refs[0]?.level ?? 0) > 1 ? WAVE_HIGH_CHUNKS : WAVE_CHUNKS;
    while (waiting.length > 0) {
      const wave = waiting.splice(0, size);
      const read = await this.#ground.chunks.readAny(
        wave.map(({ ref }) => ref),
        by,
      );
      const below = read.map((chunk) =>
        chunk === null || isLeaf(chunk) ? [] : chunk.children
      );
      const settled = below.some(({ length }) => length > 0)
        ? await this.#settle(below.flat(), by)
        : [];
      for (const [place, { ref, i }] of wave.entries()) {
        const children = settled.splice(0, below[place]?.length ?? 0);
        results[i] = this.#judge(ref, read[place] ?? null, children);
      }
    }
    return results.map((result) => result ?? "broken");
  }

  #judge(
    ref: ChunkRef,
    chunk: Chunk | null,
    children: readonly (Judged | "broken")[],
  ): Judged | "broken" {
    const judged = chunk === null
      ? "broken"
      : this.#look(chunk, placeName(ref), children);
    const size = judged === "broken"
      ? 0
      : 2 * (judged.first.length + judged.last.length);
    this.#judged.set(nameOf(ref), judged, 300 + size);
    return judged;
  }

  #look(
    chunk: Chunk,
    name: string,
    children: readonly (Judged | "broken")[],
  ): Judged | "broken" {
    const keys = isLeaf(chunk)
      ? chunk.entries.map(({ id }) => id)
      : chunk.children.map(({ key }) => key);
    if (isLeaf(chunk)) this.#checkEntries(chunk, name);
    if (!this.#areInOrder(keys, chunk.level, name)) return "broken";
    const last = isLeaf(chunk)
      ? keys.at(-1) ?? ""
      : this.#lastBelow(chunk, name, children);
    if (last === null) return "broken";
    return {
      id: toHex(chunk.id),
      level: chunk.level,
      count: chunk.count,
      parts: keys.length,
      first: keys[0] ?? "",
      last,
    };
  }

  /** What the entries of a leaf name: nodes, and the commits that wrote them. */
  #checkEntries(leaf: Leaf, name: string): void {
    const { nodes, faults } = this.#ground;
    const origins = new Set<Origin>();
    for (const { id, object, changed, born } of leaf.entries) {
      origins.add(changed).add(born);
      if (nodes.has(id, object) || nodes.isBroken(id, object)) continue;
      const node = `${quote(id)} with the object ${toHex(object)}`;
      faults.add(
        "link",
        `${name} names the node ${node}, which is not stored`,
        node,
      );
    }
    for (const origin of origins) this.#checkOrigin(origin, name);
  }

  #checkOrigin({ commit, timeMs, generation }: Origin, name: string): void {
    const { commits, faults } = this.#ground;
    const known = commits.originOf(commit);
    if (known === null) {
      if (commits.isBroken(commit)) return;
      const what = "as an origin, which is not stored";
      faults.add("link", `${name} names the commit ${commit} ${what}`, commit);
      return;
    }
    if (known.timeMs === timeMs && known.generation === generation) return;
    // Once a row: the chunks of a pack may have it all from one place.
    const row = name.slice(name.indexOf(" of "));
    faults.add(
      "origin",
      `${name} gives commit ${commit} another time or generation than it has`,
      `${commit} ${row}`,
    );
  }

  /** Bytewise order, each once; and that only the first one starts a chunk of this level. */
  #areInOrder(keys: readonly string[], level: number, name: string): boolean {
    for (const [i, key] of keys.entries()) {
      const before = keys[i - 1];
      if (before === undefined) continue;
      const what = compareUtf8(before, key) >= 0
        ? "is not in order"
        : levelOf(key) !== level
        ? "does not belong at this place of the tree"
        : undefined;
      if (what === undefined) continue;
      this.#ground.faults.add("tree", `${quote(key)} in ${name} ${what}`, name);
      return false;
    }
    return true;
  }

  /** The last node id below an index chunk; null if a child is not what it is said to be. */
  #lastBelow(
    index: Index,
    name: string,
    children: readonly (Judged | "broken")[],
  ): string | null {
    let last: string | null = null;
    for (const [i, ref] of index.children.entries()) {
      const child = children[i];
      if (child === undefined || child === "broken") return null;
      const childName = `Child ${i} of ${name}`;
      if (!this.#fits(ref, child, childName)) return null;
      if (child.count === 0) {
        this.#ground.faults.add("tree", `${childName} is empty`);
        return null;
      }
      if (last !== null && compareUtf8(last, ref.key) >= 0) {
        this.#ground.faults.add(
          "tree",
          `${childName} begins before the one before it ends`,
        );
        return null;
      }
      last = child.last;
    }
    if (last === null) {
      this.#ground.faults.add("tree", `${name} is an index without chunks`);
    }
    return last;
  }

  /** Whether a chunk is what a reference says of it. */
  #fits(ref: ChunkRef, judged: Judged, name: string): boolean {
    const { faults } = this.#ground;
    const id = toHex(ref.id);
    if (id !== judged.id) {
      const there = placeName(ref);
      faults.add(
        "object_id",
        `${name} is not the ${id} that is named: it is ${there}`,
      );
      return false;
    }
    const fits = ref.key === judged.first && ref.level === judged.level &&
      ref.count === judged.count;
    if (!fits) {
      faults.add(
        "tree",
        `${name} has another first id, level or count than is said of it`,
      );
    }
    return fits;
  }
}

function nameOf(ref: ChunkRef): string {
  const { pack, part, index } = addressOf(ref);
  return `${pack}/${part}/${index}`;
}
