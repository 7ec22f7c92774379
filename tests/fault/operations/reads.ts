/**
 * Everything that reads.
 *
 * @module
 */

import type { FaultOperation } from "../../support/fault_matrix.ts";
import { merging, open } from "./seeds.ts";

/** Everything that reads. */
export const READS: readonly FaultOperation[] = [
  {
    ...open,
    name: "node",
    run: ({ store }) => store.node("a"),
    is: { content: "a 0" },
  },
  {
    ...open,
    name: "nodes and entries",
    run: async ({ store }) => [
      await Array.fromAsync(store.nodes({ prefix: "b" })),
      await Array.fromAsync(store.nodes({ ids: ["c", "a", "no"] })),
      await Array.fromAsync(store.entries({ after: "a", limit: 1 })),
    ],
    is: [[{ id: "b" }], [{ id: "a" }, { id: "c" }], [{ id: "b" }]],
  },
  {
    ...open,
    name: "memory",
    run: ({ store }) => store.memory(),
  },
  {
    ...open,
    name: "every read of a snapshot",
    run: async ({ store }) => {
      const past = await store.at("HEAD~1");
      return [
        past.commit?.message,
        await past.node("c"),
        (await Array.fromAsync(past.nodes())).length,
        (await Array.fromAsync(past.entries())).length,
        (await past.memory()).size,
        (await past.blame("a")).commit.message,
        (await Array.fromAsync(past.versions("b"))).length,
        (await Array.fromAsync(past.log())).length,
      ];
    },
    is: ["seed b", null, 2, 2, 2, "seed a", 1, 2],
  },
  {
    ...merging,
    name: "log",
    run: async ({ store }) => [
      (await Array.fromAsync(store.on("merged").log())).length,
      (await Array.fromAsync(store.log({ limit: 2 }))).length,
      (await Array.fromAsync(store.on("merged").log({ firstParent: true })))
        .length,
      (await Array.fromAsync(store.log({ node: "y" }))).length,
    ],
    is: [5, 2, 4, 3],
  },
  {
    ...merging,
    name: "versions",
    run: async ({ store }) =>
      (await Array.fromAsync(store.versions("y")))
        .map(({ node }) => node?.content),
    is: ["later", "main", 0],
  },
  {
    ...merging,
    name: "blame",
    run: ({ store }) => store.on("merged").blame("x"),
    is: { commit: { message: "x side" } },
  },
  {
    ...merging,
    name: "bisect",
    run: ({ store }) =>
      store.bisect(async (memory) => (await memory.node("y"))?.content !== 0, {
        scan: true,
      }),
    is: { commit: { message: "y main" }, flipsComplete: true },
  },
  {
    ...open,
    name: "diff",
    run: ({ store }) => Array.fromAsync(store.diff("dev")),
    is: [{ id: "b", kind: "added" }, { id: "c", kind: "added" }],
  },
  {
    ...open,
    name: "changes and changed",
    run: async ({ store }) => [
      await store.changes(),
      [...await store.changed("HEAD~1")],
    ],
    is: [[{ id: "c", kind: "added" }], [["b", "added"]]],
  },
  {
    ...merging,
    name: "verify",
    run: ({ store }) => store.verify(),
    is: { faults: [] },
  },
  {
    ...open,
    name: "recall and recallAll",
    run: async ({ store, agents }) => [
      await agents.recall(store, "a", { at: "HEAD~1" }),
      await agents.recallAll(store, { query: "B 0" }),
    ],
    is: [{ content: "a 0" }, { nodes: [{ id: "b" }] }],
  },
  {
    ...open,
    name: "history, why and whatsNew",
    run: async ({ store, agents }) => [
      (await agents.history(store, { limit: 2 })).commits.length,
      await agents.why(store, "b"),
      [...await agents.whatsNew(store)],
    ],
    is: [2, { commit: { message: "seed b" } }, [["c", "added"]]],
  },
  {
    ...merging,
    name: "whenDid",
    run: ({ store, agents }) =>
      agents.whenDid(store.on("merged"), "x", { equals: "side" }),
    is: { writtenIn: { message: "x side" } },
  },
];
