/**
 * Running the server as a program.
 *
 * @module
 */

import { Console } from "node:console";
import { readdir } from "node:fs/promises";
import process from "node:process";
import { setDefaultHighWaterMark, Writable } from "node:stream";
import {
  exitStatus,
  isBadArgument,
  isMnemError,
  locateStore,
  MnemError,
  openStore,
  type Store,
} from "@mnem/core";
import {
  HELP,
  parseCommand,
  type ServeCommand,
  USAGE,
} from "./command_line.ts";
import { processKeeper } from "./heap_keeper.ts";
import { INPUT_READ_BYTES } from "./limits.ts";
import { processStreams, serveStreams } from "./serve_stdio.ts";
import { logError, logFlushed, logLine, logText } from "./stderr_log.ts";
import { VERSION } from "./version.ts";

/**
 * Runs the server with the arguments of a command line, until the client closes standard input or a
 * signal ends it, and returns the exit status.
 */
export async function main(args: readonly string[]): Promise<number> {
  keepStandardOutputClean();
  try {
    const command = parseCommand(args, readVariable);
    if (command.kind === "serve") return await serve(command);
    const text = command.kind === "help" ? HELP : `mnem-mcp ${VERSION}\n`;
    await new Promise((written) => process.stdout.write(text, written));
    return 0;
  } catch (error) {
    return fail(error);
  } finally {
    await logFlushed();
  }
}

async function serve(command: ServeCommand): Promise<number> {
  const stopped = nextSignal();
  const store = await openOrMake(command);
  try {
    const { branch } = await store.head();
    const at = branch === null ? "detached" : `branch ${branch}`;
    logLine(`serving ${store.location} (${at})`);
    // Deno clears a buffer of this size for each read of standard input, 64 KiB unless told otherwise.
    setDefaultHighWaterMark(false, INPUT_READ_BYTES);
    const handle = serveStreams(store, processStreams(), {
      ...command.options,
      onAnswer: processKeeper(),
    });
    stopped.then(() => handle.close());
    await handle.closed;
    return 0;
  } finally {
    await store.close();
  }
}

/** Opens the store, or makes it where nothing else lies, and then says so. */
async function openOrMake(command: ServeCommand): Promise<Store> {
  const { branch, options } = command;
  const { location } = command;
  const { author } = options;
  try {
    return await openStore(location, { branch, author });
  } catch (error) {
    if (!isMnemError(error, "no_store") || options.readOnly) throw error;
  }
  const place = locateStore(location);
  if (!/^https?:\/\//.test(place) && !await isFree(place)) {
    throw new MnemError(
      "no_store",
      `Cannot serve "${place}": it holds other things and no store; a new one is made only in an empty or absent folder`,
    );
  }
  const store = await openStore(location, { branch, author, create: true });
  logLine(`made a new store in ${store.location}`);
  return store;
}

// A store in a folder of other things is as likely a slip of the path as a wish.
async function isFree(folder: string): Promise<boolean> {
  try {
    const names = await readdir(folder);
    // What another server, started at the same time, is making there.
    return names.every((name) => name.startsWith(".mnem"));
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOENT";
  }
}

function nextSignal(): Promise<void> {
  return new Promise((stop) => {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
      process.once(signal, () => stop());
    }
  });
}

function fail(error: unknown): number {
  if (isMnemError(error)) {
    logLine(`${error.code}: ${error.message}`);
  } else if (isBadArgument(error)) {
    // What the store refuses of its options came from the command line.
    logLine(error.message);
    logText(`${USAGE}\n`);
  } else {
    logError(error);
  }
  return exitStatus(error);
}

/** Sends what any dependency prints to the log, whatever it prints with: standard output is the protocol's. */
function keepStandardOutputClean(): void {
  const log = new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      logText(text);
      done();
    },
  });
  Object.assign(console, new Console({ stdout: log, stderr: log }));
}

/** What is used of Deno, where it is the host. */
interface DenoHost {
  readonly permissions: {
    querySync(
      permission: { name: "env"; variable: string },
    ): { readonly state: string };
  };
}

/** Where Deno would have to ask a person whether it may look, it is as if it were not set. */
function readVariable(name: string): string | undefined {
  const { Deno: deno }: { readonly Deno?: DenoHost } = globalThis;
  const state = deno?.permissions.querySync({ name: "env", variable: name })
    .state ?? "granted";
  return state === "granted" ? process.env[name] : undefined;
}
