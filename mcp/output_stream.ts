/**
 * Standard output that does not block. On Deno, a write of `process.stdout` to a full pipe stops the
 * whole program, signals and timers included, for as long as the client does not read.
 *
 * @module
 */

import process from "node:process";
import { Writable } from "node:stream";

/** What is used of Deno, where it is the host. */
interface DenoHost {
  readonly stdout: { write(bytes: Uint8Array): Promise<number> };
}

/** Returns a stream that writes to standard output in order, in the background where the host can. */
export function outputStream(): Writable {
  const { Deno: deno }: { readonly Deno?: DenoHost } = globalThis;
  if (deno === undefined) return process.stdout;
  return new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      writeAll(deno.stdout, chunk).then(() => done(), done);
    },
  });
}

async function writeAll(
  stdout: DenoHost["stdout"],
  bytes: Uint8Array,
): Promise<void> {
  for (let rest = bytes; rest.length > 0;) {
    rest = rest.subarray(await stdout.write(rest));
  }
}
