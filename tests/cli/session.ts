/**
 * The command line run within the test, with a world of the test's own; and as a real program.
 *
 * @module
 */

import assert from "node:assert/strict";
import { parseJson } from "@mnem/core";
import type { Ended, Io, Sink } from "../../cli/io.ts";
import { run } from "../../cli/program.ts";
import { tempFolder } from "../support/temp_folder.ts";

/** The program that a user starts. */
export const PROGRAM = new URL("../../cli/mod.ts", import.meta.url).pathname;

const CONFIG = new URL("../../deno.json", import.meta.url).pathname;

/** What one command did. */
export interface Ran {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** What a test may change about the world. */
export interface World {
  /** The working directory; else the folder of the session. */
  readonly directory?: string;
  readonly env?: { readonly [name: string]: string };
  readonly stdin?: string | Uint8Array;
  /** Whether a person looks at both outputs. */
  readonly isTerminal?: boolean;
  /** What a write to standard output does instead. */
  readonly write?: (text: string) => Promise<void>;
  /** Called once for each callback that waits for a second to pass. */
  readonly onSecond?: (tick: () => void) => void;
  /** Aborts when the program is asked to end. */
  readonly interruption?: AbortSignal;
  readonly runApart?: (args: readonly string[]) => Promise<Ended>;
}

/** A folder, and the commands that are typed in it. */
export interface Session extends AsyncDisposable {
  /** An empty folder. */
  readonly path: string;
  /** Runs one command. Each commit is one second later than the one before it, from 1970 on. */
  mnem(...args: string[]): Promise<Ran>;
  /** The same in another world. */
  mnemIn(world: World, ...args: string[]): Promise<Ran>;
  /** Runs a command that must go well, and returns what it printed. */
  text(...args: string[]): Promise<string>;
  /** The same with `--json`, read exactly. */
  json(...args: string[]): Promise<unknown>;
}

/** Begins a session in a new folder. */
export async function session(): Promise<Session> {
  const folder = await tempFolder();
  let nowMs = 0;
  const clock = () => nowMs += 1_000;
  const mnemIn = (world: World, ...args: string[]) =>
    runIn({ directory: folder.path, ...world }, clock, args);
  const good = async (...args: string[]) => {
    const ran = await mnemIn({}, ...args);
    assert.equal(ran.status, 0, ran.err);
    return ran.out;
  };
  return {
    path: folder.path,
    mnem: (...args) => mnemIn({}, ...args),
    mnemIn,
    text: good,
    json: async (...args) => parseJson(await good("--json", ...args)),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** The same with a store in its folder. */
export async function storeSession(): Promise<Session> {
  const begun = await session();
  await begun.text("init");
  return begun;
}

async function runIn(
  world: World & { readonly directory: string },
  clock: () => number,
  args: readonly string[],
): Promise<Ran> {
  let [out, err] = ["", ""];
  const decoder = new TextDecoder();
  const sink = (take: (text: string) => unknown): Sink => ({
    isTerminal: world.isTerminal ?? false,
    write: async (data) => {
      await take(typeof data === "string" ? data : decoder.decode(data));
    },
  });
  const { stdin = "" } = world;
  const io: Io = {
    stdout: sink(world.write ?? ((text) => out += text)),
    stderr: sink((text) => err += text),
    stdin: {
      isTerminal: false,
      stream: () => ReadableStream.from([bytesOf(stdin)]),
    },
    directory: () => world.directory,
    variable: (name) => world.env?.[name],
    clock,
    everySecond: (tick) => {
      world.onSecond?.(tick);
      return () => {};
    },
    later: () => () => {},
    interruption: () => world.interruption ?? new AbortController().signal,
    runApart: world.runApart ??
      (() => Promise.reject(new Error("no other process in this world"))),
  };
  const status = await run(args, io);
  return { status, out, err };
}

function bytesOf(data: string | Uint8Array): Uint8Array {
  return typeof data === "string" ? new TextEncoder().encode(data) : data;
}

/** Runs the real program to its end. */
export async function runProgram(
  args: readonly string[],
  options: Deno.CommandOptions = {},
): Promise<Ran> {
  return await runCommand(Deno.execPath(), {
    ...options,
    args: ["run", "-A", PROGRAM, ...args],
  });
}

/** Runs a script that may import the program. */
export async function runScript(
  script: string,
  options: Deno.CommandOptions = {},
): Promise<Ran> {
  return await runCommand(Deno.execPath(), {
    ...options,
    args: ["eval", `--config=${CONFIG}`, script],
  });
}

/** Runs a line in a shell in which `mnem` is the real program. */
export async function runShell(
  line: string,
  options: Deno.CommandOptions = {},
): Promise<Ran> {
  const start = `mnem() { "${Deno.execPath()}" run -A "${PROGRAM}" "$@"; }\n`;
  return await runCommand("sh", { ...options, args: ["-c", start + line] });
}

async function runCommand(
  program: string,
  options: Deno.CommandOptions,
): Promise<Ran> {
  const { code, stdout, stderr } = await new Deno.Command(program, {
    ...options,
    env: { MNEM_STORE: "", MNEM_AUTHOR: "", ...options.env },
  }).output();
  const decoder = new TextDecoder();
  return {
    status: code,
    out: decoder.decode(stdout),
    err: decoder.decode(stderr),
  };
}
