/**
 * A store with rows of every kind that the format has, those that only an import brings among them,
 * and all that it can be asked.
 *
 * @module
 */

import { importBundle, isMnemError, type Store } from "@mnem/core";
import { parseLocation } from "../../core/storage/location.ts";
import { openDriver } from "../../core/storage/open_driver.ts";
import { openStoreOn } from "../../core/store/open_store.ts";
import {
  bundleTextOf,
  commitOf,
  idOf,
  nodeOf,
  stateOf,
} from "./bundle_parts.ts";
import { exported, streamOf } from "./bundles.ts";
import { MemoryKv } from "./memory_kv.ts";
import { tempFolder } from "./temp_folder.ts";

/** The head of the key of each kind of row (FORMAT.md, 3). */
export const ROW_KINDS = [
  "D",
  "HEAD",
  "N",
  "S",
  "c",
  "d",
  "meta",
  "n",
  "p",
  "r",
  "s",
  "u",
  "x",
] as const;

/** No write accepts an id of so many bytes. */
const LONG_ID = "x".repeat(1_100);
/** So many ids of a thousand bytes need a pack. */
const WIDE = Array.from({ length: 84 }, (_, i) => `${"w".repeat(995)}${i}`);
/** Nodes that are asked for; each was written, and some were removed. */
const ASKED = ["a", "é", "gone", "long", LONG_ID, WIDE[5]!, WIDE[6]!];

/** Makes the store: a bundle that another program wrote, and then commits of our own. */
export async function everyRow(): Promise<MemoryKv> {
  const kv = await importedRows();
  await using store = await openStoreOn(kv.open());
  let timeMs = 1_000;
  const said = () => ({ message: `m ${++timeMs}`, timeMs, author: "me" });
  await store.write([
    { id: "a", content: 1 },
    { id: "é", content: { deep: ["x"] } },
    { id: "gone", content: 1 },
  ], said());
  await store.write([{ id: "long", content: "long ".repeat(13_000) }], said());
  await store.createBranch("side");
  const side = store.on("side");
  await side.write(WIDE.map((id, i) => ({ id, content: i })), said());
  await side.write([
    { id: WIDE[5]!, content: "five" },
    { id: WIDE[6]!, remove: true },
  ], said());
  for (let i = 0; i < 3; i++) {
    const provenance = { source: `s${i}` };
    await store.write([{ id: `k${i}`, content: { i }, provenance }], said());
  }
  await store.write(
    [{ id: "gone", remove: true }, { id: "a", content: 2 }],
    said(),
  );
  await store.merge("side", said());
  await store.stage.put("staged", { content: 1 });
  await store.stage.remove("k2");
  return kv;
}

/** Rows of a store that was imported: a node of a long id, its removal, an object that nothing names. */
async function importedRows(): Promise<MemoryKv> {
  const [long, kept] = [nodeOf(LONG_ID, 1), nodeOf("kept", 1)];
  const before = stateOf({ [LONG_ID]: idOf(long), kept: idOf(kept) });
  const after = stateOf({ kept: idOf(kept) });
  const root = commitOf({ state: idOf(before) });
  const tip = commitOf({ state: idOf(after), parents: [idOf(root)], time: 2 });
  const text = bundleTextOf({
    objects: [long, kept, before, after, root, tip, nodeOf("loose", "alone")],
    head: { refs: { main: idOf(tip) } },
  });
  await using folder = await tempFolder();
  await (await importBundle(folder.path, streamOf(text))).close();
  const driver = await openDriver(parseLocation(folder.path));
  const kv = new MemoryKv();
  for await (const { key, value } of driver.list({ prefix: [] })) {
    kv.put(key, value);
  }
  driver.close();
  return kv;
}

/** What a question was answered: a text, or the code of an error. */
export type Answer = { readonly text: string } | { readonly code: string };

/** Asks a database everything: a store is opened anew for it. By question. */
export async function askAll(kv: MemoryKv): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>();
  const ask = async (question: string, asked: () => Promise<unknown>) => {
    try {
      answers.set(question, { text: JSON.stringify(await asked()) });
    } catch (error) {
      if (!isMnemError(error)) throw error;
      answers.set(question, { code: error.code });
    }
  };
  let opened: Store | undefined;
  await ask("open", async () => opened = await openStoreOn(kv.open()));
  if (opened === undefined) return answers;
  answers.set("open", { text: "" });
  await using store = opened;
  await ask("head", () => store.head());
  await ask("branches", async () => [...await store.branches()]);
  await ask("stage", async () => {
    const { nodes, removals } = await store.stage.list();
    return [[...nodes], removals];
  });
  await ask("stage diff", () => Array.fromAsync(store.stage.diff()));
  await ask("diff", () => Array.fromAsync(store.diff("main", "side")));
  await ask("dry merge", async () => {
    const { changes } = await store.on("side").merge("main", { dryRun: true });
    return [...changes];
  });
  for (const branch of ["main", "side"]) {
    const view = store.on(branch);
    await ask(`memory of ${branch}`, async () => [...await view.memory()]);
    await ask(`log of ${branch}`, () => Array.fromAsync(view.log()));
    for (const [i, id] of ASKED.entries()) {
      await ask(`node ${i} of ${branch}`, () => view.node(id));
      await ask(`blame ${i} of ${branch}`, () => view.blame(id));
      await ask(
        `versions ${i} of ${branch}`,
        () => Array.fromAsync(view.versions(id)),
      );
    }
  }
  for (const back of [0, 1, 2, 5]) {
    const at = `main~${back}`;
    await ask(`changes of ${at}`, () => store.changes(at));
    await ask(`nodes of ${at}`, async () => {
      const snapshot = await store.at(at);
      return await Array.fromAsync(snapshot.nodes());
    });
  }
  await ask("bundle", () => exported(store));
  return answers;
}
