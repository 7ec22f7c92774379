/**
 * The store that every bad input is tried on: branches, a conflict, a merge, something staged.
 *
 * @module
 */

import type { Store } from "@mnem/core";

/** A commit that no store has. */
export const NO_COMMIT = "f".repeat(64);
/** The key of the request that wrote `a` on main. */
export const USED_KEY = "request-17";

/**
 * `main`: a, b, c; its head is a merge. `dev` forked at the root and has another `a`; `side` was merged.
 * `staged` is staged.
 */
export async function setScene(store: Store): Promise<void> {
  let timeMs = 0;
  const says = (message: string) => ({
    message,
    timeMs: ++timeMs,
    author: "t",
  });
  await store.write([
    { id: "a", content: 1 },
    { id: "b", content: "two" },
  ], says("root"));
  await store.createBranch("dev");
  await store.createBranch("side");
  await store.on("dev").write([{ id: "a", content: "dev" }], says("dev"));
  await store.on("side").write([{ id: "c", content: 3 }], says("side"));
  await store.write([{ id: "a", content: "main" }], {
    ...says("main"),
    key: USED_KEY,
  });
  await store.merge("side", says("merge side"));
}
