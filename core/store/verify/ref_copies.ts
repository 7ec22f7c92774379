/**
 * Whether branches hold what the rows of their commits hold: a reader takes the copies for it.
 *
 * @module
 */

import {
  type Chunk,
  type ChunkRef,
  type Entry,
  isLeaf,
  type Origin,
} from "../../state/chunk.ts";
import {
  addressOf,
  decodeAnyChunk,
  isNamed,
} from "../../storage/chunk_record.ts";
import { originOf } from "../../storage/commit_row.ts";
import { commitKey } from "../../storage/keys.ts";
import { sameBytes } from "../../storage/row.ts";
import type { ChunkReader } from "./chunk_reader.ts";
import { openCommitRow } from "./commit_rows.ts";
import type { FaultList } from "./fault_list.ts";
import type { KnownCommits } from "./known_commits.ts";
import type { NamedRef } from "./ref_check.ts";
import type { RowReader } from "./row_reader.ts";

/** What comparing copies needs. */
export interface CopyGround {
  /** Reads rows. */
  readonly rows: RowReader;
  /** Reads chunks. */
  readonly chunks: ChunkReader;
  /** The commits there are. */
  readonly commits: KnownCommits;
  /** Where faults go. */
  readonly faults: FaultList;
}

/** Checks one branch. Of a commit that is missing or unreadable nothing is compared. */
export async function checkRef(
  { rows, chunks, commits, faults }: CopyGround,
  { name, ref }: NamedRef,
): Promise<void> {
  if (!commits.isLinked(ref.commit, name)) return;
  const [row] = await rows.rows([commitKey(ref.commit)]);
  const opened = row ? await openCommitRow(rows, faults, row) : null;
  if (opened === null) return;
  if (ref.meta !== null && !sameBytes(ref.meta, opened.meta)) {
    faults.add(
      "ref",
      `${name} holds another meta block than its commit ${ref.commit}`,
    );
    return;
  }
  if (ref.root === null) return;
  const { root } = opened.row;
  const home = { self: originOf(opened.row), pack: addressOf(root).pack };
  const record = ref.root;
  const copy = faults.attempt(
    `The root chunk in ${name}`,
    () => decodeAnyChunk(record, home),
  );
  const [stored] = await chunks.readAny([root], `commit ${ref.commit}`);
  if (copy === null || !stored) return;
  if (!isNamed(copy, root) || !sameChunk(copy, stored)) {
    faults.add(
      "ref",
      `${name} holds another root chunk than its commit ${ref.commit}`,
    );
  }
}

/** Whether two chunks of one id are equal in what the id does not cover: origins, places, counts. */
function sameChunk(a: Chunk, b: Chunk): boolean {
  if (isLeaf(a)) {
    return isLeaf(b) &&
      a.entries.every((entry, i) => sameOrigins(entry, b.entries[i]));
  }
  return !isLeaf(b) && a.children.every((child, i) => {
    const other = b.children[i];
    return other !== undefined && child.count === other.count &&
      placeOf(child) === placeOf(other);
  });
}

function placeOf(child: ChunkRef): string {
  const { pack, part, index } = addressOf(child);
  return `${pack}/${part}/${index}`;
}

function sameOrigins(a: Entry, b: Entry | undefined): boolean {
  return b !== undefined && isSame(a.changed, b.changed) &&
    isSame(a.born, b.born);
}

function isSame(a: Origin, b: Origin): boolean {
  return a.commit === b.commit && a.timeMs === b.timeMs &&
    a.generation === b.generation;
}
