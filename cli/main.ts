/**
 * The edge: the command line as a program of the operating system.
 *
 * @module
 */

import { type ChildProcess, spawn } from "node:child_process";
import { fstatSync } from "node:fs";
import process from "node:process";
import type { Readable } from "node:stream";
import type { WriteStream } from "node:tty";
import { fileURLToPath } from "node:url";
import { MnemError } from "@mnem/core";
import { bytesOf } from "./byte_stream.ts";
import { UsageError } from "./given.ts";
import { type Ended, Interrupted, type Io, type Sink } from "./io.ts";
import { run } from "./program.ts";

/** Runs the command line; see `mod.ts`, which loads this file when it is needed. */
export async function main(
  args: readonly string[],
  program?: string,
): Promise<number> {
  return await run(args, processIo(program));
}

function processIo(program: string | undefined): Io {
  return {
    stdout: sinkOf(process.stdout),
    stderr: sinkOf(process.stderr),
    stdin: {
      isTerminal: process.stdin.isTTY === true,
      stream: stdinBytes,
    },
    directory: workingDirectory,
    variable: readVariable,
    clock: () => Date.now(),
    everySecond: (tick) => {
      const timer = setInterval(tick, 1_000);
      return () => clearInterval(timer);
    },
    later: (call, ms) => {
      const timer = setTimeout(call, ms);
      return () => clearTimeout(timer);
    },
    interruption: onInterruption,
    runApart: (again) => runApart(program, again),
  };
}

function sinkOf(stream: WriteStream): Sink {
  // Reported to whoever writes, by the callback; without a listener it would end the program.
  stream.on("error", () => {});
  return {
    isTerminal: stream.isTTY === true,
    write: (data) =>
      new Promise((resolve, reject) => {
        stream.write(data, (error) => error ? reject(error) : resolve());
      }),
  };
}

function stdinBytes(): ReadableStream<Uint8Array> {
  // The host would give it out as an empty file.
  if (fstatSync(0).isDirectory()) {
    throw new UsageError("cannot read standard input: it is a folder");
  }
  return bytesOf(process.stdin, "standard input");
}

function workingDirectory(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new MnemError(
      "no_store",
      "Cannot look for a store: the working directory is gone",
      { cause },
    );
  }
}

/** Where Deno would have to ask a person whether it may look, it is as if it were not set. */
function readVariable(name: string): string | undefined {
  return mayUse({ name: "env", variable: name })
    ? process.env[name]
    : undefined;
}

function mayUse(permission: DenoPermission): boolean {
  const { Deno: deno }: { readonly Deno?: DenoHost } = globalThis;
  return deno === undefined ||
    deno.permissions.querySync(permission).state === "granted";
}

/** The signals that ask a program to end, each with what a shell reports of one that it ended. */
const STOPS = [["SIGINT", 130], ["SIGTERM", 143], ["SIGHUP", 129]] as const;

function onInterruption(): AbortSignal {
  const controller = new AbortController();
  for (const [name, status] of STOPS) {
    process.once(name, () => controller.abort(new Interrupted(status)));
  }
  return controller.signal;
}

/** What a program on Deno may need a permission for. */
type DenoPermission = { name: "env"; variable: string } | { name: "run" };

/** What is used of Deno, where it is the host. */
interface DenoHost {
  readonly build: { readonly standalone?: boolean };
  readonly permissions: {
    querySync(permission: DenoPermission): { readonly state: string };
  };
}

async function runApart(
  program: string | undefined,
  args: readonly string[],
): Promise<Ended> {
  if (program === undefined || !mayUse({ name: "run" })) {
    throw new Error("No program to be started");
  }
  const { Deno: deno }: { readonly Deno?: DenoHost } = globalThis;
  const start = deno === undefined
    ? [...process.execArgv, fileURLToPath(program)]
    : deno.build.standalone
    ? []
    : ["run", "-A", program];
  const child = spawn(process.execPath, [...start, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const stops = passStops(child);
  try {
    const [[status, signal], stdout, stderr] = await Promise.all([
      new Promise<[number | null, string | null]>((resolve, reject) => {
        child.once("error", reject);
        child.once("close", (...ended) => resolve(ended));
      }),
      textOf(child.stdout),
      textOf(child.stderr),
    ]);
    // What was done before the signal came is done.
    const { asked } = stops;
    if (asked !== undefined && (status ?? asked) === asked) {
      throw new Interrupted(asked);
    }
    return { status, signal, stdout, stderr };
  } finally {
    stops.end();
  }
}

/** Hands on to another process what asks this one to end; a second time ends it, whatever it does. */
function passStops(
  child: ChildProcess,
): { readonly asked: number | undefined; end(): void } {
  let asked: number | undefined;
  const handlers = STOPS.map(([name, status]) => {
    const pass = () => {
      child.kill(asked === undefined ? name : "SIGKILL");
      asked ??= status;
    };
    process.on(name, pass);
    return () => process.off(name, pass);
  });
  return {
    get asked() {
      return asked;
    },
    end() {
      for (const remove of handlers) remove();
    },
  };
}

async function textOf(stream: Readable): Promise<string> {
  stream.setEncoding("utf8");
  let text = "";
  for await (const part of stream) text += part;
  return text;
}
