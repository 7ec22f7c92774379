/**
 * Holds the write lock of a SQLite file in a process of its own, as another program might.
 *
 * @module
 */

import { DatabaseSync } from "node:sqlite";

/** A held lock; `await using` gives it back. */
export type HeldLock = AsyncDisposable;

/** Takes the write lock of a database in another process, and returns once it is held. */
export async function holdLock(file: string): Promise<HeldLock> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", new URL(import.meta.url).pathname, file],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const reader = child.stdout.getReader();
  await reader.read();
  return {
    async [Symbol.asyncDispose]() {
      await child.stdin.close();
      await reader.cancel();
      await child.status;
    },
  };
}

if (import.meta.main) {
  const database = new DatabaseSync(Deno.args[0] ?? "");
  database.exec("BEGIN IMMEDIATE");
  await Deno.stdout.write(new TextEncoder().encode("held"));
  for await (const _ of Deno.stdin.readable);
  database.exec("ROLLBACK");
  database.close();
}
