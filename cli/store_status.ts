/**
 * Where a store and its branches stand.
 *
 * @module
 */

import type { Store } from "@mnem/core";
import { type RefNames, refNames } from "./render/commit.ts";
import type { JsonObject } from "./report.ts";
import { NO_COMMIT } from "./written.ts";

/** Returns `{store, branch, head, format_version}`. */
export async function statusOf(store: Store): Promise<JsonObject> {
  const { branch, commit } = await store.head();
  return {
    store: store.location,
    branch,
    head: commit ?? NO_COMMIT,
    format_version: store.formatVersion,
  };
}

/** Reads which branches stand at which commit. */
export async function readRefNames(store: Store): Promise<RefNames> {
  return refNames(await store.branches(), await store.head());
}
