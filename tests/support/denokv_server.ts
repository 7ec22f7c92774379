/**
 * The true self-hosted server of Deno KV, as a program of its own.
 *
 * @module
 */

import { TEST_TOKEN } from "./kv_connect_server.ts";

/** A running server; `await using` ends it. */
export interface DenokvServer extends AsyncDisposable {
  /** Its address. */
  readonly url: string;
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>;
}

/** Where it listens, and what it serves. */
export interface DenokvOptions {
  /** The program. */
  readonly program: string;
  /** The file of its database. */
  readonly file: string;
  /** The port; a free one unless said otherwise. */
  readonly port?: number;
}

/** Starts it on a file, and returns once it takes connections. */
export async function startDenokv(
  { program, file, port = freePort() }: DenokvOptions,
): Promise<DenokvServer> {
  const child = new Deno.Command(program, {
    args: ["--sqlite-path", file, "serve", "--addr", `127.0.0.1:${port}`],
    env: { DENO_KV_ACCESS_TOKEN: TEST_TOKEN },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  let hasEnded = false;
  const ended = child.status.then(() => {
    hasEnded = true;
  });
  const kill = async () => {
    if (!hasEnded) child.kill("SIGKILL");
    await ended;
  };
  while (!(await isTaken(port))) {
    if (hasEnded) throw new Error("denokv ended before it served");
  }
  return {
    url: `http://127.0.0.1:${port}/`,
    kill,
    [Symbol.asyncDispose]: kill,
  };
}

function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  return port;
}

async function isTaken(port: number): Promise<boolean> {
  try {
    (await Deno.connect({ hostname: "127.0.0.1", port })).close();
    return true;
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return false;
  }
}
