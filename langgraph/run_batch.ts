/**
 * A batch: all of its reads from one snapshot, then all of its writes as one commit.
 *
 * LangGraph gathers what nodes ask of their store in one turn. `parse_operation.ts` has checked and
 * copied every operation before anything is waited for, and `turns.ts` has put the batch in line with
 * those before it. `read_items.ts` answers the reads: the entries of a state say when each node was
 * born, which gives times and order, and of nodes only those are read that a page or a filter needs.
 * What is left of the puts, the last of each id, is one write of the branch.
 *
 * @module
 */

import type { Branch, Edit, Snapshot } from "@mnem/core";
import { getItems, listNamespaces, searchItems } from "./read_items.ts";
import type {
  GetItem,
  ListNamespaces,
  ParsedOperation,
  PutItem,
  SearchItems,
} from "./parse_operation.ts";
import type { Turns } from "./turns.ts";

/** Where a batch is carried out. */
export interface BatchGround {
  /** The branch that it reads and writes. */
  readonly branch: Branch;
  /** The order of calls on its store. */
  readonly turns: Turns;
  /** The author of its commit. */
  readonly author: string;
}

type Read = GetItem | SearchItems | ListNamespaces;

/**
 * Carries out a batch, and returns as many results as it has operations, in their order. Its reads
 * see the branch as it was before its own writes. Of several writes to one item the last counts. If
 * anything fails, nothing is written.
 */
export async function runBatch(
  operations: readonly ParsedOperation[],
  { branch, turns, author }: BatchGround,
): Promise<unknown[]> {
  const reads = operations.filter(isRead);
  const edits = lastEdits(operations.filter(isPut));
  const begun = reads.length > 0 ? turns.read(() => branch.at()) : undefined;
  const answered = begun?.then((memory) => answer(memory, reads));
  const written = edits.length > 0
    ? turns.write(async () => {
      await answered;
      await branch.write(edits, { message: messageOf(edits), author });
    })
    : undefined;
  const answers = await answered;
  await written;
  return operations.map((operation) =>
    isRead(operation) ? answers?.get(operation) : undefined
  );
}

async function answer(
  memory: Snapshot,
  reads: readonly Read[],
): Promise<Map<Read, unknown>> {
  const answers = new Map<Read, unknown>();
  const gets = reads.filter((read) => read.kind === "get");
  const items = await getItems(memory, gets);
  gets.forEach((get, place) => answers.set(get, items[place]));
  for (const read of reads) {
    if (read.kind === "search") {
      answers.set(read, await searchItems(memory, read));
    } else if (read.kind === "list") {
      answers.set(read, await listNamespaces(memory, read));
    }
  }
  return answers;
}

function isRead(operation: ParsedOperation): operation is Read {
  return operation.kind !== "put";
}

function isPut(operation: ParsedOperation): operation is PutItem {
  return operation.kind === "put";
}

/** The last edit of each id, in the order in which the ids first came. */
function lastEdits(puts: readonly PutItem[]): Edit[] {
  return [...new Map(puts.map(({ edit }) => [edit.id, edit])).values()];
}

function messageOf(edits: readonly Edit[]): string {
  const removed = edits.filter(({ remove }) => remove === true);
  const put = edits.filter(({ remove }) => remove !== true);
  const parts = [["remember", put], ["forget", removed]] as const;
  return parts.filter(([, of]) => of.length > 0).map(([verb, of]) =>
    of.length === 1 ? `${verb} ${of[0]!.id}` : `${verb} ${of.length} nodes`
  ).join(", ");
}
