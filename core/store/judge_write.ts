/**
 * Lets the guard of a handle judge a commit before it is made.
 *
 * @module
 */

import { MnemError } from "../errors.ts";
import type { Position } from "../storage/head.ts";
import type { PreparedWrite } from "./prepared_write.ts";
import type { SharedStore } from "./shared_store.ts";
import type { Edit, Guard } from "./surface.ts";

/** A commit about to be made. */
export interface JudgedWrite {
  /** The store. */
  readonly store: SharedStore;
  /** Where it is written to. */
  readonly position: Position;
  /** What it changes. */
  readonly edits: readonly Edit[];
  /** What it says of itself. */
  readonly write: Pick<PreparedWrite, "author" | "message">;
}

/** Calls the guard, if there is one; a throw of it is `refused`. */
export async function judgeWrite(
  guard: Guard | undefined,
  { store, position, edits, write: { author, message } }: JudgedWrite,
): Promise<void> {
  if (guard === undefined) return;
  const { head } = await store.heads.read(position);
  const branch = head.branch ?? "HEAD";
  await askGuard(guard, edits, { branch, author, message });
}

/** Calls a guard; a throw of it is `refused`. */
export async function askGuard(
  guard: Guard,
  edits: readonly Edit[],
  context: Parameters<Guard>[1],
): Promise<void> {
  try {
    await guard(edits, context);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new MnemError("refused", `The guard refused the commit: ${why}`, {
      cause: error,
    });
  }
}
