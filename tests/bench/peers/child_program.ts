/**
 * A peer that runs in a process of its own and takes its own times: a line of JSON in (one call), a
 * line of JSON out (a {@linkcode PeerAnswer}).
 *
 * @module
 */

import type { Program } from "../../support/program.ts";
import { linesOf } from "../text_lines.ts";
import type { PeerAnswer, PeerSession } from "./peer.ts";

/** A peer in a process of its own. */
export interface ChildSession extends Required<PeerSession> {
  /** Adds nodes, one id in a line, for a program that knows how. */
  fill(ids: string, value: string): Promise<PeerAnswer>;
}

/** Starts a program that is told calls on its input: `{"op":"change","id":"a","value":"b"}`. */
export function startChild([command, ...args]: Program): ChildSession {
  const child = new Deno.Command(command, {
    args,
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  const lines = linesOf(child.stdout);
  const call = async (ask: { readonly [name: string]: string }) => {
    const line = `${JSON.stringify(ask)}\n`;
    await writer.write(new TextEncoder().encode(line));
    const { done, value } = await lines.next();
    if (done) throw new Error(`${command} ended at ${line}`);
    return parseAnswer(value);
  };
  return {
    fill: (id, value) => call({ op: "fill", id, value }),
    change: (id, value) => call({ op: "change", id, value }),
    read: (id) => call({ op: "read", id }),
    blame: (id) => call({ op: "blame", id }),
    async [Symbol.asyncDispose]() {
      await writer.close();
      await lines.return(undefined);
      await child.status;
    },
  };
}

/** Runs the loop of such a program, written in TypeScript, until its input ends. */
export async function answerCalls(
  session: { [op: string]: (id: string, value: string) => Promise<string> },
): Promise<void> {
  for await (const line of linesOf(Deno.stdin.readable)) {
    const { op, id, value = "" }: { op: string; id: string; value?: string } =
      JSON.parse(line);
    const startMs = performance.now();
    const answer = await session[op]?.(id, value);
    const ms = performance.now() - startMs;
    const said = `${JSON.stringify({ ms, value: answer })}\n`;
    Deno.stdout.writeSync(new TextEncoder().encode(said));
  }
}

function parseAnswer(line: string): PeerAnswer {
  return JSON.parse(line);
}
