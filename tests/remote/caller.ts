/**
 * Opens a store on a server, waits until it is told to go on, makes one call and closes: run by tests in
 * a process of its own, which then ends by itself. Its arguments are the URL, the client, and the call.
 *
 * @module
 */

import { isMnemError, type Store } from "@mnem/core";
import { remoteStore } from "../support/remote_store.ts";

/** What came of the call. */
export interface CallEnd {
  /** The code of its error; absent where it went well. */
  readonly code?: string;
  /** Whether something may have been written. */
  readonly outcome?: string;
  /** The message of its error. */
  readonly message?: string;
  /** How long it took, in milliseconds. */
  readonly callMs: number;
  /** How long closing took. */
  readonly closeMs: number;
}

async function timed(call: () => Promise<unknown>): Promise<CallEnd> {
  const start = performance.now();
  const error = await call().then(() => undefined, (error) => error);
  const callMs = performance.now() - start;
  if (error === undefined) return { callMs, closeMs: 0 };
  if (!isMnemError(error)) throw error;
  const { code, outcome, message } = error;
  return { code, outcome, message, callMs, closeMs: 0 };
}

function say(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

async function main(url: string, client: string, what: string): Promise<void> {
  const opening = async () =>
    await remoteStore(url, client === "native" ? { client } : {});
  if (what === "open") {
    say(JSON.stringify(await timed(opening)));
    return end(client);
  }
  const store: Store = await opening();
  say("opened");
  await Deno.stdin.read(new Uint8Array(1));
  const ended = await timed(async () =>
    what === "read"
      ? await store.node("a")
      : await store.write([{ id: "a", content: what }], { message: what })
  );
  const start = performance.now();
  await store.close();
  say(JSON.stringify({ ...ended, closeMs: performance.now() - start }));
  end(client);
}

/** What the native client began never ends, and would keep the process. */
function end(client: string): void {
  if (client === "native") Deno.exit();
}

if (import.meta.main) {
  const [url = "", client = "", what = ""] = Deno.args;
  await main(url, client, what);
}
