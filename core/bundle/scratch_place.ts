/**
 * Where temporary files of a store lie: beside it, for there is room where a store is.
 *
 * @module
 */

import { readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomId } from "../chance.ts";
import { systemClock } from "../clock.ts";
import { toHex } from "../object/hex.ts";
import type { LocalLocation, StoreLocation } from "../storage/location.ts";
import { ScratchFolder } from "./scratch_folder.ts";

/** How the folders are named; what follows is random. */
const PREFIX = ".mnem.tmp-";

/** A folder that nothing was written to for so long was left behind by a process that was killed. */
const STALE_MS = 60 * 60 * 1000;

/** A name that no other process takes. */
export function scratchName(): string {
  return PREFIX + toHex(randomId().subarray(0, 4));
}

/** A scratch folder beside a store; in the system's folder where it is remote or cannot be written beside. */
export function scratchBeside(at: StoreLocation): ScratchFolder {
  const name = scratchName();
  // Only when it is needed: to ask for it takes a permission that few programs have.
  const elsewhere = () => join(tmpdir(), name);
  return at.kind === "remote"
    ? new ScratchFolder([elsewhere])
    : new ScratchFolder([join(at.directory, name), elsewhere]);
}

/** The database of a scratch folder, which is made; `text` is the store that its user named. */
export function databaseIn(
  scratch: ScratchFolder,
  text: string,
): LocalLocation {
  const folder = scratch.path();
  const file = join(folder, "kv.db");
  return { kind: "local", directory: folder, folder, file, text };
}

/** Removes scratch folders beside a store that were left behind. Never fails. */
export async function removeStale(at: LocalLocation): Promise<void> {
  const names = await readdir(at.directory).catch(() => []);
  for (const name of names.filter((name) => name.startsWith(PREFIX))) {
    const path = join(at.directory, name);
    const age = await ageMs(path).catch(() => 0);
    if (age > STALE_MS) {
      await rm(path, { recursive: true, force: true }).catch(() => {});
    }
  }
}

/** For how long nothing in a folder was written. */
async function ageMs(path: string): Promise<number> {
  const names = await readdir(path, { recursive: true });
  const paths = [path, ...names.map((name) => join(path, name))];
  const times = await Promise.all(
    paths.map(async (one) => (await stat(one)).mtimeMs),
  );
  return systemClock() - Math.max(...times);
}
