/**
 * What `mnem import` can read: a row of the table of sources.
 *
 * @module
 */

import type { Call, OptionSpec } from "../command.ts";

/** One kind of source. */
export interface ImportSource {
  /** As `--from` takes it. */
  readonly name: string;
  /** What it reads, in a few words. */
  readonly what: string;
  /** Flags beside `--from`; one that several sources have is the same object. */
  readonly options?: readonly OptionSpec[];
  /** Imports what the first argument names, and returns the exit status if it is not 0. */
  run(call: Call): Promise<number | void>;
}

/** What node ids begin with; of a bundle, the branches. */
export const PREFIX_OPTION: OptionSpec = {
  flags: "--prefix <text>",
  what:
    "of a bundle or git: into the store that is there, as branches <text>b; else: what each node id begins with",
};

/** For whoever wants all of a source or nothing. */
export const STRICT_OPTION: OptionSpec = {
  flags: "--strict",
  what: "write nothing if anything has to be skipped, or is in doubt",
};
