/**
 * The shapes that values have on the wire: over MCP, in the command line's JSON output, in a log.
 *
 * @module
 */

import {
  type Blame,
  type Commit,
  type Conflict,
  type Json,
  type MemoryNode,
  type MergeResult,
  type NodeChange,
  wireNode,
} from "@mnem/core";

/**
 * Returns a value as the JSON that travels: snake_case, null for every unset field, times in Unix
 * milliseconds, and in a {@linkcode Blame} the commit by its id. Fields that other implementations
 * of the format do not have (`evidence_only`, `changes`, `reconciled`) come last. Integers beyond 2^53 stay bigint.
 *
 * @example
 * ```ts
 * import { toWire } from "@mnem/agents";
 *
 * toWire({ id: "plan", content: "pro", contentKind: "note", provenance: { agentStep: "step-31" } });
 * // { id: "plan", content: "pro", content_kind: "note",
 * //   provenance: { agent_step: "step-31", observation: null, tool_call: null, source: null, note: null },
 * //   event_time: null }
 * ```
 */
export function toWire(
  value: Blame | NodeChange | Commit | MemoryNode | Conflict | MergeResult,
): Json {
  if ("parents" in value) return commitToWire(value);
  if ("contentKind" in value) return wireNode(value);
  if ("evidenceOnly" in value) return changeToWire(value);
  if ("conflicts" in value) return mergeToWire(value);
  if ("ours" in value) return conflictToWire(value);
  return blameToWire(value);
}

function commitToWire(commit: Commit): Json {
  return {
    id: commit.id,
    parents: commit.parents,
    state: commit.state,
    message: commit.message,
    author: commit.author,
    time: commit.timeMs,
  };
}

function changeToWire(change: NodeChange): Json {
  return {
    id: change.id,
    kind: change.kind,
    old: change.old === null ? null : wireNode(change.old),
    new: change.new === null ? null : wireNode(change.new),
    evidence_only: change.evidenceOnly,
  };
}

function blameToWire(blame: Blame): Json {
  return {
    commit: blame.commit.id,
    node: wireNode(blame.node),
    time: blame.timeMs,
  };
}

function conflictToWire(conflict: Conflict): Json {
  const { id, kind, base, ours, theirs } = conflict;
  return {
    id,
    kind,
    base: base === null ? null : wireNode(base),
    ours: ours === null ? null : wireNode(ours),
    theirs: theirs === null ? null : wireNode(theirs),
  };
}

function mergeToWire(result: MergeResult): Json {
  return {
    status: result.status,
    commit: result.commit,
    conflicts: result.conflicts.map(conflictToWire),
    changes: changesToWire(result.changes),
    reconciled: result.reconciled,
  };
}

/** By node id; an id may be `__proto__`. */
function changesToWire(changes: MergeResult["changes"]): Json {
  return Object.fromEntries(changes);
}
