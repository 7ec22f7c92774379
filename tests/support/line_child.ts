/**
 * A program of the tests in a process of its own, which is given a task and says, line by line in JSON,
 * what it has done.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import type { Program } from "./program.ts";

/** The process. */
export interface LineChild<T> {
  /** What it said; ends with the process. */
  readonly lines: AsyncIterable<T>;
  /** Ends it at once. */
  kill(): void;
  /** How it ended. */
  readonly ended: Promise<Deno.CommandStatus>;
}

/** Starts the program of a file, or what `program` runs, with a task as its argument. */
export function startLines<T>(
  file: string | URL,
  task: unknown,
  { program = [Deno.execPath(), "run", "-A"] }: { readonly program?: Program } =
    {},
): LineChild<T> {
  const [command, ...args] = program;
  const path = typeof file === "string" ? file : fileURLToPath(file);
  const child = new Deno.Command(command, {
    args: [...args, path, JSON.stringify(task)],
    stdout: "piped",
  }).spawn();
  return {
    lines: linesOf(child.stdout),
    kill: () => child.kill("SIGKILL"),
    ended: child.status,
  };
}

/** The lines of an output, parsed. */
export async function* linesOf<T>(
  output: ReadableStream<Uint8Array>,
): AsyncGenerator<T> {
  let rest = "";
  for await (const text of output.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line);
  }
}
