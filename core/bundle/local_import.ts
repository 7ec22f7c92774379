/**
 * Imports a bundle into a folder: the store is built beside its place, and moved there when it is
 * whole.
 *
 * @module
 */

import { open, readdir, rename, rm, rmdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { MnemError } from "../errors.ts";
import { firstLine } from "../storage/kv_errors.ts";
import { createFolder, inspectLocal } from "../storage/local_folder.ts";
import type { LocalLocation } from "../storage/location.ts";
import { headRow } from "../storage/meta_row.ts";
import { takeBundle } from "./arrival.ts";
import type { ImportRequest } from "./import_request.ts";
import { markRow, refRows } from "./import_rows.ts";
import { ScratchFolder } from "./scratch_folder.ts";
import { removeStale, scratchName } from "./scratch_place.ts";
import { buildStore } from "./store_build.ts";

/** Makes the store of a bundle in a folder. `store_exists` where there is one; then nothing was read. */
export async function importLocal(
  at: LocalLocation,
  { source, check, progress }: ImportRequest,
): Promise<void> {
  await checkFree(at);
  const folder = join(at.directory, scratchName());
  const building = { ...at, folder, file: join(folder, basename(at.file)) };
  const created = await createFolder(building);
  const scratch = new ScratchFolder([join(folder, "objects")]);
  try {
    try {
      const arrival = await takeBundle(source, scratch, progress);
      const place = { at: building, check };
      await buildStore(arrival, place, async ({ rows, reader }) => {
        const { head } = arrival;
        await rows.set(await refRows(reader, head.refs));
        await rows.set([headRow(head.head), markRow(head)]);
        await rows.flush();
      });
    } finally {
      scratch.remove();
    }
    check();
    await moveIn(at, folder);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    await created.undo();
    throw error;
  }
  await removeStale(at);
}

async function checkFree(at: LocalLocation): Promise<void> {
  if (inspectLocal(at) === "present") {
    throw new MnemError(
      "store_exists",
      `Cannot import into "${at.text}": there is a store already`,
    );
  }
  const there = await readdir(at.folder).catch(() => []);
  if (there.length > 0) {
    throw new MnemError(
      "store_io",
      `Cannot import into "${at.text}": "${at.folder}" holds files that are no store`,
    );
  }
}

async function moveIn(at: LocalLocation, folder: string): Promise<void> {
  // An empty folder would be replaced on some systems, and be in the way on others.
  await rmdir(at.folder).catch(() => {});
  try {
    await rename(folder, at.folder);
  } catch (error) {
    await checkFree(at);
    throw new MnemError(
      "store_io",
      `Cannot import into "${at.text}": ${firstLine(error)}`,
      { cause: error },
    );
  }
  await syncFolder(at.directory);
}

/** So that the new name outlasts a loss of power; not every system can. */
async function syncFolder(path: string): Promise<void> {
  try {
    const handle = await open(path, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // The store itself is written; at worst its name is lost with the power.
  }
}
