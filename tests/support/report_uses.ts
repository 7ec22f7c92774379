/**
 * Uses a damaged store and says how each call failed: run by tests in a process of its own, which the
 * engine of KV may end. Its arguments are a client, a folder and the calls.
 *
 * @module
 */

import { MnemError } from "../../core/errors.ts";
import { parseLocation } from "../../core/storage/location.ts";
import { openDriver } from "../../core/storage/open_driver.ts";

/** How a call failed. */
export interface UseReport {
  /** Undefined if it did not, or by no error of ours. */
  readonly code: string | undefined;
  readonly outcome: string | undefined;
  readonly message: string;
}

/** A call of a driver. */
export type UseName = "getMany" | "list" | "commit";

async function failureOf(call: () => Promise<unknown>): Promise<UseReport> {
  try {
    await call();
    return { code: undefined, outcome: undefined, message: "it worked" };
  } catch (error) {
    const { code, outcome } = error instanceof MnemError
      ? error
      : { code: undefined, outcome: undefined };
    return { code, outcome, message: String(Object(error).message) };
  }
}

if (import.meta.main) {
  const [client, folder = "", ...names] = Deno.args;
  const driver = await openDriver(parseLocation(folder), {
    client: client === "npm" ? "npm" : "native",
  });
  const calls: { readonly [name: string]: () => Promise<unknown> } = {
    getMany: () => driver.getMany([["a"]]),
    list: () => Array.fromAsync(driver.list({ prefix: ["n"] })),
    commit: () =>
      driver.commit({ sets: [{ key: ["a"], value: new Uint8Array(200) }] }),
  };
  const reports: UseReport[] = [];
  for (const name of names) {
    reports.push(await failureOf(calls[name] ?? Promise.reject));
  }
  driver.close();
  console.log(JSON.stringify(reports));
}
