/**
 * Standard output and standard error that do not block. On Deno, a write of `process.stdout` or
 * `process.stderr` to a full pipe stops the whole program, signals and timers included, for as long
 * as the client does not read.
 *
 * @module
 */

import process from "node:process";
import { Writable } from "node:stream";

/** The streams of a process that go out. */
type Output = "stdout" | "stderr";

/** What is used of Deno, where it is the host. */
type DenoHost = {
  readonly [name in Output]: { write(bytes: Uint8Array): Promise<number> };
};

/** Returns a stream that writes to one of them in order, in the background where the host can. */
export function outputStream(name: Output): Writable {
  const { Deno: deno }: { readonly Deno?: DenoHost } = globalThis;
  if (deno === undefined) return process[name];
  const out = deno[name];
  return new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      writeAll(out, chunk).then(() => done(), done);
    },
  });
}

async function writeAll(
  out: DenoHost[Output],
  bytes: Uint8Array,
): Promise<void> {
  for (let rest = bytes; rest.length > 0;) {
    rest = rest.subarray(await out.write(rest));
  }
}
