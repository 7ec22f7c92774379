/**
 * The store as a node of a graph reaches it.
 *
 * @module
 */

import type { Evidence } from "@mnem/agents";
import { withCodeNow } from "./argument_error.ts";
import { kindOf, overEvidence } from "@mnem/agents/items";
import { isMnemosyneStore, type MnemosyneStore } from "./mnemosyne_store.ts";

/** What a node, a tool or a middleware is given beside its input, as far as it is used here. */
export interface RunConfig {
  /** The store that the graph was compiled or invoked with, in LangGraph's wrapper. */
  readonly store?: unknown;
}

type Fields = { readonly [name: string]: unknown };

/**
 * Returns the {@linkcode MnemosyneStore} behind the wrapper that LangGraph gives to nodes and tools:
 * with `why`, `history`, `onBranch` and the rest, and `batch` and `listNamespaces`, which the wrapper
 * does not have. What is written through it has the run in its provenance: source `thread:<id>` and
 * step `checkpoint:<id>`, where neither `_meta` nor `withProvenance` says otherwise.
 *
 * A call on it is carried out at once. What was written through `config.store` without `await` may
 * still be waiting then.
 *
 * @throws {TypeError} If the graph has no store, or another kind of store.
 *
 * @example
 * ```ts
 * import { mnemosyne } from "@mnem/langgraph";
 *
 * async function node(_state: unknown, config: { store?: unknown }) {
 *   const memory = mnemosyne(config);
 *   await memory.put(["users", "u1"], "plan", { tier: "pro" });
 *   return {};
 * }
 * if (node.length !== 2) throw new Error("a node takes a state and a config");
 * ```
 */
export function mnemosyne(config: RunConfig): MnemosyneStore {
  const store = withCodeNow(() => storeOf(config));
  return store.withProvenance(overEvidence(store.evidence, runOf(config)));
}

function storeOf(config: RunConfig): MnemosyneStore {
  const store = unwrapped(config?.store);
  if (isMnemosyneStore(store)) return store;
  throw new TypeError(
    `Cannot reach the store of this run: it is ${kindOf(store)}, must be a ` +
      "MnemosyneStore, given to compile or invoke as `store`",
  );
}

/** As LangGraph itself unwraps; its field is not part of a type. */
function unwrapped(store: unknown): unknown {
  return isFields(store) && store["lg_name"] === "AsyncBatchedStore"
    ? store["store"]
    : store;
}

/** The thread and the checkpoint that a run is at; of a tool's runtime they may stand in its config. */
function runOf(config: RunConfig): Evidence {
  const places = [config, fieldsOf(config, "config")].map(fieldsIn);
  const thread = textIn(places, [
    ["executionInfo", "threadId"],
    ["configurable", "thread_id"],
  ]);
  const checkpoint = textIn(places, [
    ["executionInfo", "checkpointId"],
    ["configurable", "checkpoint_id"],
  ]);
  return {
    source: thread === undefined ? undefined : `thread:${thread}`,
    step: checkpoint === undefined ? undefined : `checkpoint:${checkpoint}`,
  };
}

function textIn(
  places: readonly Fields[],
  paths: readonly (readonly [string, string])[],
): string | undefined {
  const values = paths.flatMap(([part, name]) =>
    places.map((place) => fieldsOf(place, part)[name])
  );
  const found = values.find((value) =>
    typeof value === "number" || typeof value === "string" && value !== ""
  );
  return found === undefined ? undefined : String(found);
}

function fieldsOf(owner: unknown, name: string): Fields {
  return isFields(owner) ? fieldsIn(owner[name]) : {};
}

function fieldsIn(value: unknown): Fields {
  return isFields(value) ? value : {};
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}
