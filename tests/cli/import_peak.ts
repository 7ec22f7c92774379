/**
 * Runs the command line, and says what that took: run by a deep test in a process of its own.
 *
 * @module
 */

import { main } from "../../cli/mod.ts";

/** What one run took. */
export interface ImportPeak {
  /** Its exit status. */
  readonly status: number;
  /** From its beginning to its end, in seconds. */
  readonly seconds: number;
  /** Memory of the process at its peak, in bytes. */
  readonly bytes: number;
}

if (import.meta.main) {
  const begin = performance.now();
  const status = await main(Deno.args);
  const seconds = (performance.now() - begin) / 1_000;
  const text = Deno.readTextFileSync("/proc/self/status");
  const bytes = Number(/^VmHWM:\s+(\d+) kB$/m.exec(text)?.[1]) * 1024;
  console.error(
    JSON.stringify({ status, seconds, bytes } satisfies ImportPeak),
  );
  Deno.exit(status);
}
