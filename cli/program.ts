/**
 * One run of the command line, from its arguments to its exit status.
 *
 * `main.ts` hands in the world as an `Io`, and a test hands in another. `parser.ts` reads the line by
 * the table of commands, which help and completions are made from too. A command calls a verb of
 * `@mnem/agents` or the store, and gives a `Report` what it got in both shapes: lines of `render/`, or
 * the JSON of `toWire`. A failure becomes a code, a message, what to type next and an exit status in
 * `failure.ts`.
 *
 * @module
 */

import { isMnemError, openStore, type Store } from "@mnem/core";
import type { Command } from "./command.ts";
import { COMMANDS } from "./command_table.ts";
import { describeFailure } from "./failure.ts";
import { findStore, namedStore } from "./find_store.ts";
import type { Given } from "./given.ts";
import { Interrupted, type Io } from "./io.ts";
import { asksForJson, parseCommandLine, wordsOf } from "./parser.ts";
import { jsonText, OutputClosed, Report } from "./report.ts";
import { mostSimilar } from "./similar.ts";

/** Runs a command line, and returns its exit status. Never throws for what a user or a store can do. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  let failed: Failed = { args, io, report: new Report(io, asksForJson(args)) };
  try {
    const parsed = parseCommandLine(args, COMMANDS);
    if (parsed.kind === "text") {
      const { text } = parsed;
      await failed.report.value(
        () => ({ text }),
        () => text.trimEnd().split("\n"),
      );
      await failed.report.flush();
      return 0;
    }
    const { command, given } = parsed;
    const report = new Report(io, given.has("json"));
    failed = { args, io, report, command, given };
    const status = await runCommand(failed, { command, given });
    await report.flush();
    return status ?? 0;
  } catch (error) {
    return await fail(error, failed);
  }
}

async function runCommand(
  { report, io }: Pick<Failed, "report" | "io">,
  { command, given }: { readonly command: Command; readonly given: Given },
): Promise<number | void> {
  const opened: Store[] = [];
  const keep = (store: Store): Store => {
    opened.push(store);
    return store;
  };
  const open = async () => keep(await openFor(given, io));
  try {
    return await command.run({ given, report, io, open, keep });
  } finally {
    for (const store of opened) await store.close();
  }
}

async function openFor(given: Given, io: Io): Promise<Store> {
  const { place } = await findStore(given, io);
  return await openStore(place, {
    author: io.variable("MNEM_AUTHOR") || undefined,
    clock: () => io.clock(),
  });
}

interface Failed {
  readonly args: readonly string[];
  readonly io: Io;
  readonly report: Report;
  readonly command?: Command;
  readonly given?: Given;
}

async function fail(error: unknown, failed: Failed): Promise<number> {
  const { args, io, report, command, given } = failed;
  if (error instanceof OutputClosed) return 0;
  if (error instanceof Interrupted) {
    if (!report.isJson) await write(io, "mnem: interrupted\n");
    return error.status;
  }
  // What came before the failure is still true; half of a JSON value is none.
  if (!report.isJson) await report.flush().catch(() => {});
  const failure = describeFailure(error, {
    command: command?.name ?? commandIn(args),
    store: given === undefined ? undefined : storeOf(given, io),
    similar: namesBranch(error, failed)
      ? await similarBranch(failed)
      : undefined,
  });
  await write(
    io,
    report.isJson
      ? `${jsonText(failure.json)}\n`
      : failure.lines.map((line) => `${line}\n`).join(""),
  );
  return failure.status;
}

/** Whether a word that was typed was looked for among the branches, and not found. */
function namesBranch(error: unknown, { command }: Failed): boolean {
  return isMnemError(error, "invalid_ref") ||
    isMnemError(error, "not_found") && command?.name === "branch";
}

/** A standard error that is closed too leaves only the exit status to tell. */
async function write(io: Io, text: string): Promise<void> {
  await io.stderr.write(text).catch(() => {});
}

/** The command that a line names which could not be read. */
function commandIn(args: readonly string[]): string | undefined {
  const [word] = wordsOf(args);
  return COMMANDS.find(({ name, alias }) => word === name || word === alias)
    ?.name;
}

function storeOf(given: Given, io: Io): string | undefined {
  try {
    return namedStore(given, io);
  } catch {
    // It is no place at all, and the error says so.
    return undefined;
  }
}

async function similarBranch(
  { args, io, given }: Failed,
): Promise<string | undefined> {
  if (given === undefined) return undefined;
  try {
    const names = await branchNames(given, io);
    const words = args.flatMap((arg) => arg.split(/[=~^@]/));
    return mostSimilar(words, names);
  } catch {
    // A hint is not worth a second error.
    return undefined;
  }
}

async function branchNames(given: Given, io: Io): Promise<string[]> {
  const store = await openFor(given, io);
  try {
    return [...(await store.branches()).keys()];
  } finally {
    await store.close();
  }
}
