/**
 * Makes the stores that `tests/data/stores` keeps for each released format, so that every later version
 * is held to read them. Run it once for a new format, into a folder that is not there yet; a folder that
 * is there was written by the version of its time, and stays as it is:
 * `deno run -A --unstable-kv scripts/make_format_store.ts tests/data/stores/format-1`.
 *
 * @module
 */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { remember, rememberMany } from "@mnem/agents";
import { importBundle, initStore, openStore } from "@mnem/core";
import { OPERATIONS, playTrace } from "../tests/support/trace_run.ts";

/** A history of the reference with branches and a merge, played commit by commit. */
export const PLAYED = "trace-102.json";
/** A bundle of the reference with unusual contents and ids; its branches get this prefix. */
export const IMPORTED = "odd-values.bundle.json";
/** See {@linkcode IMPORTED}. */
export const PREFIX = "odd/";
/** The branch that was made last, with what is too large for one row or one atomic write. */
export const LARGE = "large";

const TIME_MS = 1_700_000_000_000;

/** Makes both stores in a folder: `tree` and `flat`, named after the form of their states. */
export async function makeStores(folder: string): Promise<void> {
  await makeTree(`${folder}/tree`);
  await makeFlat(`${folder}/flat`);
}

/** Rows of every kind: a played history, an imported one, packs, pieces and a stage. */
async function makeTree(path: string): Promise<void> {
  await using store = await openStore(path, {
    create: true,
    clock: () => TIME_MS,
  });
  await playTrace(PLAYED, store, OPERATIONS);
  const bundle = new URL(`../tests/data/traces/${IMPORTED}`, import.meta.url);
  const stream = new Blob([await readFile(bundle, "utf8")]).stream();
  await using _ = await importBundle(path, stream, { prefix: PREFIX });
  await store.createBranch(LARGE);
  const large = store.on(LARGE);
  await large.write([{ id: "pieces", content: "piece ".repeat(11_000) }], {
    message: "a node of more than one row",
    author: "maker",
  });
  await large.write(numbered(1_100), {
    message: "a tree, in a pack",
    author: "maker",
  });
  await large.write(
    numbered(750).map(({ id }) => ({ id, remove: true })),
    { message: "removals in a pack", author: "maker" },
  );
  await store.stage.put("staged", { content: { kept: true } });
  const [first] = (await store.memory()).keys();
  assert.ok(first !== undefined);
  await store.stage.remove(first);
}

/** States that are flat at any size, with commits that the reference's ids are known of. */
async function makeFlat(path: string): Promise<void> {
  await using store = await initStore(path, { stateForm: "flat" });
  await rememberMany(store, numbered(1_500), { timeMs: 1_000 });
  await remember(store, "n0700", "changed", { timeMs: 2_000 });
}

function numbered(count: number): { id: string; content: number }[] {
  return Array.from(
    { length: count },
    (_, i) => ({ id: `n${String(i).padStart(4, "0")}`, content: i }),
  );
}

/** Chance is counted and time stands still, so that each run makes the same rows. */
function makeRepeatable(): void {
  let drawn = 0;
  Object.defineProperty(crypto, "getRandomValues", {
    value: (array: Uint8Array) => array.fill(++drawn),
  });
  Date.now = () => TIME_MS;
}

if (import.meta.main) {
  const [folder] = Deno.args;
  if (folder === undefined) throw new TypeError("The folder is missing");
  await Deno.mkdir(folder);
  makeRepeatable();
  await makeStores(folder);
}
