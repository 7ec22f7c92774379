/**
 * Merges and reverts.
 *
 * @module
 */

import type { FaultOperation } from "../../support/fault_matrix.ts";
import { holds, LONG, merging, once, said, unrelated } from "./seeds.ts";

/** Merges and reverts. */
export const MERGES: readonly FaultOperation[] = [
  {
    ...merging,
    name: "merge",
    run: ({ store }) => store.merge("side", said),
    is: { status: "merged", changes: new Map([["x", "modified"]]) },
    leaves: holds("main", { x: "side", y: "later", z: "main" }),
  },
  {
    ...merging,
    name: "merge in conflict",
    run: ({ store }) => store.merge("clash", said),
    is: { status: "conflicts", commit: null },
  },
  {
    ...merging,
    name: "merge that is resolved",
    run: ({ store }) =>
      store.merge("clash", { ...said, resolutions: { y: { content: 7 } } }),
    is: { status: "merged", conflicts: [] },
    leaves: holds("main", { x: 0, y: 7, z: "main" }),
  },
  {
    ...merging,
    name: "merge with a strategy",
    run: ({ store }) => store.merge("clash", { ...said, strategy: "theirs" }),
    leaves: holds("main", { x: 0, y: "clash", z: "main" }),
  },
  {
    ...merging,
    name: "merge that is a fast-forward",
    run: ({ store }) => store.on("behind").merge("main", said),
    is: { status: "fast-forwarded" },
    leaves: holds("behind", { x: 0, y: "later", z: "main" }),
  },
  {
    ...merging,
    name: "merge that is up to date",
    run: ({ store }) => store.merge("behind", said),
    is: { status: "up-to-date", commit: null },
  },
  {
    ...merging,
    name: "merge that is only tried",
    run: ({ store }) => store.merge("side", { ...said, dryRun: true }),
    is: { commit: null, changes: new Map([["x", "modified"]]) },
  },
  {
    ...merging,
    seed: unrelated,
    name: "merge of unrelated histories",
    isLong: true,
    run: ({ store }) =>
      store.merge("other/main", { ...said, allowUnrelated: true }),
    is: { status: "merged", changes: new Map([["q", "added"]]) },
    leaves: holds("main", { q: LONG, x: 0, y: "later", z: "main" }),
  },
  {
    ...merging,
    name: "revert",
    repeats: true,
    run: ({ store }) => store.revert("HEAD", said),
    is: { status: "merged", changes: new Map([["y", "modified"]]) },
    leaves: once({ x: 0, y: "main", z: "main" }),
  },
  {
    ...merging,
    name: "revert in conflict",
    run: ({ store }) => store.revert("HEAD~2", said),
    is: { status: "conflicts", commit: null },
  },
  {
    ...merging,
    name: "revert of a merge",
    repeats: true,
    run: ({ store }) =>
      store.on("merged").revert("merged", { ...said, parent: 1 }),
    is: { status: "merged", changes: new Map([["x", "modified"]]) },
    leaves: holds("merged", { x: 0, y: "main", z: "main" }),
  },
];
