/**
 * The branches that an import gives to a store which has some already.
 *
 * @module
 */

import { isMnemError, MnemError } from "../errors.ts";
import type { ObjectId } from "../object/commit.ts";
import { shortOf } from "../object/graph_commit.ts";
import { quote } from "../object/quote.ts";
import { createBranch, listBranches } from "../store/refs.ts";
import type { SharedStore } from "../store/shared_store.ts";

/** Throws `conflict` for a branch that would have to move, before anything is built. */
export async function refuseTaken(
  store: SharedStore,
  refs: ReadonlyMap<string, ObjectId>,
): Promise<void> {
  const there = await listBranches(store);
  for (const [name, id] of refs) {
    const taken = there.get(name);
    if (taken === undefined || taken === id) continue;
    throw new MnemError(
      "conflict",
      `Cannot import branch ${quote(name)} at ${id}: it exists at ${taken}`,
    );
  }
}

/** Makes the branches, each by itself. An error says which of them were made before. */
export async function setBranches(
  store: SharedStore,
  refs: ReadonlyMap<string, ObjectId>,
  check: () => void,
): Promise<void> {
  const set: string[] = [];
  for (const [name, id] of refs) {
    try {
      check();
      const at = await store.reader.commit(shortOf(id));
      await createBranch(store, { name, at });
    } catch (error) {
      throw isMnemError(error) && set.length > 0
        ? withBranches(error, set)
        : error;
    }
    set.push(name);
  }
}

function withBranches(
  error: MnemError,
  branches: readonly string[],
): MnemError {
  const { code, message } = error;
  return new MnemError(
    code,
    `${message} (these branches were made before: ${
      branches.map(quote).join(", ")
    })`,
    // Some of it is there: whoever does it again has to know.
    { cause: error, outcome: "unknown", data: { branches } },
  );
}
