/**
 * What `mnem import` does with a bundle: makes a store of it, or takes it into one.
 *
 * @module
 */

import { resolve } from "node:path";
import { importBundle } from "@mnem/core";
import { readFileBytes } from "../byte_stream.ts";
import type { Call } from "../command.ts";
import { findStore, newPlace, placeOf } from "../find_store.ts";
import { UsageError } from "../given.ts";
import { withProgress } from "../progress.ts";
import { shortId } from "../render/commit.ts";
import { shown, visible } from "../render/visible.ts";
import { statusOf } from "../store_status.ts";
import { type ImportSource, PREFIX_OPTION } from "./import_source.ts";

/** Imports a bundle. */
export const BUNDLE: ImportSource = {
  name: "bundle",
  what: "what mnem export wrote",
  options: [PREFIX_OPTION],
  run: read,
};

async function read(call: Call): Promise<void> {
  const { given, report, io } = call;
  const file = given.required(0);
  const prefix = given.text("prefix");
  const place = await placeToFill(call, prefix !== undefined);
  const bundle = file === "-"
    ? io.stdin.stream()
    : await readFileBytes(resolve(io.directory(), file), file);
  let objects = 0;
  const imported = await withProgress(
    call,
    () => `importing, ${objects} objects read`,
    () =>
      importBundle(place, bundle, {
        prefix,
        signal: io.interruption(),
        progress: (count) => objects = count,
      }),
  );
  const store = call.keep(imported);
  const status = await statusOf(store);
  const branches = [...await store.branches()].filter(([name]) =>
    name.startsWith(prefix ?? "")
  );
  await report.value(
    () => ({ ...status, branches: Object.fromEntries(branches) }),
    () => [
      `imported into ${visible(store.location)}`,
      ...branches.map(([name, id]) =>
        `  ${shown(name)} ${report.style.commit(shortId(id))}`
      ),
    ],
  );
}

async function placeToFill(
  { given, io }: Call,
  isThere: boolean,
): Promise<string> {
  const path = given.argument(1);
  if (!isThere) return await newPlace(given, io, path);
  if (path === undefined) return (await findStore(given, io)).place;
  if (given.has("store")) {
    throw new UsageError("the folder is given twice: as a path and by --store");
  }
  return placeOf(path, io);
}
