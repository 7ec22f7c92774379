/**
 * A store with rows of every kind, small enough to be looked at again and again.
 *
 * @module
 */

import type { Store } from "@mnem/core";
import { openStoreOn } from "../../core/store/open_store.ts";
import { MemoryKv } from "./memory_kv.ts";

/** A database, and commits in it by what they did. */
export interface RichStore {
  /** The database. */
  readonly kv: MemoryKv;
  /** Full ids of commits. */
  readonly commits: {
    /** The root: nodes a, b and é. */
    readonly root: string;
    /** Of a value that lies in pieces. */
    readonly long: string;
    /** Added the nodes of `wide`, in a pack. */
    readonly bulk: string;
    /** On the other side: modified one of `wide`, removed another and b, added twin. */
    readonly side: string;
    /** Modified a. */
    readonly edit: string;
    /** Removed a, and added twin too, after side did. */
    readonly removal: string;
    /** Of main and side, ours first. */
    readonly merge: string;
    /** Of side and what main was before: the lines cross. */
    readonly crossed: string;
    /** Takes back the removal. */
    readonly revert: string;
  };
  /** The ids that the bulk commit added. */
  readonly wide: readonly string[];
}

/** What the store is like. */
export interface RichOptions {
  /** Ids of 1,000 bytes, of which a hundred need a pack; else short ones, of which that takes 750. */
  readonly long?: boolean;
  /** How many of them. */
  readonly wide?: number;
  /** The form of its states. */
  readonly stateForm?: "tree" | "flat";
}

/** Makes the store. */
export async function richStore(options: RichOptions = {}): Promise<RichStore> {
  const { long = true, stateForm = "tree", wide: count = 100 } = options;
  const kv = new MemoryKv();
  await using store = await openStoreOn(kv.open(), { create: true, stateForm });
  const pad = long ? "w".repeat(995) : "w";
  const wide = Array.from({ length: count }, (_, i) => `${pad}${i}`);
  let timeMs = 1_000;
  const said = () => ({ message: `m ${++timeMs}`, timeMs, author: "me" });
  const write = async (
    branch: Pick<Store, "write">,
    edits: Parameters<Store["write"]>[0],
  ): Promise<string> => (await branch.write(edits, said())).commit ?? "";
  const root = await write(store, [
    { id: "a", content: 1 },
    { id: "b", content: [true] },
    { id: "é", content: { deep: ["x"] } },
  ]);
  const split = await write(store, [
    { id: "long", content: "long ".repeat(20_000) },
  ]);
  await store.createBranch("side");
  const side = store.on("side");
  const bulk = await write(side, wide.map((id, i) => ({ id, content: i })));
  const sideEdit = await write(side, [
    { id: wide[5]!, content: "five" },
    { id: wide[6]!, remove: true },
    { id: "b", remove: true },
    { id: "twin", content: 2 },
  ]);
  const edit = await write(store, [{ id: "a", content: 2 }]);
  const removal = await write(store, [
    { id: "a", remove: true },
    { id: "twin", content: 2 },
  ]);
  const merge = (await store.merge("side", said())).commit ?? "";
  const crossed = (await side.merge(removal, said())).commit ?? "";
  const revert = (await store.revert(removal, said())).commit ?? "";
  const last = [{ id: "k", content: 1, provenance: { source: "s" } }];
  await store.write(last, { ...said(), key: "last" });
  // A request that changed nothing, and a merge: they name other commits.
  await store.write(last, { ...said(), key: "again" });
  await store.merge("main", { ...said(), key: "merge" });
  await store.stage.put("staged", { content: 1 });
  await store.stage.remove("k");
  const commits = {
    root,
    long: split,
    bulk,
    side: sideEdit,
    edit,
    removal,
    merge,
    crossed,
    revert,
  };
  return { kv, commits, wide };
}
