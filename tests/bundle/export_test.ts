/**
 * Exports of a part of a store, in the flat form, and of stores that are damaged or in use.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  exportBundle,
  importBundle,
  isMnemError,
  type Store,
} from "@mnem/core";
import { commitKey, nodeKey } from "../../core/storage/keys.ts";
import { openStoreOn } from "../../core/store/open_store.ts";
import { fromHex } from "../../core/object/hex.ts";
import { exported, streamOf } from "../support/bundles.ts";
import { MemoryKv } from "../support/memory_kv.ts";
import { tempFolder } from "../support/temp_folder.ts";
import { type TempStore, tempStore } from "../support/temp_store.ts";

/** What a bundle says, read by JSON.parse: numbers do not matter here. */
interface Bundle {
  readonly default_branch: string;
  readonly head: string;
  readonly refs: { readonly [name: string]: string };
  readonly objects: {
    readonly [id: string]: {
      readonly kind: string;
      readonly id?: string;
      readonly parents?: readonly string[];
      readonly message?: string;
      readonly state?: string;
      readonly nodes?: { readonly [id: string]: string };
    };
  };
}

async function bundleOf(...args: Parameters<typeof exported>): Promise<Bundle> {
  return JSON.parse(await exported(...args));
}

function messagesOf({ objects }: Bundle): string[] {
  return Object.values(objects).flatMap(({ message }) => message ?? []).sort();
}

/** Two branches from one commit, a merge of both on `main`, and one more on `side`. */
async function sample(): Promise<TempStore> {
  const temp = await tempStore({ author: "a" });
  const { store } = temp;
  const write = (message: string, on = "main") =>
    store.on(on).write([{ id: message, content: message }], {
      message,
      timeMs: message.length,
    });
  await write("one");
  await store.createBranch("side");
  await write("two");
  await write("three", "side");
  await store.merge("side", { timeMs: 6, message: "merge" });
  await write("later", "side");
  return temp;
}

Deno.test("exportBundle() of a branch holds it and what led to it", async () => {
  await using temp = await sample();
  const { store } = temp;
  const side = await bundleOf(store, { branch: "side" });
  assert.deepEqual(messagesOf(side), ["later", "one", "three"]);
  assert.equal(side.head, "ref: side");
  assert.equal(side.default_branch, "side");
  assert.deepEqual(Object.keys(side.refs), ["side"]);
  const nodes = Object.values(side.objects).flatMap(({ id }) => id ?? []);
  assert.deepEqual(nodes.sort(), ["later", "one", "three"]);
  const main = await bundleOf(store, { branch: "main" });
  assert.deepEqual(messagesOf(main), ["merge", "one", "three", "two"]);

  await using place = await tempFolder();
  await using copy = await importBundle(
    place.path,
    exportBundle(store, { branch: "side" }),
  );
  assert.deepEqual(await copy.memory(), await store.on("side").memory());
  assert.equal(
    await exported(copy),
    await exported(store, { branch: "side" }),
  );
});

Deno.test("exportBundle() at a revision holds a detached HEAD and no branches", async () => {
  await using temp = await sample();
  const { store } = temp;
  const id = await store.resolve("main~1");
  for (const at of ["main~1", id, id.slice(0, 12)]) {
    const bundle = await bundleOf(store, { at });
    assert.equal(bundle.head, id);
    assert.deepEqual(bundle.refs, {});
    assert.deepEqual(messagesOf(bundle), ["one", "two"]);
  }
  await using place = await tempFolder();
  await using copy = await importBundle(
    place.path,
    exportBundle(store, { at: "HEAD" }),
  );
  assert.deepEqual(await copy.head(), {
    branch: null,
    commit: await store.resolve("HEAD"),
  });
  assert.equal((await copy.branches()).size, 0);
  assert.deepEqual(await copy.memory(), await store.memory());
});

Deno.test("exportBundle() of everything holds commits of deleted branches, and no staged node", async () => {
  await using temp = await sample();
  const { store } = temp;
  await store.createBranch("gone");
  await store.on("gone").write([{ id: "x", content: 1 }], { message: "gone" });
  await store.deleteBranch("gone");
  await store.stage.put("staged", { content: "secret" });
  const bundle = await bundleOf(store);
  assert.ok(messagesOf(bundle).includes("gone"));
  assert.deepEqual(Object.keys(bundle.refs), ["main", "side"]);
  assert.ok(!JSON.stringify(bundle).includes("secret"));
});

Deno.test("exportBundle() of a handle on a branch says the store's own HEAD", async () => {
  const kv = new MemoryKv();
  const store = await openStoreOn(kv.open(), { create: true });
  await store.write([{ id: "a", content: 1 }], { message: "m" });
  await store.createBranch("other");
  const bound = await openStoreOn(kv.open(), { branch: "other" });
  assert.equal((await bundleOf(bound)).head, "ref: main");
  assert.equal((await bundleOf(bound, { branch: "other" })).head, "ref: other");
  await bound.close();
  await store.close();
});

Deno.test("exportBundle() of an unborn branch, or store, has no objects", async () => {
  await using temp = await tempStore();
  const all = await bundleOf(temp.store);
  assert.deepEqual(all, {
    format_version: 1,
    hash_algo: "blake3",
    default_branch: "main",
    head: "ref: main",
    refs: {},
    objects: {},
  });
  assert.deepEqual(await bundleOf(temp.store, { branch: "main" }), all);
});

Deno.test("exportBundle() refuses what it cannot be asked", async () => {
  await using temp = await sample();
  const { store } = temp;
  const bad: [object, RegExp][] = [
    [{ branch: "main", at: "HEAD" }, /cannot be used together/],
    [{ flat: 1 }, /"flat" must be true or false/],
    [{ renamed: 1 }, /"renamed" must be a function/],
  ];
  for (const [options, says] of bad) {
    assert.throws(
      () => exportBundle(store, options),
      (error) => error instanceof TypeError && says.test(error.message),
    );
  }
  assert.throws(
    () => exportBundle(store, { branch: "no good" }),
    (error) => isMnemError(error, "invalid_ref"),
  );
  assert.throws(
    () => exportBundle({ location: temp.path } as Store),
    /must be one that openStore of this package gave/,
  );
  for (const options of [{ branch: "ghost" }, { at: "ghost" }]) {
    await assert.rejects(
      exported(store, options),
      (error) => isMnemError(error, "invalid_ref"),
    );
  }
  await using unborn = await tempStore();
  await assert.rejects(
    exported(unborn.store, { at: "HEAD" }),
    (error) => isMnemError(error, "invalid_ref"),
  );
});

Deno.test("exportBundle() ends with the reason of its signal, and when it is cancelled", async () => {
  await using temp = await sample();
  const reason = new Error("enough");
  const abort = new AbortController();
  abort.abort(reason);
  await assert.rejects(
    exported(temp.store, { signal: abort.signal }),
    (error) => error === reason,
  );
  const reader = exportBundle(temp.store).getReader();
  await reader.read();
  await reader.cancel();
  await temp.store.write([{ id: "a", content: 1 }], { message: "goes on" });
});

Deno.test("exportBundle() fills buffers of any size that its reader brings", async () => {
  await using temp = await sample();
  const text = await exported(temp.store);
  for (const size of [1, 7, 100_000]) {
    const reader = exportBundle(temp.store).getReader({ mode: "byob" });
    const decoder = new TextDecoder();
    let read = "";
    let buffer = new ArrayBuffer(size);
    for (;;) {
      const { done, value } = await reader.read(new Uint8Array(buffer));
      if (done) break;
      read += decoder.decode(value, { stream: true });
      buffer = value.buffer;
    }
    assert.equal(read, text);
  }
});

Deno.test("exportBundle() of a closed store ends with a TypeError", async () => {
  const temp = await sample();
  const late = exportBundle(temp.store);
  await temp.store.close();
  await assert.rejects(new Response(late).text(), TypeError);
  await assert.rejects(exported(temp.store), TypeError);
  await Deno.remove(temp.path, { recursive: true });
});

Deno.test("exportBundle() ends with corrupt_store where a node or commit is damaged or missing", async () => {
  const damages: [string, (kv: MemoryKv, ids: Ids) => void][] = [
    ["a node is missing", (kv, { node }) => kv.remove(node)],
    ["a node has another byte", (kv, { node }) => flip(kv, node, "word")],
    [
      // Not the head's: the row of the branch has a copy of it.
      "a commit has another byte",
      (kv, { parent }) => flip(kv, parent, "first"),
    ],
    ["a parent is missing", (kv, { parent }) => kv.remove(parent)],
  ];
  for (const [what, damage] of damages) {
    const kv = new MemoryKv();
    const writer = await openStoreOn(kv.open(), { create: true });
    const first = await writer.write([{ id: "a", content: 1 }], {
      message: "first",
    });
    await writer.write([{ id: "b", content: "word" }], {
      message: "second",
    });
    const { objects } = await bundleOf(writer);
    const [node = ""] = Object.keys(objects).filter((id) =>
      objects[id]?.id === "b"
    );
    await writer.close();
    damage(kv, {
      node: nodeKey("b", fromHex(node)),
      parent: commitKey(first.commit ?? ""),
    });
    const store = await openStoreOn(kv.open());
    for (const options of [{}, { branch: "main" }, { flat: true }]) {
      await assert.rejects(
        exported(store, options),
        (error) => isMnemError(error, "corrupt_store"),
        what,
      );
    }
    await store.close();
  }
});

type RowKey = ReturnType<typeof commitKey>;
interface Ids {
  readonly node: RowKey;
  readonly parent: RowKey;
}

/** Changes a letter of a text that the row holds. */
function flip(kv: MemoryKv, key: RowKey, text: string): void {
  const { value } = kv.row(key)!;
  const at = new TextDecoder("latin1").decode(value).indexOf(text);
  assert.ok(at >= 0);
  value[at]! ^= 1;
  kv.put(key, value);
}

Deno.test("exportBundle() beside a writer holds every commit with its parents", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const write = (i: number) =>
    store.write([{ id: `n${i % 50}`, content: i }], { message: `${i}` });
  await write(0);
  let sizes: number[] = [];
  for (let round = 0; round < 6; round++) {
    const [text] = await Promise.all([
      exported(store),
      // One after the other, while the export reads.
      (async () => {
        for (let i = 1; i < 40; i++) await write(round * 100 + i);
      })(),
    ]);
    await using place = await tempFolder();
    await using copy = await importBundle(place.path, streamOf(text));
    assert.equal(await exported(copy), text);
    sizes = [...sizes, messagesOf(JSON.parse(text)).length];
  }
  assert.deepEqual(sizes, sizes.toSorted((a, b) => a - b));
  assert.ok((sizes.at(-1) ?? 0) > 5 * 39, `${sizes}`);
});

Deno.test("exportBundle() flat gives every state its flat form, and tells each new name", async () => {
  const kv = new MemoryKv();
  const store = await openStoreOn(kv.open(), { create: true });
  const edits = Array.from(
    { length: 1_500 },
    (_, i) => ({ id: `${i % 2 === 0 ? "n" : "long-name-"}${i}`, content: i }),
  );
  await store.write(edits.slice(0, 1_000), { message: "small", timeMs: 1 });
  await store.write(edits.slice(1_000), { message: "large", timeMs: 2 });
  await store.createBranch("side");
  await store.write([{ id: "n0", content: "x" }], { message: "x", timeMs: 3 });
  await store.on("side").write([{ id: "n2", remove: true }], {
    message: "removed",
    timeMs: 4,
  });
  await store.merge("side", { message: "merge", timeMs: 5, author: "a" });
  await store.switchTo("side");
  const small = await store.resolve("main~3");
  assert.equal((await store.readCommit(small)).message, "small");

  const names = new Map<string, string>();
  const text = await exported(store, {
    flat: true,
    renamed: (from, to) => names.set(from, to),
  });
  const all = (await Array.fromAsync((await store.at("main")).log()))
    .map(({ id }) => id);
  assert.deepEqual(
    [...names.keys()].sort(),
    all.filter((id) => id !== small).sort(),
  );
  const bundle = JSON.parse(text) as Bundle;
  assert.ok(
    Object.values(bundle.objects).every(({ kind }) => kind !== "state_index"),
  );
  await using place = await tempFolder();
  await using copy = await importBundle(place.path, streamOf(text));
  assert.equal(await exported(copy), text);
  assert.equal((await copy.head()).branch, "side");
  for (const id of all) {
    const to = names.get(id) ?? id;
    const [one, other] = [
      await store.readCommit(id),
      await copy.readCommit(to),
    ];
    assert.deepEqual(
      { ...other, state: "", id: "" },
      {
        ...one,
        state: "",
        id: "",
        parents: one.parents.map((parent) => names.get(parent) ?? parent),
      },
    );
    const memory = await (await store.at(id)).memory();
    assert.deepEqual(await (await copy.at(to)).memory(), memory);
    // A flat state has all nodes in one object.
    const nodes = bundle.objects[other.state]?.nodes ?? {};
    assert.equal(Object.keys(nodes).length, memory.size);
  }
  // Of a store that is flat already nothing is renamed.
  let renamed = 0;
  const again = await exported(copy, { flat: true, renamed: () => renamed++ });
  assert.equal(again, text);
  assert.equal(renamed, 0);
  await store.close();
});
