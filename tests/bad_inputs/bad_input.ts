/**
 * One thing that a caller can get wrong, and how it is said at each door.
 *
 * @module
 */

import type { MnemErrorCode, Store } from "@mnem/core";
import type { MnemosyneStore } from "@mnem/langgraph";

/** What every door answers: a code of the store, or that the argument is bad. */
export type Code = MnemErrorCode | "invalid_argument";

/** A bad input. A door at which it cannot be said is left out. */
export interface BadInput {
  /** What is wrong with it. */
  readonly name: string;
  /** The code, the same at all doors. */
  readonly code: Code;
  /** Through the functions of core or agents. */
  readonly library?: (store: Store) => unknown;
  /** A tool, and its arguments. */
  readonly mcp?: readonly [tool: string, args: unknown];
  /** The words after `mnem`. */
  readonly cli?: readonly string[];
  /** Through a store of LangGraph. */
  readonly langgraph?: (memory: MnemosyneStore) => unknown;
}

/** Passes a value that the types would not let through, as a program without types can. */
export function any(value: unknown): never {
  return value as never;
}
