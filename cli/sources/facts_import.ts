/**
 * `mnem import` of a source that is a list of facts: reads it, takes it into a store, and says what came
 * of it.
 *
 * @module
 */

import { resolve } from "node:path";
import { isMnemError, openStore, type Store } from "@mnem/core";
import { type Call, EXIT_UNDONE, type OptionSpec } from "../command.ts";
import { COMMIT_OPTIONS, commitOptionsOf } from "../commit_options.ts";
import { findStore, newPlace, placeOf } from "../find_store.ts";
import { UsageError } from "../given.ts";
import { withProgress } from "../progress.ts";
import { reportImport } from "./import_report.ts";
import {
  type ImportSource,
  PREFIX_OPTION,
  STRICT_OPTION,
} from "./import_source.ts";
import { sourceName } from "./source_place.ts";
import {
  type Reading,
  takeIn,
  type TakeInOptions,
  type TakenIn,
} from "./take_in.ts";

/** What a reading is made of. */
export interface ReadingOptions {
  /** The absolute path of the source. */
  readonly path: string;
  /** As it was typed, for messages. */
  readonly typed: string;
  /** What evidence calls it. */
  readonly name: string;
  /** What every node id begins with. */
  readonly prefix: string;
}

/** A kind of source that is a list of facts. */
export interface FactKind {
  /** As `--from` takes it. */
  readonly name: string;
  /** What it reads, in a few words. */
  readonly what: string;
  /** Makes ready to read. Throws a UsageError where there is nothing that can be read. */
  open(options: ReadingOptions): Promise<Reading>;
}

/** The flags of every import of facts. */
export const FACT_OPTIONS: readonly OptionSpec[] = [
  PREFIX_OPTION,
  {
    flags: "--dry-run",
    what: "say what would change, and write nothing",
  },
  STRICT_OPTION,
  {
    flags: "--prune",
    what: "forget what this source said before and says no more",
  },
  ...COMMIT_OPTIONS,
];

/** Returns the row of the table of sources for a kind. */
export function factSource(kind: FactKind): ImportSource {
  return {
    name: kind.name,
    what: kind.what,
    options: FACT_OPTIONS,
    run: (call) => run(call, kind),
  };
}

/** The store that facts go to. */
export interface Target {
  /** Where it is or will be. */
  readonly place: string;
  /** Undefined: there is none yet. */
  readonly store: Store | undefined;
  /** Opens it, and makes it if there is none. */
  make(): Promise<Store>;
}

async function run(call: Call, kind: FactKind): Promise<number | void> {
  const { given, io } = call;
  const typed = given.required(0);
  const path = resolve(io.directory(), typed);
  const target = await targetOf(call);
  const reading = await kind.open({
    path,
    typed,
    name: sourceName(path, target.place),
    prefix: given.text("prefix") ?? "",
  });
  const signal = io.interruption();
  const { message, ...commit } = commitOptionsOf(given);
  const said = message ??
    `import ${kind.name} ${sourceName(path, target.place)}`;
  const write: TakeInOptions["write"] = async (edits, part) => {
    const store = await target.make();
    const parts = part === 1 ? said : `${said} (part ${part})`;
    return (await store.write(edits, { ...commit, message: parts })).commit;
  };
  const options = { prune: given.has("prune"), signal, store: target.store };
  return await imported(call, target, (isWriting, progress) =>
    takeIn(reading, {
      ...options,
      progress,
      write: isWriting ? write : undefined,
    }));
}

/**
 * Imports as `--dry-run` and `--strict` say, writes the report, and returns the exit status.
 * `take` reads the source, and writes if it is told to; it counts what it reads.
 */
export async function imported(
  call: Call,
  { store }: Target,
  take: (
    isWriting: boolean,
    progress: (count: number) => void,
  ) => Promise<TakenIn>,
): Promise<number | void> {
  const { given } = call;
  const head = (await store?.head())?.commit ?? null;
  const isDry = given.has("dryRun");
  let count = 0;
  const progress = (facts: number) => count = facts;
  const taken = await withProgress(
    call,
    () => `importing, ${count} facts read`,
    async () => {
      const isTried = isDry || given.has("strict");
      const tried = isTried ? await take(false, progress) : undefined;
      const isRefused = given.has("strict") &&
        tried?.findings.some(({ kind }) => kind !== "passed-over") === true;
      return tried !== undefined && (isDry || isRefused)
        ? { ...tried, isRefused }
        : { ...await take(true, progress), isRefused: false };
    },
  );
  await reportImport(call, taken, {
    isDry,
    isPruning: given.has("prune"),
    head,
  });
  return taken.isRefused ? EXIT_UNDONE : undefined;
}

/** Finds the store of an import: the one that is there, or the folder that is named second. */
export async function targetOf(call: Call): Promise<Target> {
  const { given, io } = call;
  const path = given.argument(1);
  if (path === undefined) {
    const { place } = await findStore(given, io);
    const store = await call.open();
    return { place, store, make: () => Promise.resolve(store) };
  }
  if (given.has("store")) {
    throw new UsageError("the folder is given twice: as a path and by --store");
  }
  const place = placeOf(path, io);
  const options = {
    author: io.variable("MNEM_AUTHOR") || undefined,
    clock: () => io.clock(),
  };
  let store: Store | undefined;
  try {
    store = call.keep(await openStore(place, options));
  } catch (error) {
    if (!isMnemError(error, "no_store")) throw error;
    await newPlace(given, io, path);
  }
  const there = store;
  return {
    place,
    store: there,
    make: async () =>
      store ??= call.keep(await openStore(place, { ...options, create: true })),
  };
}
