/**
 * The stage.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { FaultOperation } from "../../support/fault_matrix.ts";
import { LONG, once, open, said, staged } from "./seeds.ts";

/** The stage. */
export const STAGE: readonly FaultOperation[] = [
  {
    ...open,
    name: "stage.put",
    run: ({ store }) => store.stage.put("a", { content: 1 }),
    leaves: async (store) => {
      assert.deepEqual([...(await store.stage.list()).nodes.keys()], ["a"]);
    },
  },
  {
    ...open,
    name: "stage.put of a value in pieces",
    run: ({ store }) => store.stage.put("a", { content: LONG }),
    leaves: async (store) => {
      const [change] = await Array.fromAsync(store.stage.diff());
      assert.equal(change?.new?.content, LONG);
    },
  },
  {
    ...open,
    name: "stage.remove",
    run: ({ store }) => store.stage.remove("a"),
    leaves: async (store) => {
      assert.deepEqual((await store.stage.list()).removals, ["a"]);
    },
  },
  {
    ...open,
    seed: staged,
    name: "stage.unstage",
    run: ({ store }) => store.stage.unstage("a"),
    is: true,
    leaves: async (store) => {
      assert.equal((await store.stage.list()).nodes.size, 0);
    },
  },
  {
    ...open,
    seed: staged,
    name: "stage.list",
    run: ({ store }) => store.stage.list(),
    is: { removals: ["b"] },
  },
  {
    ...open,
    seed: staged,
    name: "stage.diff",
    run: ({ store }) => Array.fromAsync(store.stage.diff()),
    is: [{ id: "a", kind: "modified" }, { id: "b", kind: "removed" }],
  },
  {
    ...open,
    seed: staged,
    name: "stage.commit",
    run: ({ store }) => store.stage.commit(said),
    is: { changes: new Map([["a", "modified"], ["b", "removed"]]) },
    leaves: async (store) => {
      await once({ a: 1, b: undefined })(store);
      const { nodes, removals } = await store.stage.list();
      assert.deepEqual([nodes.size, removals.length], [0, 0]);
    },
  },
];
