/**
 * One error class with a closed list of codes for the state of a store. A caller's own mistake is
 * never one of these: it is a TypeError (wrong shape), a RangeError (over a limit) or a SyntaxError
 * (unparsable text), and nothing was written.
 *
 * @module
 */

import type { Json } from "./object/json.ts";

/** Every code that an {@linkcode MnemError} can carry. Codes may be added, never changed. */
export type MnemErrorCode =
  | "not_found"
  | "invalid_ref"
  | "conflict"
  | "corrupt_store"
  | "no_store"
  | "store_io"
  | "busy"
  | "format_version"
  | "store_exists"
  | "refused";

/** What an {@linkcode MnemError} is made with beside its code and message. */
export interface MnemErrorOptions {
  /** The error below, kept for whoever has to look. */
  readonly cause?: unknown;
  /** JSON facts for a program that reacts to the error. */
  readonly data?: { readonly [key: string]: Json };
  /** "unknown" when a write was sent and never answered; "none" (the default) when nothing was written. */
  readonly outcome?: "none" | "unknown";
}

// Shared by every loaded copy of this module: `instanceof` is false between two copies of a class.
const brand = Symbol.for("mnem.error");

/**
 * A failure that lies in the state of a store.
 *
 * @example
 * ```ts
 * import { isMnemError, openStore } from "@mnem/core";
 *
 * try {
 *   await openStore("./no-such-folder");
 * } catch (error) {
 *   if (!isMnemError(error, "no_store")) throw error;
 * }
 * ```
 */
export class MnemError extends Error {
  /** What went wrong, for a program to branch on. */
  readonly code: MnemErrorCode;
  /** Whether something may have been written. */
  readonly outcome: "none" | "unknown";
  /** A lost `base` carries `{ head, conflicts: [{ id, base, head }] }`; stored content appears nowhere else in an error. */
  readonly data?: { readonly [key: string]: Json };

  /** Makes an error with a code and a message that names the value and what it must be. */
  constructor(
    code: MnemErrorCode,
    message: string,
    options: MnemErrorOptions = {},
  ) {
    super(
      message,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = "MnemError";
    this.code = code;
    this.outcome = options.outcome ?? "none";
    if (options.data !== undefined) this.data = options.data;
    Object.defineProperty(this, brand, { value: true });
  }
}

/**
 * Tells whether a value is an {@linkcode MnemError}, and one with that code if a code is given.
 * By a brand, so that it holds between two loaded copies of the class.
 */
export function isMnemError(
  error: unknown,
  code?: MnemErrorCode,
): error is MnemError {
  if (typeof error !== "object" || error === null || !(brand in error)) {
    return false;
  }
  return code === undefined || ("code" in error && error.code === code);
}

/** Throws a plain error when a rule of our own is broken: never caught, always a defect of ours. */
export function invariant(holds: boolean, rule: string): asserts holds {
  if (!holds) throw new Error(`Broken rule of the store: ${rule}`);
}
