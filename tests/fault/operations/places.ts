/**
 * Opening, making, exporting and importing a store.
 *
 * @module
 */

import { streamOf } from "../../support/bundles.ts";
import type { FaultOperation } from "../../support/fault_matrix.ts";
import {
  bundle,
  holds,
  LONG,
  merging,
  open,
  opened,
  threeNodes,
} from "./seeds.ts";

/** Opening, making, exporting and importing a store. */
export const PLACES: readonly FaultOperation[] = [
  {
    before: "closed",
    seed: threeNodes,
    name: "openStore",
    run: ({ core, location }) => opened(core.openStore(location)),
    is: { formatVersion: 1 },
  },
  {
    before: "closed",
    seed: threeNodes,
    name: "openStore on a branch",
    run: ({ core, location }) =>
      opened(core.openStore(location, { branch: "dev" })),
    is: { formatVersion: 1 },
  },
  {
    before: "nothing",
    name: "openStore that makes one",
    run: ({ core, location }) =>
      opened(core.openStore(location, { create: true })),
    is: { formatVersion: 1 },
  },
  {
    before: "nothing",
    name: "initStore",
    run: ({ core, location }) =>
      opened(core.initStore(location, { defaultBranch: "trunk" })),
    is: { formatVersion: 1 },
  },
  {
    before: "nothing",
    remote: true,
    name: "initStore on a server",
    run: ({ core, location }) => opened(core.initStore(location)),
    is: { formatVersion: 1 },
  },
  {
    ...merging,
    name: "exportBundle",
    isLong: true,
    run: ({ store, core }) => new Response(core.exportBundle(store)).text(),
  },
  {
    ...open,
    name: "exportBundle of one branch, flat",
    run: ({ store, core }) =>
      new Response(core.exportBundle(store, { branch: "dev", flat: true }))
        .text(),
  },
  {
    ...merging,
    parts: true,
    name: "exportHistory, and historyBundle of it",
    isLong: true,
    run: async ({ store, core }) =>
      await new Response(core.historyBundle(await core.exportHistory(store)))
        .text(),
  },
  {
    before: "nothing",
    parts: true,
    name: "importBundle",
    isLong: true,
    run: async ({ core, location }) =>
      await opened(core.importBundle(location, streamOf(await bundle()))),
    is: { formatVersion: 1 },
    leaves: holds("main", { q: LONG }),
  },
  {
    before: "nothing",
    remote: true,
    parts: true,
    name: "importBundle on a server",
    isLong: true,
    run: async ({ core, location }) =>
      await opened(core.importBundle(location, streamOf(await bundle()))),
    is: { formatVersion: 1 },
    leaves: holds("dev", { p: 1, q: LONG }),
  },
  {
    before: "closed",
    seed: threeNodes,
    parts: true,
    name: "importBundle into a store",
    isLong: true,
    run: async ({ core, location }) => {
      const prefix = "other/";
      const bytes = streamOf(await bundle());
      return await opened(core.importBundle(location, bytes, { prefix }));
    },
    leaves: holds("other/main", { q: LONG }),
  },
];
