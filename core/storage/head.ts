/**
 * Reads where a branch stands: one round for what the store is, HEAD, the branch, and whatever else
 * must be of the same moment.
 *
 * @module
 */

import { MnemError } from "../errors.ts";
import { shortOf } from "../object/graph_commit.ts";
import { ByteCache } from "./byte_cache.ts";
import { addressOf, decodeChunk } from "./chunk_record.ts";
import { type CommitRow, decodeMetaBlock, originOf } from "./commit_row.ts";
import type { Check, Driver, Key, Row } from "./driver.ts";
import { HEAD_KEY, META_KEY, refKey } from "./keys.ts";
import {
  type HeadValue,
  readHeadRow,
  readMetaRow,
  type StoreMeta,
} from "./meta_row.ts";
import { decodeRefRow } from "./ref_row.ts";
import { sameBytes } from "./row.ts";
import type { StoreReader } from "./store_reader.ts";

/** Which line of history a handle is on. */
export type Position =
  | { readonly on: "head" }
  | { readonly on: "branch"; readonly name: string }
  | { readonly on: "commit"; readonly id: string };

/** Where a branch stands at one moment. */
export interface Head {
  /** Null when HEAD is detached. */
  readonly branch: string | null;
  /** The commit; null on a branch that has none yet. */
  readonly row: CommitRow | null;
  /** What a write that rests on this must find unchanged. */
  readonly checks: readonly Check[];
}

/** Rows that reading a head takes, beside those asked for. */
export const HEAD_ROWS = 3;

/** A head, and the rows read in the same round. */
export interface HeadReading {
  /** Where the branch stood. */
  readonly head: Head;
  /** The other rows asked for, in their order. */
  readonly also: readonly (Row | null)[];
}

/** Reads heads of one store. */
export class HeadReader {
  readonly #driver: Driver;
  readonly #reader: StoreReader;
  readonly #meta: StoreMeta;
  readonly #metaStamp: string;
  // The last commit seen on a branch: most readings find it again and need not decode it.
  readonly #last = new ByteCache<
    { readonly stamp: string; readonly row: CommitRow }
  >(64);
  #headSeen:
    | { readonly stamp: string; readonly value: HeadValue }
    | undefined;
  // Only the default branch may be without a commit, and only until it was seen with one.
  #defaultSeen = false;
  #guess: string;

  /** Reads the heads of the store that `meta` describes, as read at version `metaStamp`. */
  constructor(
    driver: Driver,
    reader: StoreReader,
    meta: StoreMeta,
    metaStamp: string,
  ) {
    this.#driver = driver;
    this.#reader = reader;
    this.#meta = meta;
    this.#metaStamp = metaStamp;
    this.#guess = meta.defaultBranch;
  }

  /**
   * Reads where a position stands. Throws `invalid_ref` for a branch that does not exist, and
   * `corrupt_store` when the store is no longer the one that was opened.
   */
  async read(
    position: Position,
    also: readonly Key[] = [],
  ): Promise<HeadReading> {
    const guess = this.guess(position);
    const keys = [META_KEY, HEAD_KEY, refKey(guess), ...also];
    const [meta, head, ref, ...rest] = await this.#driver.getMany(keys);
    this.#checkMeta(meta ?? null);
    if (position.on === "commit") {
      const row = await this.#reader.commit(shortOf(position.id));
      return { head: { branch: null, row, checks: [] }, also: rest };
    }
    if (position.on === "branch") {
      return { head: await this.#branch(guess, ref ?? null, []), also: rest };
    }
    return {
      head: await this.#follow(head ?? null, guess, ref ?? null),
      also: rest,
    };
  }

  /** The commit of a branch; null where there is none. One round. */
  async commitOf(branch: string): Promise<CommitRow | null> {
    const [ref] = await this.#driver.getMany([refKey(branch)]);
    if (!ref) return null;
    this.saw(branch);
    return await this.#refCommit(branch, ref);
  }

  /** The branch that a position is on, as far as is known without reading. */
  guess(position: Position): string {
    return position.on === "branch" ? position.name : this.#guess;
  }

  /** Remembers the commit that this process just put on a branch. */
  landed(branch: string, row: CommitRow, stamp: string): void {
    this.saw(branch);
    this.#last.set(branch, { stamp, row }, 1);
  }

  /** Remembers that a branch has a commit: if it is missing later, it was deleted. */
  saw(branch: string): void {
    if (branch === this.#meta.defaultBranch) this.#defaultSeen = true;
  }

  /** Remembers that HEAD was just put on a branch: the next reading asks for that one. */
  expect(branch: string): void {
    this.#guess = branch;
  }

  async #follow(
    head: Row | null,
    guess: string,
    guessed: Row | null,
  ): Promise<Head> {
    if (head === null) {
      throw new MnemError("corrupt_store", "The store has no HEAD");
    }
    // Likewise: HEAD moves seldom.
    if (this.#headSeen?.stamp !== head.versionstamp) {
      const value = readHeadRow(head.value);
      this.#headSeen = { stamp: head.versionstamp, value };
    }
    const { value } = this.#headSeen;
    const checks = [{ key: HEAD_KEY, versionstamp: head.versionstamp }];
    if ("commit" in value) {
      const row = await this.#reader.commit(shortOf(value.commit));
      return { branch: null, row, checks };
    }
    this.#guess = value.branch;
    if (value.branch === guess) {
      return await this.#branch(guess, guessed, checks);
    }
    const [ref] = await this.#driver.getMany([refKey(value.branch)]);
    return await this.#branch(value.branch, ref ?? null, checks);
  }

  async #branch(
    name: string,
    ref: Row | null,
    before: readonly Check[],
  ): Promise<Head> {
    const check = {
      key: refKey(name),
      versionstamp: ref?.versionstamp ?? null,
    };
    const checks = [...before, check];
    if (ref !== null) {
      this.saw(name);
      return { branch: name, row: await this.#refCommit(name, ref), checks };
    }
    if (name !== this.#meta.defaultBranch || this.#defaultSeen) {
      throw new MnemError(
        "invalid_ref",
        `Branch ${JSON.stringify(name)} does not exist`,
      );
    }
    return { branch: name, row: null, checks };
  }

  async #refCommit(name: string, ref: Row): Promise<CommitRow> {
    const last = this.#last.get(name);
    if (last?.stamp === ref.versionstamp) return last.row;
    const { commit, meta, root } = decodeRefRow(
      await this.#reader.payload(ref, true),
    );
    const row = meta === null
      ? await this.#reader.commit(shortOf(commit))
      // A copy: what is kept of the commit must not hold the row with its root chunk.
      : decodeMetaBlock(meta.slice(), shortOf(commit));
    if (row.commit.id !== commit) {
      throw new MnemError(
        "corrupt_store",
        `Branch ${JSON.stringify(name)} names another commit`,
      );
    }
    this.#reader.keepCommit(row);
    if (root !== null) {
      const address = addressOf(row.root);
      const home = { self: originOf(row), pack: address.pack };
      this.#reader.keepChunk(address, decodeChunk(root, home, row.root));
    }
    this.#last.set(name, { stamp: ref.versionstamp, row }, 1);
    return row;
  }

  #checkMeta(meta: Row | null): void {
    if (meta?.versionstamp === this.#metaStamp) return;
    const same = meta !== null &&
      sameBytes(readMetaRow(meta.value).storeId, this.#meta.storeId);
    if (!same) {
      throw new MnemError(
        "corrupt_store",
        "The store was removed or replaced while it was open",
      );
    }
  }
}
