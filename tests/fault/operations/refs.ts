/**
 * Branches, HEAD, and what names a commit.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { FaultOperation } from "../../support/fault_matrix.ts";
import { holds, open } from "./seeds.ts";

/** Branches, HEAD, and what names a commit. */
export const REFS: readonly FaultOperation[] = [
  {
    ...open,
    name: "createBranch",
    run: ({ store }) => store.createBranch("new"),
    leaves: holds("new", { a: "a 0", b: "b 0", c: "c 0" }),
  },
  {
    ...open,
    name: "createBranch at a revision",
    run: ({ store }) => store.createBranch("new", { at: "HEAD~1" }),
    leaves: holds("new", { a: "a 0", b: "b 0" }),
  },
  {
    ...open,
    name: "deleteBranch",
    run: ({ store }) => store.deleteBranch("dev"),
    is: true,
    leaves: async (store) => {
      assert.deepEqual([...(await store.branches()).keys()], ["main"]);
    },
  },
  {
    ...open,
    name: "switchTo",
    run: ({ store }) => store.switchTo("dev"),
    leaves: async (store) => {
      assert.equal((await store.head()).branch, "dev");
    },
  },
  {
    ...open,
    name: "switchTo a commit",
    run: ({ store }) => store.switchTo("main~1"),
    leaves: async (store) => {
      assert.equal((await store.head()).branch, null);
      assert.equal((await store.memory()).size, 2);
    },
  },
  {
    ...open,
    name: "switchTo of a handle with a branch",
    options: { branch: "main" },
    run: async ({ store }) => {
      await store.switchTo("dev");
      return await store.head();
    },
    is: { branch: "dev" },
  },
  {
    ...open,
    name: "branches",
    run: async ({ store }) => [...(await store.branches()).keys()],
    is: ["dev", "main"],
  },
  {
    ...open,
    name: "resolve",
    run: ({ store }) => store.resolve("main~2"),
  },
  {
    ...open,
    name: "resolve of a time",
    run: ({ store }) => store.resolve("@{1970-01-01T00:00:01.098Z}"),
  },
  {
    ...open,
    name: "readCommit",
    run: ({ store }) => store.readCommit("dev"),
    is: { message: "seed a", parents: [] },
  },
  {
    ...open,
    name: "head",
    run: ({ store }) => store.head(),
    is: { branch: "main" },
  },
];
