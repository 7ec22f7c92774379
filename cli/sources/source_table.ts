/**
 * All kinds of sources that `mnem import` reads, in the order in which help lists them.
 *
 * @module
 */

import { BUNDLE } from "./bundle.ts";
import { GIT } from "./git.ts";
import { FACT_KINDS } from "./fact_kinds.ts";
import { factSource } from "./facts_import.ts";
import { ITEM_STORE } from "./item_store.ts";
import type { ImportSource } from "./import_source.ts";

/** The table: the first one is read where `--from` is not given. */
export const SOURCES: readonly [ImportSource, ...ImportSource[]] = [
  BUNDLE,
  GIT,
  ...FACT_KINDS.map(factSource),
  ITEM_STORE,
];
