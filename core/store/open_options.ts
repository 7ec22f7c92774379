/**
 * How a store is made and opened.
 *
 * @module
 */

import type { Edit } from "./surface.ts";

/** Called with every commit about to be made, at every door; a throw is `refused` and nothing is written. */
export type Guard = (
  edits: readonly Edit[],
  context: {
    readonly branch: string;
    readonly author: string;
    readonly message: string;
  },
) => void | Promise<void>;

/** How to open a store. */
export interface OpenOptions {
  /** Makes the store if there is none. */
  readonly create?: boolean | undefined;
  /** Binds the handle to a branch; else it follows the store's HEAD. */
  readonly branch?: string | undefined;
  /** The author of commits that name none. */
  readonly author?: string | undefined;
  /** The time of commits that name none. */
  readonly clock?: (() => number) | undefined;
  /** Judges every commit before it is made. */
  readonly guard?: Guard | undefined;
}

/** How to make a store. */
export interface InitOptions {
  /** The first branch; "main" unless said otherwise. */
  readonly defaultBranch?: string | undefined;
  /** "tree" unless said otherwise: see FORMAT.md, "State". */
  readonly stateForm?: "tree" | "flat" | undefined;
}
