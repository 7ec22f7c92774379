/**
 * Imports a bundle.
 *
 * @module
 */

import { isMnemError } from "../errors.ts";
import { BRANCH_NAME_BYTES_MAX } from "../limits.ts";
import { checkText } from "../object/check_text.ts";
import { parseLocation } from "../storage/location.ts";
import { checkFunction, checkOptions } from "../store/check_options.ts";
import { openStore } from "../store/open_store.ts";
import type { Store } from "../store/surface.ts";
import { withOutcome } from "../store/until_landed.ts";
import { BundleSource } from "./bundle_source.ts";
import { importInto } from "./import_into.ts";
import { importLocal } from "./local_import.ts";
import { importRemote } from "./remote_import.ts";

/** How to import. */
export interface ImportOptions {
  /**
   * Imports into the store that is there: each branch `b` of the bundle becomes `<prefix>b`, and the
   * bundle's HEAD is ignored.
   */
  readonly prefix?: string | undefined;
  /** Ends the import with its reason; nothing is left of it then. */
  readonly signal?: AbortSignal | undefined;
  /** Called now and then with the number of objects read so far. */
  readonly progress?: ((objects: number) => void) | undefined;
}

/**
 * Imports a bundle: into a new store; or, with `prefix`, into the one that is there, where the branch
 * `b` of the bundle becomes `<prefix>b` and its HEAD is ignored. Every id stays what it was, and every
 * object is checked against its id, and every link, before anything can be seen. The bundle is read as
 * a stream, in bounded memory; what a failed import began is removed.
 *
 * Throws `corrupt_store` for a bundle that is damaged or incomplete, saying where; `format_version` for
 * one of a later version; `store_exists` where there is a store and no `prefix`, `no_store` where
 * there is none with it; `conflict` for a branch that exists at another commit; `store_io` where the
 * disk is full; and whatever the stream throws. Their outcome is "unknown" where something of it is
 * there: the store is made and cannot be opened, or some branches are and others not.
 *
 * @example
 * ```ts
 * import { exportBundle, importBundle, openStore } from "@mnem/core";
 * import assert from "node:assert/strict";
 *
 * await using store = await openStore(await Deno.makeTempDir(), { create: true });
 * await store.write([{ id: "plan", content: "pro" }], { message: "read the note" });
 *
 * await using copy = await importBundle(await Deno.makeTempDir(), exportBundle(store));
 * assert.deepEqual(await copy.head(), await store.head());
 * assert.equal((await copy.blame("plan")).commit.message, "read the note");
 * ```
 */
export async function importBundle(
  location: string,
  bundle: ReadableStream<Uint8Array>,
  options: ImportOptions = {},
): Promise<Store> {
  const { prefix, signal, progress = () => {} } = checkOptions(options);
  checkFunction("progress", progress);
  if (prefix !== undefined) {
    checkText(prefix, { what: "prefix", bytesMax: BRANCH_NAME_BYTES_MAX });
  }
  const at = parseLocation(location);
  const source = new BundleSource(bundle, signal);
  const check = () => signal?.throwIfAborted();
  const request = { source, check, progress };
  let reason: unknown;
  try {
    check();
    if (prefix !== undefined) return await importInto(at, request, prefix);
    if (at.kind === "local") await importLocal(at, request);
    else await importRemote(at, request);
    return await openImported(at.text);
  } catch (error) {
    reason = error;
    throw error;
  } finally {
    await source.end(reason);
  }
}

/** It is there by now: an error of the outcome "none" would say that it is not. */
async function openImported(location: string): Promise<Store> {
  try {
    return await openStore(location);
  } catch (error) {
    throw isMnemError(error) ? withOutcome(error, true) : error;
  }
}
