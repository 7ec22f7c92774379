/**
 * Lets the guard of a handle judge a commit before it is made.
 *
 * @module
 */

import { MnemError } from "../errors.ts";
import { decodeNode } from "../object/memory_node.ts";
import type { Position } from "../storage/head.ts";
import type { PreparedWrite } from "./prepared_write.ts";
import { RequestLedger } from "./request_ledger.ts";
import type { SharedStore } from "./shared_store.ts";
import type { Guard } from "./open_store.ts";
import type { Edit } from "./surface.ts";

/** A write about to be made. */
export interface JudgedWrite {
  /** The store. */
  readonly store: SharedStore;
  /** Where it is written to. */
  readonly position: Position;
  /** The write as it will be stored: what the caller gave may have changed since. */
  readonly write: PreparedWrite;
}

/**
 * Lets the guard, if there is one, judge a write for the branch that it goes to; a throw of it is
 * `refused`. Returns the write with a judge to be asked again should the branch be another one when
 * its turn comes: HEAD may have been switched meanwhile.
 */
export async function judgeWrite(
  guard: Guard | undefined,
  { store, position, write }: JudgedWrite,
): Promise<PreparedWrite> {
  if (guard === undefined) return write;
  const { author, message } = write;
  const edits = write.edits.map(shownEdit);
  let judged: string | undefined;
  const judge = async (branch: string): Promise<void> => {
    if (branch === judged) return;
    await askGuard(guard, edits, { branch, author, message });
    judged = branch;
  };
  // Before its turn: a guard may take long, or write to the branch itself.
  const { head: { branch } } = await store.heads.read(position);
  if (!await isKept(store, branch, write)) await judge(branch ?? "HEAD");
  return { ...write, judge };
}

/** Whether a write with a key was made before: then there is nothing to judge. */
async function isKept(
  store: SharedStore,
  branch: string | null,
  { asked }: PreparedWrite,
): Promise<boolean> {
  if (asked === undefined || branch === null) return false;
  const names = [asked.name];
  const ledger = await RequestLedger.read(store, { branch, names });
  return ledger.find(asked.name) !== undefined;
}

/** An edit as a guard sees it: fresh, and the node as it is stored. */
export function shownEdit({ id, node }: ShownNode): Edit {
  if (node === null) return { id, remove: true };
  const { content, contentKind, provenance, eventTimeMs } = decodeNode(
    node.bytes,
  );
  return { id, content, contentKind, provenance, eventTimeMs };
}

/** A node and its bytes; null: it is removed. */
export interface ShownNode {
  /** The node id. */
  readonly id: string;
  /** Its bytes. */
  readonly node: { readonly bytes: Uint8Array } | null;
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
