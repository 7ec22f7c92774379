/**
 * All kinds of sources that `mnem import` reads, in the order in which help lists them.
 *
 * @module
 */

import { BUNDLE } from "./bundle.ts";
import type { ImportSource } from "./import_source.ts";

/** The table: the first one is read where `--from` is not given. */
export const SOURCES: readonly [ImportSource, ...ImportSource[]] = [
  BUNDLE,
];
