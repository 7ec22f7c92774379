/**
 * What a host may suggest while a person types an argument: node ids, branches and commits.
 *
 * @module
 */

import type { Store } from "@mnem/core";
import { isSpecType, type Result } from "@modelcontextprotocol/server";
import { COMPLETION_COMMITS_MAX, COMPLETION_VALUES_MAX } from "./limits.ts";
import { protocolError } from "./protocol_error.ts";
import type { Report } from "./tool_result.ts";

/** Returns what begins as the value does, best first; more than {@linkcode COMPLETION_VALUES_MAX} if there is more, and not all of it. */
export type Completer = (value?: string) => Promise<string[]>;

/** The completers of a store. */
export interface Completers {
  /** Node ids of current memory, in id order. */
  readonly nodeId: Completer;
  /** Commits by their whole ids, newest first, among the latest {@linkcode COMPLETION_COMMITS_MAX}. */
  readonly commit: Completer;
  /** Whatever names a commit: HEAD, branches in order, commits as above. */
  readonly revision: Completer;
}

/** Returns the completers of a store. A store that cannot be read is a protocol error with its code. */
export function completersOf(store: Store, report: Report): Completers {
  const commit = (value = "") => commitsFrom(store, value);
  return {
    nodeId: guarded(report, (value) => nodeIdsFrom(store, value)),
    commit: guarded(report, commit),
    revision: guarded(report, async (value) => {
      const names = ["HEAD", ...(await store.branches()).keys()];
      return [
        ...names.filter((name) => name.startsWith(value)),
        ...await commit(value),
      ];
    }),
  };
}

/**
 * Returns the answer to a completion without the number of all values where there are more than it
 * holds: the SDK counts those that a {@linkcode Completer} gave it.
 */
export function withoutFalseTotal(answer: Result): Result {
  if (!isSpecType.CompleteResult(answer)) return answer;
  const { total: _, ...completion } = answer.completion;
  return completion.hasMore === true ? { ...answer, completion } : answer;
}

function guarded(
  report: Report,
  complete: (value: string) => Promise<string[]>,
): Completer {
  return async (value = "") => {
    try {
      return await complete(value);
    } catch (error) {
      throw protocolError(error, report);
    }
  };
}

async function nodeIdsFrom(store: Store, prefix: string): Promise<string[]> {
  const ids: string[] = [];
  const limit = COMPLETION_VALUES_MAX + 1;
  for await (const { id } of store.entries({ prefix, limit })) ids.push(id);
  return ids;
}

async function commitsFrom(store: Store, prefix: string): Promise<string[]> {
  const ids: string[] = [];
  if (!/^[0-9a-f]{0,64}$/.test(prefix)) return ids;
  for await (const { id } of store.log({ limit: COMPLETION_COMMITS_MAX })) {
    if (id.startsWith(prefix)) ids.push(id);
    if (ids.length > COMPLETION_VALUES_MAX) break;
  }
  return ids;
}
