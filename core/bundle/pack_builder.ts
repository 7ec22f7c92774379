/**
 * The pack of a commit that is too large for one row, written part by part while the commit is worked
 * out.
 *
 * @module
 */

import { randomId } from "../chance.ts";
import { toHex } from "../object/hex.ts";
import type { ChunkRef, Origin } from "../state/chunk.ts";
import type { StoreReader } from "../storage/store_reader.ts";
import { placeInPack } from "../store/make_commit.ts";
import { ownerRow, partRows } from "../store/pack_rows.ts";
import type { WriteBehind } from "./write_behind.ts";

/** Where parts are written to, and read from. */
export interface PackGround {
  /** Writes them. */
  readonly rows: WriteBehind;
  /** Reads them. */
  readonly reader: StoreReader;
}

/** A pack that grows. */
export class PackBuilder {
  readonly #ground: PackGround;
  readonly #pack: string = toHex(randomId());
  readonly #owner: Origin;
  #part = 1;

  /** Begins a pack of a commit whose id is known. */
  constructor(ground: PackGround, owner: Origin) {
    this.#ground = ground;
    this.#owner = owner;
  }

  /** Writes the chunks of a tree that are not stored yet; returns its root, stored. */
  async place(tree: ChunkRef): Promise<ChunkRef> {
    const { rows, reader } = this.#ground;
    // First, so that the parts can be read while the commit is not there yet.
    if (this.#part === 1) {
      await rows.set([ownerRow(this.#pack, this.#owner)]);
    }
    const part = this.#part;
    const { root, placed } = placeInPack(tree, this.#pack, { part });
    for (const { address, chunk } of placed) reader.keepChunk(address, chunk);
    await rows.set(partRows(this.#pack, placed));
    const last = placed.at(-1);
    if (last !== undefined) this.#part = last.address.part + 1;
    return root;
  }
}
