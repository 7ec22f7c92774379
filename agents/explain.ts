/**
 * Asking why: who is behind a belief, and what a commit changed. When something became so is asked
 * in `when_did.ts`.
 *
 * @module
 */

import type { Blame, Branch, ChangeKind, Json, Revision } from "@mnem/core";
import type { RecallOptions } from "./recall.ts";

/**
 * Returns the commit that wrote a node's value, with the node and its provenance.
 *
 * @throws {MnemError} `not_found` if the node is not in memory; `invalid_ref` if `at` names no commit.
 *
 * @example
 * ```ts
 * import { openStore } from "@mnem/core";
 * import { remember, why } from "@mnem/agents";
 *
 * await using store = await openStore(Deno.makeTempDirSync(), { create: true });
 * await remember(store, "plan", "pro", { observation: "billing-note-8842" });
 * const { node } = await why(store, "plan");
 * if (node.provenance.observation !== "billing-note-8842") throw new Error("the evidence is kept");
 * ```
 */
export async function why<T = Json>(
  store: Branch,
  id: string,
  options: RecallOptions = {},
): Promise<Blame<T>> {
  if (options.at === undefined) return await store.blame<T>(id);
  const memory = await store.at(options.at);
  return await memory.blame<T>(id);
}

/**
 * Returns what a commit changed against its first parent, HEAD's if no revision is given: node id to
 * kind, in id order, bytewise UTF-8. For a root everything is added.
 *
 * @throws {MnemError} `invalid_ref` if the revision names no commit.
 */
export async function whatsNew(
  store: Branch,
  revision?: Revision,
): Promise<ReadonlyMap<string, ChangeKind>> {
  return await store.changed(revision);
}
