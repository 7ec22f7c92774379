/**
 * Imports a bundle into a database on a server: the store is built on this machine, and copied when it
 * is whole.
 *
 * @module
 */

import { isMnemError, MnemError } from "../errors.ts";
import type { Driver, Key } from "../storage/driver.ts";
import { HEAD_KEY, META_KEY } from "../storage/keys.ts";
import type { RemoteLocation } from "../storage/location.ts";
import { headRow } from "../storage/meta_row.ts";
import { chooseClient, openDriver } from "../storage/open_driver.ts";
import { type NewRow, sameBytes } from "../storage/row.ts";
import { acquireHandle } from "../storage/shared_handle.ts";
import { readMeta, refuseForeign } from "../store/open_store.ts";
import { untilLanded, withOutcome } from "../store/until_landed.ts";
import { writeAhead } from "../store/write_ahead.ts";
import { type Arrival, takeBundle } from "./arrival.ts";
import { copyRows, deleteKeys, deleteRows } from "./copied_rows.ts";
import type { ImportRequest } from "./import_request.ts";
import { markRow, refRows } from "./import_rows.ts";
import { databaseIn, scratchBeside } from "./scratch_place.ts";
import { buildStore, type BuiltStore } from "./store_build.ts";

/** Makes the store of a bundle on a server. `store_exists` where there is one; then nothing was read. */
export async function importRemote(
  at: RemoteLocation,
  { source, check, progress }: ImportRequest,
): Promise<void> {
  const client = chooseClient(at);
  const lease = await acquireHandle(at, { client, open: () => openDriver(at) });
  const scratch = scratchBeside(at);
  try {
    await checkFree(lease.driver, at.text);
    const arrival = await takeBundle(source, scratch, progress);
    const place = { at: databaseIn(scratch, at.text), check };
    await buildStore(
      arrival,
      place,
      (built) => move(arrival, built, lease.driver, { at, check }),
    );
  } finally {
    scratch.remove();
    lease.release();
  }
}

/** Copies a store; HEAD first, by which others see that the place is taken, and the mark last. */
async function move(
  { head }: Arrival,
  { driver, reader }: BuiltStore,
  to: Driver,
  { at, check }: { readonly at: RemoteLocation; readonly check: () => void },
): Promise<void> {
  const refs = await refRows(reader, head.refs);
  await claim(to, headRow(head.head), at.text);
  try {
    await copyRows(driver, to, check);
    await writeAhead(to, refs.flatMap(({ pieces }) => pieces));
    await writeAhead(to, refs);
    check();
    await writeAhead(to, [markRow(head)]);
  } catch (error) {
    const left = await undo(driver, to, refs.map(({ key }) => key))
      .then(() => false, () => true);
    throw isMnemError(error) ? withOutcome(error, left) : error;
  }
}

/** Takes an empty database: an import, or a store that is made there at the same time, finds HEAD. */
async function claim(to: Driver, head: NewRow, text: string): Promise<void> {
  let isDoubtful = false;
  await untilLanded("import", async () => {
    const [row, mark] = await to.getMany([HEAD_KEY, META_KEY]);
    if (row) {
      // Ours, if an attempt was not answered: a store that is made there has its mark at once.
      if (isDoubtful && !mark && sameBytes(row.value, head.value)) return true;
      throw existing(text);
    }
    // An attempt without an answer may still put HEAD there: that is no foreign row.
    if (!isDoubtful) await checkFree(to, text);
    const wasDoubtful = isDoubtful;
    isDoubtful = true;
    const keys = [META_KEY, HEAD_KEY];
    const checks = keys.map((key) => ({ key, versionstamp: null }));
    const sent = await to.commit({ checks, sets: [head] });
    // It was answered: whoever was faster is somebody else.
    isDoubtful = wasDoubtful;
    return sent.ok ? true : undefined;
  });
}

/** Empties the database again: the mark first, so that nobody opens what is left, and HEAD last. */
async function undo(
  from: Driver,
  to: Driver,
  refs: readonly Key[],
): Promise<void> {
  await deleteKeys(to, [META_KEY]);
  await deleteKeys(to, refs);
  await deleteRows(from, to);
  await deleteKeys(to, [HEAD_KEY]);
}

async function checkFree(to: Driver, text: string): Promise<void> {
  if (await readMeta(to) !== null) throw existing(text);
  await refuseForeign(to, text);
}

function existing(text: string): MnemError {
  return new MnemError(
    "store_exists",
    `Cannot import into "${text}": there is a store already`,
  );
}
