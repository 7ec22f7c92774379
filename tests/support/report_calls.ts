/**
 * Opens stores, reads and writes a row of each, and says how far it came: run by tests in a process
 * of its own: as another user, in another environment, without a permission. Its arguments are pairs
 * of a client (native, npm, or any for the usual choice) and a store.
 *
 * @module
 */

import { isMnemError } from "../../core/errors.ts";
import { parseLocation } from "../../core/storage/location.ts";
import {
  openDriver,
  type OpenDriverOptions,
} from "../../core/storage/open_driver.ts";

/** What came of one store. */
export interface CallReport {
  /** The client that opened it. */
  readonly client?: string;
  /** The calls that worked: open, read, write. */
  readonly reached: readonly string[];
  /** How the next one failed. */
  readonly code?: string;
  /** What it said. */
  readonly message?: string;
}

async function report(client: string, place: string): Promise<CallReport> {
  const reached: string[] = [];
  try {
    const options: OpenDriverOptions = client === "native" || client === "npm"
      ? { client }
      : {};
    const driver = await openDriver(parseLocation(place), options);
    reached.push("open");
    await driver.getMany([["a"]]);
    reached.push("read");
    await driver.commit({ sets: [{ key: ["a"], value: new Uint8Array(1) }] });
    reached.push("write");
    driver.close();
    return { client: driver.name, reached };
  } catch (error) {
    if (!isMnemError(error)) throw error;
    return { reached, code: error.code, message: error.message };
  }
}

if (import.meta.main) {
  const reports: CallReport[] = [];
  for (let at = 0; at < Deno.args.length; at += 2) {
    reports.push(await report(Deno.args[at] ?? "", Deno.args[at + 1] ?? ""));
  }
  await Deno.stdout.write(new TextEncoder().encode(JSON.stringify(reports)));
}
