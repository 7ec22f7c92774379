/**
 * `remember` and `recall` over stdio, beside a tool that does nothing; and the server's memory.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { type BenchResult, type BenchScale, median, timed } from "./figure.ts";

const CALLS = 1_000;
const NODES = 100;

/** Measures round trips over stdio, one at a time, and the memory of the server after a thousand. */
export async function serverBench(_scale: BenchScale): Promise<BenchResult> {
  const folder = await Deno.makeTempDir({ prefix: "mnem-bench-" });
  const echo = startServer([pathOf("./echo_server.ts")]);
  const mnem = startServer([
    pathOf("../../mcp/mod.ts"),
    `--store=${folder}/mem`,
  ]);
  try {
    const values = await measure(echo, mnem);
    const { remember_echo, recall_echo, rss_mb } = values;
    return {
      figures: [{ bench: "mcp", size: CALLS, values }],
      gates: [
        {
          what: "remember / echo over stdio",
          loose: true,
          value: remember_echo,
          bound: { most: 8 },
        },
        {
          what: "recall / echo over stdio",
          loose: true,
          value: recall_echo,
          bound: { most: 4 },
        },
        {
          what: "memory of the server after 1,000 calls, MB",
          loose: true,
          value: rss_mb,
          bound: { most: 150 },
        },
      ],
    };
  } finally {
    for (const server of [echo, mnem]) await stop(server);
    await Deno.remove(folder, { recursive: true });
  }
}

interface ServerFigures {
  readonly [name: string]: number;
  readonly remember_echo: number;
  readonly recall_echo: number;
  readonly rss_mb: number;
}

async function measure(echo: Server, mnem: Server): Promise<ServerFigures> {
  for (const server of [echo, mnem]) await initialize(server);
  const times = {
    echo: [] as number[],
    remember: [] as number[],
    recall: [] as number[],
  };
  for (let i = 0; i < CALLS; i++) {
    const args = { id: `node-${i % NODES}`, content: `value ${i}` };
    times.echo.push(await timed(() => call(echo, "echo", args)));
    times.remember.push(await timed(() => call(mnem, "remember", args)));
  }
  const rss_mb = await residentMb(mnem.process.pid);
  const echo_rss_mb = await residentMb(echo.process.pid);
  for (let i = 0; i < CALLS; i++) {
    const args = { id: `node-${i % NODES}` };
    times.recall.push(await timed(() => call(mnem, "recall", args)));
  }
  const echo_ms = median(times.echo);
  const remember_ms = median(times.remember);
  const recall_ms = median(times.recall);
  return {
    echo_ms,
    remember_ms,
    recall_ms,
    remember_echo: remember_ms / echo_ms,
    recall_echo: recall_ms / echo_ms,
    rss_mb,
    echo_rss_mb,
  };
}

interface Server {
  readonly process: Deno.ChildProcess;
  readonly writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly lines: AsyncIterator<string>;
  nextId: number;
}

function startServer(args: readonly string[]): Server {
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", ...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  return {
    process,
    writer: process.stdin.getWriter(),
    lines: linesOf(process.stdout),
    nextId: 1,
  };
}

async function initialize(server: Server): Promise<void> {
  await request(server, "initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "bench", version: "0" },
  });
  await send(server, { jsonrpc: "2.0", method: "notifications/initialized" });
}

async function call(server: Server, name: string, args: object): Promise<void> {
  const answer = await request(server, "tools/call", { name, arguments: args });
  if (!answer.includes('"structuredContent"')) {
    throw new Error(`A call failed: ${answer}`);
  }
}

/** Sends a request and returns the line that answers it; nothing else is under way. */
async function request(
  server: Server,
  method: string,
  params: object,
): Promise<string> {
  await send(server, { jsonrpc: "2.0", id: server.nextId++, method, params });
  const { done, value } = await server.lines.next();
  if (done) throw new Error("The server ended");
  return value;
}

async function send(server: Server, frame: object): Promise<void> {
  await server.writer.write(
    new TextEncoder().encode(`${JSON.stringify(frame)}\n`),
  );
}

async function stop(server: Server): Promise<void> {
  await server.writer.close();
  await server.lines.return?.();
  await server.process.status;
}

async function* linesOf(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<string> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

/** Resident memory of a process in MB, where /proc tells it; else 0. */
async function residentMb(pid: number): Promise<number> {
  try {
    const status = await Deno.readTextFile(`/proc/${pid}/status`);
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}
