/**
 * A store of LangGraph as a source: a module of its user makes it, so that nothing of LangGraph is
 * needed here.
 *
 * @module
 */

import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import {
  importItems,
  type ItemTarget,
  type SourceStore,
} from "@mnem/agents/items";
import type { Call } from "../command.ts";
import { commitOptionsOf } from "../commit_options.ts";
import { UsageError } from "../given.ts";
import { shown } from "../render/visible.ts";
import { FACT_OPTIONS, imported, targetOf } from "./facts_import.ts";
import { type ImportSource, PREFIX_OPTION } from "./import_source.ts";
import { skipped } from "./fact.ts";
import { sourceName } from "./source_place.ts";

/** Items have node ids and times of their own. */
const OPTIONS = FACT_OPTIONS.filter((option) =>
  option !== PREFIX_OPTION && !option.flags.startsWith("--time-ms")
);

/** Imports a store of LangGraph. */
export const ITEM_STORE: ImportSource = {
  name: "langgraph",
  what:
    "a module (.ts, .js) whose default export is a LangGraph store; it is run",
  options: OPTIONS,
  run: read,
};

/** Stands for a store that is not there yet. */
const NOWHERE: ItemTarget = {
  async *entries() {},
  async *nodes() {},
  write: () => Promise.reject(new Error("Nothing is written in a dry run")),
};

async function read(call: Call): Promise<number | void> {
  const { given, io } = call;
  const typed = given.required(0);
  const path = resolve(io.directory(), typed);
  const source = await defaultStore(path, typed);
  const target = await targetOf(call);
  const name = sourceName(path, target.place);
  const { message, author } = commitOptionsOf(given);
  const signal = io.interruption();
  return await imported(call, target, async (isWriting, progress) => {
    const store = isWriting ? await target.make() : target.store ?? NOWHERE;
    const { skipped: left, ...taken } = await importItems(store, source, {
      source: name,
      message,
      author,
      prune: given.has("prune"),
      dryRun: !isWriting,
      signal,
      progress,
    });
    const findings = left.map(({ namespace, key, reason }) => ({
      source: name,
      ...skipped(
        undefined,
        `${JSON.stringify([...namespace, key])}: ${reason}`,
      ),
    }));
    return { ...taken, findings };
  });
}

async function defaultStore(path: string, typed: string): Promise<SourceStore> {
  const isFile = await stat(path).then((found) => found.isFile(), () => false);
  if (!isFile) {
    throw new UsageError(`cannot read ${shown(typed)}: it must be a file`);
  }
  let made: unknown;
  try {
    const loaded: { readonly default?: unknown } = await import(
      pathToFileURL(path).href
    );
    const { default: store } = loaded;
    made = typeof store === "function" ? await store() : await store;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`cannot run ${shown(typed)}: ${why}`);
  }
  if (isStore(made)) return made;
  throw new UsageError(
    `${
      shown(typed)
    } must export a LangGraph store, or a function that makes one, as its default`,
  );
}

function isStore(value: unknown): value is SourceStore {
  return typeof value === "object" && value !== null && "search" in value &&
    typeof value.search === "function" && "listNamespaces" in value &&
    typeof value.listNamespaces === "function";
}
