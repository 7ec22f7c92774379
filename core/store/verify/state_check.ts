/**
 * Whether a commit's state is the id of its tree, in the form that its row gives (FORMAT.md, "State").
 *
 * @module
 */

import { FLAT_ENTRIES_MAX } from "../../limits.ts";
import { toHex } from "../../object/hex.ts";
import type { Entry } from "../../state/chunk.ts";
import {
  type FlatImage,
  flatImage,
  spliceFlat,
} from "../../state/flat_image.ts";
import { readRange } from "../../state/read_range.ts";
import { ByteCache } from "../../storage/byte_cache.ts";
import type { CommitRow } from "../../storage/commit_row.ts";
import type { ChunkReader } from "./chunk_reader.ts";
import type { ObjectEdit } from "./entry_check.ts";
import type { FaultList } from "./fault_list.ts";

/** Flat objects kept, so that the next one is spliced and not made anew. */
const IMAGE_BYTES_MAX = 8 * 1024 * 1024;

/** Checks the ids of states. */
export class StateCheck {
  readonly #chunks: ChunkReader;
  readonly #faults: FaultList;
  // By the id of the commit: that of the state may be wrong.
  readonly #images = new ByteCache<FlatImage>(IMAGE_BYTES_MAX);

  /** Reads chunks of trees that are in order. */
  constructor(chunks: ChunkReader, faults: FaultList) {
    this.#chunks = chunks;
    this.#faults = faults;
  }

  /** Whether the state of a commit is in order; a fault if not. `edits` is what it changed against its first parent, null if that is not known. */
  async check(
    row: CommitRow,
    edits: readonly ObjectEdit[] | null,
  ): Promise<boolean> {
    const { commit, root, form } = row;
    const name = `Commit ${commit.id}`;
    if (form === "tree" && root.count <= FLAT_ENTRIES_MAX) {
      this.#faults.add(
        "state",
        `${name} has a state of ${root.count} nodes in the form of a tree, must be flat up to ${FLAT_ENTRIES_MAX}`,
      );
      return false;
    }
    const isItself = form === "tree" || root.level === 0;
    const id = isItself ? root.id : (await this.#image(row, edits)).id;
    if (toHex(id) === commit.state) return true;
    this.#faults.add(
      "state",
      `${name} has the state ${commit.state}, and its nodes make ${toHex(id)}`,
    );
    return false;
  }

  async #image(
    { commit, root }: CommitRow,
    edits: readonly ObjectEdit[] | null,
  ): Promise<FlatImage> {
    const [parent] = commit.parents;
    const before = parent === undefined || edits === null
      ? undefined
      : this.#images.get(parent);
    const image = before === undefined || edits === null
      ? flatImage(await this.#entries(root))
      : spliceFlat(before, edits);
    const bytes = image.bytes.length + image.starts.byteLength;
    this.#images.set(commit.id, image, bytes);
    return image;
  }

  async #entries(root: CommitRow["root"]): Promise<Entry[]> {
    const entries: Entry[] = [];
    for await (const entry of readRange(this.#chunks, root)) {
      entries.push(entry);
    }
    return entries;
  }
}
