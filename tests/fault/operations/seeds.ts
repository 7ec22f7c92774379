/**
 * What the operations that faults happen to begin with, and how their results are looked at.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  exportBundle,
  importBundle,
  isMnemError,
  type MnemErrorCode,
  type Store,
} from "@mnem/core";
import { openStoreOn } from "../../../core/store/open_store.ts";
import { streamOf } from "../../support/bundles.ts";
import { checkHistory } from "../../support/check_history.ts";
import { MemoryKv } from "../../support/memory_kv.ts";

/** What every call says of itself. */
export const said = { message: "the call", author: "tester", timeMs: 5 };
/** A value in pieces. */
export const LONG = "long ".repeat(14_000);
/** So long that a hundred nodes are more than one atomic write holds. */
export const wide = (i: number) =>
  `${String(i).padStart(3, "0")} ${"w".repeat(990)}`;
/** So many of them. */
export const WIDE = Array.from(
  { length: 100 },
  (_, i) => ({ id: wide(i), content: i }),
);

/** Main with three nodes, and `dev` on its first commit. */
export async function threeNodes(store: Store): Promise<void> {
  for (const id of ["a", "b", "c"]) {
    const timeMs = 1_000 + id.charCodeAt(0);
    await store.write([{ id, content: `${id} 0` }], {
      message: `seed ${id}`,
      timeMs,
    });
    if (id === "a") await store.createBranch("dev");
  }
}

/** Three nodes, one of them staged and one to be removed. */
export async function staged(store: Store): Promise<void> {
  await threeNodes(store);
  await store.stage.put("a", { content: 1 });
  await store.stage.remove("b");
}

/**
 * Main went on three times since `behind`; `side` changed another node and `clash` the same one;
 * `merged` has a merge.
 */
export async function sides(store: Store): Promise<void> {
  const write = async (on: Pick<Store, "write">, id: string, content: string) =>
    await on.write([{ id, content }], { message: `${id} ${content}` });
  await store.write([{ id: "x", content: 0 }, { id: "y", content: 0 }], {
    message: "base",
  });
  for (const name of ["behind", "side", "clash"]) {
    await store.createBranch(name);
  }
  await write(store.on("side"), "x", "side");
  await write(store.on("clash"), "y", "clash");
  await write(store, "y", "main");
  await write(store, "z", "main");
  await store.createBranch("merged");
  await store.on("merged").merge("side");
  await write(store, "y", "later");
}

/** Sides, and a history that has nothing in common with them. */
export async function unrelated(store: Store, location: string): Promise<void> {
  await sides(store);
  const copy = await importBundle(location, streamOf(await bundle()), {
    prefix: "other/",
  });
  await copy.close();
}

let made: Promise<string> | undefined;

/** A small store as a bundle: two branches, a removal, a value in pieces. */
export function bundle(): Promise<string> {
  return made ??= (async () => {
    await using store = await openStoreOn(new MemoryKv().open(), {
      create: true,
      clock: () => 1,
    });
    await store.write([{ id: "p", content: 1 }, { id: "q", content: LONG }], {
      message: "one",
    });
    await store.createBranch("dev");
    await store.write([{ id: "p", remove: true }], { message: "two" });
    return await new Response(exportBundle(store)).text();
  })();
}

/** The call is in the history of main once, and these nodes are as they must be; undefined: absent. */
export function once(nodes: { readonly [id: string]: unknown }) {
  return async (store: Store) => {
    const { messages, memory } = await checkHistory(store.on("main"));
    const times = messages.filter((one) => one === said.message).length;
    assert.equal(times, 1, "commits of the call");
    for (const [id, content] of Object.entries(nodes)) {
      assert.deepEqual(memory.get(id)?.content, content, id);
    }
  };
}

/** The nodes of a branch, by hand. */
export function holds(
  branch: string,
  nodes: { readonly [id: string]: unknown },
) {
  return async (store: Store) => {
    const memory = await store.on(branch).memory();
    const found = [...memory].map(([id, { content }]) => [id, content]);
    assert.deepEqual(Object.fromEntries(found), nodes);
  };
}

/** What a call that must fail says. */
export async function failing(
  code: MnemErrorCode,
  call: Promise<unknown>,
): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    if (!isMnemError(error, code)) throw error;
    return { code, data: error.data };
  }
  assert.fail(`it is not ${code}`);
}

/** Opens a store, asks it nothing, and closes it. */
export async function opened(opening: Promise<Store>): Promise<unknown> {
  const store = await opening;
  try {
    return { formatVersion: store.formatVersion };
  } finally {
    await store.close();
  }
}

/** A store with three nodes. */
export const open = { before: "open", seed: threeNodes } as const;
/** One with sides to be merged. */
export const merging = { before: "open", seed: sides } as const;
