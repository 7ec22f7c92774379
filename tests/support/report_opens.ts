/**
 * Opens stores and says how far it came: run by tests in a process of its own, as another user. Its
 * arguments are pairs of a way to open (open, create, init) and a folder.
 *
 * @module
 */

import { isMnemError } from "../../core/errors.ts";
import { initStore, openStore } from "../../core/store/open_store.ts";

/** What came of one store. */
export interface OpenReport {
  /** The calls that worked: open, read, write. */
  readonly reached: readonly string[];
  /** How the next one failed. */
  readonly code?: string;
  /** What it said. */
  readonly message?: string;
}

async function report(way: string, folder: string): Promise<OpenReport> {
  const reached: string[] = [];
  try {
    await using store = way === "init"
      ? await initStore(folder)
      : await openStore(folder, { create: way === "create" });
    reached.push("open");
    await store.memory();
    reached.push("read");
    await store.write([{ id: "b", content: 1 }], { message: "m" });
    reached.push("write");
    return { reached };
  } catch (error) {
    const code = isMnemError(error) ? error.code : "none";
    return { reached, code, message: String(error) };
  }
}

if (import.meta.main) {
  const reports: OpenReport[] = [];
  for (let i = 0; i < Deno.args.length; i += 2) {
    reports.push(await report(Deno.args[i] ?? "", Deno.args[i + 1] ?? ""));
  }
  console.log(JSON.stringify(reports));
}
