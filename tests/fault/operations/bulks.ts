/**
 * What is more than one atomic write holds.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { FaultOperation } from "../../support/fault_matrix.ts";
import { once, said, threeNodes, WIDE, wide } from "./seeds.ts";

/** What is more than one atomic write holds. */
export const BULKS: readonly FaultOperation[] = [
  {
    before: "open",
    isLong: true,
    seed: async (store) => {
      await threeNodes(store);
      await store.on("dev").write(WIDE, { message: "wide" });
    },
    name: "merge of many nodes",
    run: ({ store }) => store.merge("dev", said),
    is: { status: "merged" },
    leaves: async (store) => {
      assert.equal((await store.memory()).size, 103);
      assert.equal((await store.node(wide(99)))?.content, 99);
    },
  },
  {
    before: "open",
    isLong: true,
    seed: async (store) => {
      await threeNodes(store);
      for (const { id, content } of WIDE) {
        await store.stage.put(id, { content });
      }
      await store.stage.remove("b");
    },
    name: "stage.commit of many nodes",
    run: ({ store }) => store.stage.commit(said),
    leaves: async (store) => {
      await once({ [wide(0)]: 0, [wide(99)]: 99, b: undefined })(store);
      const { nodes, removals } = await store.stage.list();
      assert.deepEqual([nodes.size, removals.length], [0, 0]);
    },
  },
];
