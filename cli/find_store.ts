/**
 * Which store a command means.
 *
 * @module
 */

import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { locateStore, MnemError } from "@mnem/core";
import { type Given, UsageError } from "./given.ts";
import type { Io } from "./io.ts";

/** Where a store was named or found. */
export interface StorePlace {
  /** An absolute path, or a URL. */
  readonly place: string;
  /** Whether the user named it: then it is looked for nowhere else. */
  readonly isNamed: boolean;
}

/**
 * Finds the store of a call: `--store`, else `MNEM_STORE`, else the nearest folder with a `.mnem`, from
 * the working directory upward.
 *
 * @throws {TypeError} If what is named can be no store.
 * @throws {MnemError} `no_store` if none is named and none is found.
 */
export async function findStore(given: Given, io: Io): Promise<StorePlace> {
  const named = namedStore(given, io);
  if (named !== undefined) return { place: named, isNamed: true };
  const start = io.directory();
  const place = await storeAbove(start);
  if (place !== undefined) return { place, isNamed: false };
  throw new MnemError(
    "no_store",
    `There is no store in ${JSON.stringify(start)} or in a folder above it`,
  );
}

/** Returns the place that `--store` or `MNEM_STORE` names, undefined if neither does. */
export function namedStore(given: Given, io: Io): string | undefined {
  const named = given.text("store") ?? (io.variable("MNEM_STORE") || undefined);
  return named === undefined ? undefined : placeOf(named, io);
}

/** Returns the absolute place that a text means to this working directory. */
export function placeOf(text: string, io: Io): string {
  const isUrl = /^:|^[a-z][a-z0-9+.-]+:/i.test(text);
  return locateStore(
    isUrl || text === "" ? text : resolve(io.directory(), text),
  );
}

/**
 * Returns where a new store is to be: at a path, where `--store` or `MNEM_STORE` says, or here. A store
 * inside another would hide it from whoever works there, so that only `--store` and `MNEM_STORE` may
 * name such a place.
 *
 * @throws {UsageError} If both a path and `--store` are given.
 * @throws {MnemError} `store_exists` in a folder below one that holds a store.
 */
export async function newPlace(
  given: Given,
  io: Io,
  path: string | undefined,
): Promise<string> {
  if (path !== undefined && given.has("store")) {
    throw new UsageError("the folder is given twice: as a path and by --store");
  }
  const named = path === undefined ? namedStore(given, io) : undefined;
  if (named !== undefined) return named;
  const place = placeOf(path ?? ".", io);
  if (/^https?:/.test(place)) return place;
  const outer = await storeAbove(dirname(place));
  if (outer === undefined) return place;
  throw new MnemError(
    "store_exists",
    `Cannot make a store in ${
      JSON.stringify(place)
    }: there is one above it, in ${
      JSON.stringify(outer)
    }; --store names a folder in which to make one all the same`,
  );
}

/** Returns the nearest folder that holds a `.mnem`, from one upward. */
async function storeAbove(start: string): Promise<string | undefined> {
  for (let folder = start;; folder = dirname(folder)) {
    if (await isFolder(join(folder, ".mnem"))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then((found) => found.isDirectory(), () => false);
}
