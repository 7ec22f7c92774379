/**
 * One change of a state, whoever asked for it.
 *
 * @module
 */

import type { Entry } from "../state/chunk.ts";

/** What a node becomes in a new state. */
export interface StateEdit {
  /** The node id. */
  readonly id: string;
  /** Its new entry; null removes. */
  readonly entry: Entry | null;
  /** The bytes of its node, when they are not stored yet. */
  readonly bytes?: Uint8Array;
}
