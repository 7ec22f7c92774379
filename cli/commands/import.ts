/**
 * `mnem import`: makes a store of a bundle, or takes one into a store.
 *
 * @module
 */

import { resolve } from "node:path";
import { importBundle } from "@mnem/core";
import { readFileBytes } from "../byte_stream.ts";
import type { Call, Command } from "../command.ts";
import { findStore, newPlace, placeOf } from "../find_store.ts";
import { UsageError } from "../given.ts";
import { withProgress } from "../progress.ts";
import { shortId } from "../render/commit.ts";
import { shown, visible } from "../render/visible.ts";
import { statusOf } from "../store_status.ts";

/** See the module. */
export const IMPORT: Command = {
  name: "import",
  summary: "make a store of a bundle, or take its branches into this one",
  more:
    "Every id stays what it was, and every object is checked against its id before anything can be seen; a failed import leaves nothing. With --prefix the store is there already, and the branch b of the bundle becomes <prefix>b.",
  arguments: [
    { name: "file", what: "the bundle, or - for standard input" },
    {
      name: "path",
      what: "the folder of the store (else this one)",
      optional: true,
    },
  ],
  options: [
    { flags: "--prefix <text>", what: "into the store that is there" },
  ],
  examples: [
    "mnem import backup.json ./restored",
    "mnem import theirs.json --prefix theirs/",
    "curl -s https://example.com/bundle.json | mnem import - ./copy",
  ],
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
