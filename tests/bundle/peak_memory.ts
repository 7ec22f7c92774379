/**
 * Fills, exports or imports a store, and says how much memory that took at most: run by a deep test in
 * a process of its own. Its arguments are what to do, a folder and the file of a bundle.
 *
 * @module
 */

import { exportBundle, importBundle, openStore, type Store } from "@mnem/core";
import { passingPieces } from "../../cli/byte_stream.ts";

/** A process's memory at its peak, in bytes. */
export interface PeakMemory {
  /** Before it did anything. */
  readonly before: number;
  /** When it was done. */
  readonly after: number;
}

const COMMITS = 100;
const NODES_A_COMMIT = 1_000;
const TEXT = "observed twice, and never doubted. ".repeat(50);

function peakBytes(): number {
  const status = Deno.readTextFileSync("/proc/self/status");
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

async function fill(store: Store): Promise<void> {
  for (let commit = 0; commit < COMMITS; commit++) {
    const edits = Array.from({ length: NODES_A_COMMIT }, (_, i) => ({
      id: `customer-${100_000 + commit * NODES_A_COMMIT + i}`,
      content: { plan: "pro", seats: i, note: TEXT },
    }));
    await store.write(edits, { message: `commit ${commit}` });
  }
}

async function run(what: string, folder: string, file: string): Promise<void> {
  if (what === "import") {
    const { readable } = await Deno.open(file);
    await using _ = await importBundle(folder, readable);
    return;
  }
  await using store = await openStore(folder, { create: what === "fill" });
  if (what === "fill") return await fill(store);
  using output = await Deno.open(file, { write: true, create: true });
  for await (const piece of passingPieces(exportBundle(store))) {
    for (let at = 0; at < piece.length;) {
      at += await output.write(piece.subarray(at));
    }
  }
}

if (import.meta.main) {
  const [what = "", folder = "", file = ""] = Deno.args;
  const before = peakBytes();
  await run(what, folder, file);
  console.log(
    JSON.stringify({ before, after: peakBytes() } satisfies PeakMemory),
  );
}
