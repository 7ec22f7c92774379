/**
 * Bare SQLite in a process of its own, in WAL mode, with every commit synced.
 *
 * @module
 */

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ChildSession, startChild } from "./child_program.ts";
import { firstValue, type Peer } from "./peer.ts";

const PROGRAM = fileURLToPath(new URL("./sqlite_program.ts", import.meta.url));

/** It takes its own times. */
export const SQLITE: Peer = {
  name: "SQLite",
  nodesMax: Infinity,
  missing: () => Promise.resolve(undefined),
  async fill(folder, ids) {
    await using child = open(folder);
    await child.fill(ids.join("\n"), firstValue(""));
  },
  open: (folder) => Promise.resolve(open(folder)),
};

function open(folder: string): ChildSession {
  const file = join(folder, "memory.db");
  return startChild([Deno.execPath(), "run", "-A", PROGRAM, file]);
}
