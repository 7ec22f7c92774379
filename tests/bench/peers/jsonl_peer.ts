/**
 * The whole memory as one JSON Lines file, written anew and synced at every change: no history.
 *
 * @module
 */

import { open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { answered, firstValue, type Peer } from "./peer.ts";

/** In the caller's process. */
export const JSONL: Peer = {
  name: "JSON Lines file",
  nodesMax: 10_000,
  missing: () => Promise.resolve(undefined),
  async fill(folder, ids) {
    await save(folder, new Map(ids.map((id) => [id, firstValue(id)])));
  },
  async open(folder) {
    const memory = await load(folder);
    return {
      change: (id, value) =>
        answered(async () => {
          memory.set(id, value);
          await save(folder, memory);
          return "";
        }),
      read: (id) =>
        answered(async () => (await load(folder)).get(id) ?? "absent"),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  },
};

async function load(folder: string): Promise<Map<string, string>> {
  const text = await readFile(join(folder, "memory.jsonl"), "utf8");
  return new Map(
    text.split("\n").map((line): [string, string] => JSON.parse(line)),
  );
}

async function save(
  folder: string,
  memory: ReadonlyMap<string, string>,
): Promise<void> {
  const path = join(folder, "memory.jsonl");
  const file = await open(`${path}.new`, "w");
  const lines = [...memory].map((entry) => JSON.stringify(entry));
  await file.writeFile(lines.join("\n"));
  await file.datasync();
  await file.close();
  await rename(`${path}.new`, path);
}
