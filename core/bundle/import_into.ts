/**
 * Imports a bundle into a store that is there: its history is built beside the store, copied when it
 * is whole, and then given branches.
 *
 * @module
 */

import { isMnemError, MnemError } from "../errors.ts";
import { checkBranchName } from "../object/branch_name.ts";
import type { StoreLocation } from "../storage/location.ts";
import { openStore } from "../store/open_store.ts";
import { OpenedStore } from "../store/opened_store.ts";
import type { SharedStore } from "../store/shared_store.ts";
import type { Store } from "../store/surface.ts";
import { withOutcome } from "../store/until_landed.ts";
import { type Arrival, takeBundle } from "./arrival.ts";
import { CommitCame, copyRows } from "./copied_rows.ts";
import { refuseTaken, setBranches } from "./imported_branches.ts";
import type { ImportRequest } from "./import_request.ts";
import { databaseIn, scratchBeside } from "./scratch_place.ts";
import { buildStore } from "./store_build.ts";

/** Builds that are begun again because somebody else stored a commit of the bundle meanwhile. */
const BUILDS_MAX = 5;

/** Imports into a store and opens it. `no_store` where there is none; then nothing was read. */
export async function importInto(
  at: StoreLocation,
  request: ImportRequest,
  prefix: string,
): Promise<Store> {
  const store = await openStore(at.text);
  try {
    await OpenedStore.sessionOf(store).run((shared) =>
      bringIn(shared, at, request, prefix)
    );
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function bringIn(
  store: SharedStore,
  at: StoreLocation,
  { source, check, progress }: ImportRequest,
  prefix: string,
): Promise<void> {
  const scratch = scratchBeside(at);
  try {
    const arrival = await takeBundle(source, scratch, progress);
    const refs = new Map(
      [...arrival.head.refs].map(([name, id]) => [
        checkBranchName(prefix + name),
        id,
      ]),
    );
    await refuseTaken(store, refs);
    await buildOn(store, at, { arrival, check });
    await setBranches(store, refs, check);
  } finally {
    scratch.remove();
  }
}

/** Builds the history on what the store has of it, and copies it there. */
async function buildOn(
  store: SharedStore,
  at: StoreLocation,
  { arrival, check }: {
    readonly arrival: Arrival;
    readonly check: () => void;
  },
): Promise<void> {
  for (let builds = 1;; builds++) {
    const room = scratchBeside(at);
    try {
      const base = store.driver;
      const place = { at: databaseIn(room, at.text), base, check };
      await buildStore(
        arrival,
        place,
        ({ driver }) => copyRows(driver, base, check),
      );
      return;
    } catch (error) {
      // What no branch names is as good as not written.
      if (isMnemError(error)) throw withOutcome(error, false);
      if (!(error instanceof CommitCame)) throw error;
      if (builds === BUILDS_MAX) throw outrun(error);
    } finally {
      room.remove();
    }
  }
}

function outrun(cause: CommitCame): MnemError {
  return new MnemError(
    "busy",
    "Cannot import: others stored commits of the bundle at the same time; try again",
    { cause },
  );
}
