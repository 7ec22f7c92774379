/**
 * Branches and HEAD.
 *
 * @module
 */

import { MnemError } from "../errors.ts";
import { isAncestor } from "../history/ancestry.ts";
import { checkBranchName, isBranchName } from "../object/branch_name.ts";
import type { ObjectId } from "../object/commit.ts";
import { shortOf } from "../object/graph_commit.ts";
import { quote } from "../object/quote.ts";
import { compareUtf8 } from "../object/utf8.ts";
import { encodeMetaBlock } from "../storage/commit_row.ts";
import type { CommitRow } from "../storage/commit_row.ts";
import type { Check, Key, Row } from "../storage/driver.ts";
import type { Position } from "../storage/head.ts";
import {
  commitKey,
  HEAD_KEY,
  refKey,
  REFS_RANGE,
  requestKeys,
  requestMarkKey,
} from "../storage/keys.ts";
import { headRow, readHeadRow } from "../storage/meta_row.ts";
import { decodeRefRow, encodeRefRow } from "../storage/ref_row.ts";
import {
  corruptRow,
  frameRow,
  type NewRow,
  sameBytes,
} from "../storage/row.ts";
import { resolveRevision } from "./resolve_revision.ts";
import type { SharedStore } from "./shared_store.ts";
import { untilLanded } from "./until_landed.ts";

/** Branch names to commit ids, in name order, bytewise UTF-8. */
export async function listBranches(
  store: SharedStore,
): Promise<Map<string, ObjectId>> {
  const found: [string, ObjectId][] = [];
  for await (const row of store.driver.list(REFS_RANGE)) {
    const name = row.key[1];
    if (typeof name !== "string") throw corruptRow(row.key, "has no name");
    store.heads.saw(name);
    found.push([
      name,
      decodeRefRow(await store.reader.payload(row, true)).commit,
    ]);
  }
  return new Map(found.sort(([a], [b]) => compareUtf8(a, b)));
}

/** Where a branch is to be made. */
export interface BranchPlace {
  /** Its name. */
  readonly name: string;
  /** Its commit. */
  readonly at: CommitRow;
  /** What was seen in the round that found the commit: the branch itself, and what names the commit. */
  readonly seen?: {
    readonly ref: Row | null;
    readonly checks: readonly Check[];
  };
}

/** Makes a branch where a position stands: one round to look, one to write. */
export async function createBranchAt(
  store: SharedStore,
  position: Position,
  name: string,
): Promise<void> {
  const { head, also: [ref = null] } = await store.heads.read(position, [
    refKey(name),
  ]);
  if (head.row === null) {
    throw new MnemError(
      "invalid_ref",
      `Cannot create branch ${quote(name)}: HEAD has no commit yet`,
    );
  }
  // A branch that is still where it was names a commit that is there.
  const seen = head.branch === null ? undefined : { ref, checks: head.checks };
  await createBranch(store, { name, at: head.row, ...seen && { seen } });
}

/** Makes a branch. `conflict` if it exists at another commit. */
export async function createBranch(
  store: SharedStore,
  { name, at, seen }: BranchPlace,
): Promise<void> {
  const { id } = at.commit;
  const payload = encodeRefRow(id, encodeMetaBlock(at), null);
  const { key, value } = frameRow(refKey(name), payload, true);
  let known = seen;
  let sentBefore = false;
  await untilLanded(`create branch ${quote(name)}`, async () => {
    const { ref, checks } = known ?? await lookForBranch(store, name, id);
    known = undefined;
    if (ref !== null) {
      store.heads.saw(name);
      const there = decodeRefRow(await store.reader.payload(ref, true)).commit;
      // An attempt whose answer was lost may have made it, and others written on it since.
      if (there === id || sentBefore && await ledTo(store, at, there)) {
        return true;
      }
      throw new MnemError(
        "conflict",
        `Cannot create branch ${quote(name)} at ${id}: it exists at ${there}`,
      );
    }
    sentBefore = true;
    const sent = await store.driver.commit({
      checks: [{ key, versionstamp: null }, ...checks],
      sets: [{ key, value }],
    });
    if (!sent.ok) return undefined;
    store.heads.saw(name);
    return true;
  });
}

async function lookForBranch(
  store: SharedStore,
  name: string,
  commit: ObjectId,
): Promise<NonNullable<BranchPlace["seen"]>> {
  const keys = [refKey(name), commitKey(commit)];
  const [ref = null, row] = await store.driver.getMany(keys);
  if (!row) {
    throw new MnemError(
      "corrupt_store",
      `Commit ${commit} is named but not stored`,
    );
  }
  return { ref, checks: [checkOf(row)] };
}

async function ledTo(
  store: SharedStore,
  ancestor: CommitRow,
  commit: ObjectId,
): Promise<boolean> {
  const { reader } = store;
  return await isAncestor(
    reader,
    ancestor,
    await reader.commit(shortOf(commit)),
  );
}

/** Removes a branch; its commits stay. Tells whether it existed. `conflict` for the one HEAD is on. */
export async function deleteBranch(
  store: SharedStore,
  name: string,
): Promise<boolean> {
  checkBranchName(name);
  let sentBefore = false;
  return await untilLanded(`delete branch ${quote(name)}`, async () => {
    const requests = requestMarkKey(name);
    const [head, ref, kept] = await store.driver.getMany([
      HEAD_KEY,
      refKey(name),
      requests,
    ]);
    if (!head) throw corruptRow(HEAD_KEY, "is missing");
    // An attempt whose answer was lost may have removed it.
    if (!ref) return sentBefore;
    store.heads.saw(name);
    const value = readHeadRow(head.value);
    if ("branch" in value && value.branch === name) {
      throw new MnemError(
        "conflict",
        `Cannot delete branch ${
          quote(name)
        }: HEAD is on it, switch to another one first`,
      );
    }
    sentBefore = true;
    // A branch of that name to come shall not answer for this one.
    const versionstamp = kept?.versionstamp ?? null;
    const sent = await store.driver.commit({
      checks: [...[head, ref].map(checkOf), { key: requests, versionstamp }],
      deletes: [ref.key, ...kept ? requestKeys(name) : []],
    });
    return sent.ok ? true : undefined;
  });
}

/** The position that a text names: a branch of that name, else the commit that it resolves to. */
export async function findPosition(
  store: SharedStore,
  from: Position,
  target: string,
): Promise<Position> {
  if (typeof target === "string" && isBranchName(target)) {
    const named: Position = { on: "branch", name: target };
    if (await store.heads.commitOf(target) !== null) return named;
    const mayBeUnborn = target === store.meta.defaultBranch;
    if (mayBeUnborn && await isUnborn(store, from, target)) return named;
  }
  const row = await resolveRevision(store, from, target);
  return { on: "commit", id: row.commit.id };
}

/**
 * Moves the store's HEAD, for all who follow it, to a branch of that name, else to the commit that the
 * text resolves to.
 */
export async function switchHead(
  store: SharedStore,
  target: string,
): Promise<void> {
  if (typeof target === "string" && isBranchName(target)) {
    if (await pointHead(store, headRow({ branch: target }), refKey(target))) {
      return store.heads.expect(target);
    }
  }
  const { commit } = await resolveRevision(store, { on: "head" }, target);
  const row = headRow({ commit: commit.id });
  if (await pointHead(store, row, commitKey(commit.id))) return;
  throw new MnemError(
    "corrupt_store",
    `Commit ${commit.id} is named but not stored`,
  );
}

/** Sets HEAD, one round to look and one to write; false if what it is to name does not exist. */
async function pointHead(
  store: SharedStore,
  { key, value }: NewRow,
  named: Key,
): Promise<boolean> {
  return await untilLanded("switch", async () => {
    const [there, head] = await store.driver.getMany([named, key]);
    if (!head) throw corruptRow(key, "is missing");
    if (sameBytes(head.value, value)) return true;
    if (!there) return false;
    const sent = await store.driver.commit({
      checks: [checkOf(there), checkOf(head)],
      sets: [{ key, value }],
    });
    if (!sent.ok) return undefined;
    store.setWritten({ on: "head" }, undefined);
    return true;
  });
}

async function isUnborn(
  store: SharedStore,
  from: Position,
  name: string,
): Promise<boolean> {
  if (from.on === "commit") return false;
  const { head } = await store.heads.read(from);
  return head.branch === name && head.row === null;
}

function checkOf({ key, versionstamp }: Row): Check {
  return { key, versionstamp };
}
