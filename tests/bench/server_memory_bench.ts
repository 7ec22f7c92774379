/**
 * The memory of the server: after calls on a hundred nodes, and after many more all over the store.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import type { Program } from "../support/program.ts";
import { Chance } from "../support/tree_cases.ts";
import { hotIds } from "./bench_store.ts";
import type { BenchContext, Figure, Values } from "./figure.ts";
import { startServer, type StdioServer } from "./stdio_server.ts";

const SEED = 41;
/** The largest memory that a server is measured on. */
const NODES_MAX = 100_000;

/** One call of a tool. */
export type ServerCall = readonly [name: string, args: object];

/** Measures what one server has taken, first and last. */
export async function serverMemoryBench(
  { scale, stores }: BenchContext,
): Promise<Figure[]> {
  const size = Math.max(...scale.nodes.filter((nodes) => nodes <= NODES_MAX));
  const { folder, ids } = await stores.of(size);
  const [hot, spread] = scale.short ? [200, 800] : [1_000, 6_000];
  const values = await serverMemory(serverOf(folder), {
    hot: callsOn(hotIds(ids), hot),
    spread: callsOn(ids, spread),
  });
  return [{ bench: "mcp-memory", size, values }];
}

/** Starts a server, makes calls, and returns what it has taken after the first ones, after all, and at most. */
export async function serverMemory(
  program: Program,
  calls: {
    readonly hot: Iterable<ServerCall>;
    readonly spread: Iterable<ServerCall>;
  },
): Promise<Values> {
  await using server = await startServer(program);
  for (const [name, args] of calls.hot) await server.call(name, args);
  const hot_mb = await residentMb(server);
  for (const [name, args] of calls.spread) await server.call(name, args);
  return {
    hot_mb,
    spread_mb: await residentMb(server),
    peak_mb: await residentMb(server, "VmHWM"),
  };
}

/** The program that serves a store, or another that takes the same flags. */
export function serverOf(
  folder: string,
  module: string | URL = new URL("../../mcp/mod.ts", import.meta.url),
): Program {
  const path = fileURLToPath(module);
  return [Deno.execPath(), "run", "-A", path, `--store=${folder}`];
}

/** Resident memory of a process in MB, now or at most so far, where /proc tells it; else 0. */
export async function residentMb(
  { pid }: StdioServer,
  field: "VmRSS" | "VmHWM" = "VmRSS",
): Promise<number> {
  try {
    const status = await Deno.readTextFile(`/proc/${pid}/status`);
    const [, kb] = new RegExp(`${field}:\\s+(\\d+) kB`).exec(status) ?? [];
    return Number(kb ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Calls on nodes at random, as many that write as read. */
function* callsOn(
  ids: readonly string[],
  calls: number,
): Generator<ServerCall> {
  const chance = new Chance(SEED);
  for (let i = 0; i < calls; i++) {
    const id = chance.pick(ids);
    yield i % 2 === 0
      ? ["recall", { id }]
      : ["remember", { id, content: `value ${i}` }];
  }
}
