/**
 * `remember` and `recall` over stdio, beside a tool that does nothing: with the server held, and with
 * one started for each call; and the memory of both.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import type { Program } from "../support/program.ts";
import { tempFolder } from "../support/temp_folder.ts";
import {
  type BenchContext,
  type Figure,
  inTurns,
  median,
  timed,
  type Values,
} from "./figure.ts";
import { residentMb } from "./server_memory_bench.ts";
import { startServer } from "./stdio_server.ts";

const NODES = 100;
const ECHO: Program = deno("./echo_server.ts");

/** Measures round trips, one at a time, and the memory of the server after them. */
export async function serverBench({ scale }: BenchContext): Promise<Figure[]> {
  await using folder = await tempFolder();
  const store = `${folder.path}/mem`;
  const mnem = deno("../../mcp/mod.ts", `--store=${store}`);
  const calls = scale.short ? 200 : 1_000;
  const held = await measureHeld(mnem, calls);
  const perCall = scale.short ? {} : await measurePerCall(mnem, scale.runs);
  return [{ bench: "mcp", size: calls, values: { ...held, ...perCall } }];
}

async function measureHeld(program: Program, calls: number): Promise<Values> {
  await using echo = await startServer(ECHO);
  await using mnem = await startServer(program);
  const argsAt = (turn: number) => ({
    id: `node-${turn % NODES}`,
    content: `value ${turn}`,
  });
  const callEcho = (turn: number) =>
    timed(() => echo.call("echo", argsAt(turn)));
  const [remember, echoes] = await inTurns(
    calls,
    (turn) => timed(() => mnem.call("remember", argsAt(turn))),
    callEcho,
  );
  const [rss_mb, echo_rss_mb] = await Promise.all(
    [mnem, echo].map((server) => residentMb(server)),
  );
  const [recall, more] = await inTurns(
    calls,
    (turn) => timed(() => mnem.call("recall", { id: argsAt(turn).id })),
    callEcho,
  );
  return {
    echo_ms: median([...echoes, ...more]),
    remember_ms: median(remember),
    recall_ms: median(recall),
    remember_ratio: median(remember) / median(echoes),
    recall_ratio: median(recall) / median(more),
    rss_mb: rss_mb ?? NaN,
    echo_rss_mb: echo_rss_mb ?? NaN,
  };
}

/** A server that is started for one call. */
async function measurePerCall(mnem: Program, runs: number): Promise<Values> {
  const once = async (program: Program, name: string, turn: number) => {
    await using server = await startServer(program);
    await server.call(name, { id: "node-1", content: `run ${turn}` });
  };
  const [remember, echo] = await inTurns(
    runs,
    (turn) => timed(() => once(mnem, "remember", turn)),
    (turn) => timed(() => once(ECHO, "echo", turn)),
  );
  return {
    per_call_remember_ms: median(remember),
    per_call_echo_ms: median(echo),
    per_call_ratio: median(remember) / median(echo),
  };
}

function deno(relative: string, ...flags: string[]): Program {
  const path = fileURLToPath(new URL(relative, import.meta.url));
  return [Deno.execPath(), "run", "-A", path, ...flags];
}
