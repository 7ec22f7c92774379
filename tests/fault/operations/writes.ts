/**
 * Writes of every form.
 *
 * @module
 */

import type { FaultOperation } from "../../support/fault_matrix.ts";
import { failing, holds, LONG, once, open, said, WIDE, wide } from "./seeds.ts";

/** Writes of every form. */
export const WRITES: readonly FaultOperation[] = [
  {
    name: "first write",
    before: "open",
    run: ({ store }) => store.write([{ id: "x", content: 1 }], said),
    is: { changes: new Map([["x", "added"]]) },
    leaves: once({ x: 1 }),
  },
  {
    ...open,
    name: "write",
    run: ({ store }) =>
      store.write([{ id: "a", content: 1 }, { id: "b", remove: true }], said),
    is: { changes: new Map([["a", "modified"], ["b", "removed"]]) },
    leaves: once({ a: 1, b: undefined, c: "c 0" }),
  },
  {
    ...open,
    name: "write on another branch",
    run: ({ store }) => store.on("dev").write([{ id: "d", content: 1 }], said),
    leaves: holds("dev", { a: "a 0", d: 1 }),
  },
  {
    ...open,
    name: "write of a handle with a branch",
    options: { branch: "dev" },
    run: ({ store }) => store.write([{ id: "d", content: 1 }], said),
    leaves: holds("dev", { a: "a 0", d: 1 }),
  },
  {
    ...open,
    name: "write on a base",
    run: async ({ store }) => {
      const { commit: base } = await store.head();
      return await store.write([{ id: "a", content: 1 }], { ...said, base });
    },
    leaves: once({ a: 1 }),
  },
  {
    ...open,
    name: "write on a base that is lost",
    run: async ({ store }) => {
      const base = await store.resolve("HEAD~1");
      const write = store.write([{ id: "c", content: 1 }], { ...said, base });
      return await failing("conflict", write);
    },
    is: { code: "conflict" },
  },
  {
    ...open,
    name: "write that changes nothing",
    run: ({ store }) => store.write([{ id: "a", content: "a 0" }], said),
    is: { changes: new Map() },
  },
  {
    ...open,
    name: "write that may be empty",
    repeats: true,
    run: ({ store }) => store.write([], { ...said, allowEmpty: true }),
    is: { changes: new Map() },
    leaves: once({ a: "a 0" }),
  },
  {
    ...open,
    name: "write of a value in pieces",
    run: ({ store }) => store.write([{ id: "a", content: LONG }], said),
    leaves: once({ a: LONG }),
  },
  {
    ...open,
    name: "bulk write",
    isLong: true,
    run: ({ store }) => store.write([...WIDE, { id: "b", remove: true }], said),
    leaves: once({ [wide(0)]: 0, [wide(99)]: 99, b: undefined }),
  },
  {
    ...open,
    name: "remember",
    run: ({ store, agents }) =>
      agents.remember(store, "a", 1, { summary: said.message, source: "s" }),
    is: { changes: new Map([["a", "modified"]]) },
    leaves: once({ a: 1 }),
  },
  {
    ...open,
    name: "rememberMany",
    run: ({ store, agents }) =>
      agents.rememberMany(store, [{ id: "a", content: 1 }, {
        id: "d",
        content: 2,
      }], { summary: said.message }),
    leaves: once({ a: 1, d: 2 }),
  },
  {
    ...open,
    name: "forget",
    run: ({ store, agents }) =>
      agents.forget(store, "b", { summary: said.message }),
    is: { changes: new Map([["b", "removed"]]) },
    leaves: once({ a: "a 0", b: undefined }),
  },
  {
    ...open,
    name: "forget what is not there",
    run: ({ store, agents }) =>
      failing("not_found", agents.forget(store, "never")),
    is: { code: "not_found" },
  },
];
