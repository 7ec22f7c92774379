/**
 * The edge: the command line as a program of the operating system.
 *
 * @module
 */

import { spawn } from "node:child_process";
import process from "node:process";
import type { Readable } from "node:stream";
import type { WriteStream } from "node:tty";
import { fileURLToPath } from "node:url";
import { bytesOf } from "./byte_stream.ts";
import type { Ended, Io, Sink } from "./io.ts";
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
      stream: () => bytesOf(process.stdin),
    },
    directory: () => process.cwd(),
    variable: readVariable,
    clock: () => Date.now(),
    everySecond: (tick) => {
      const timer = setInterval(tick, 1_000);
      return () => clearInterval(timer);
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

function readVariable(name: string): string | undefined {
  try {
    return process.env[name];
  } catch {
    // Not permitted to look: as if it were not set.
    return undefined;
  }
}

function onInterruption(): AbortSignal {
  const controller = new AbortController();
  process.once("SIGINT", () => controller.abort());
  return controller.signal;
}

/** What is used of Deno, where it is the host. */
interface DenoHost {
  readonly build: { readonly standalone?: boolean };
}

async function runApart(
  program: string | undefined,
  args: readonly string[],
): Promise<Ended> {
  if (program === undefined) throw new Error("No program to be started");
  const { Deno: deno }: { readonly Deno?: DenoHost } = globalThis;
  const start = deno === undefined
    ? [...process.execArgv, fileURLToPath(program)]
    : deno.build.standalone
    ? []
    : ["run", "-A", program];
  const child = spawn(process.execPath, [...start, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [status, stdout, stderr] = await Promise.all([
    new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    }),
    textOf(child.stdout),
    textOf(child.stderr),
  ]);
  return { status, stdout, stderr };
}

async function textOf(stream: Readable): Promise<string> {
  stream.setEncoding("utf8");
  let text = "";
  for await (const part of stream) text += part;
  return text;
}
