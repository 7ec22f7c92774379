/**
 * Imports: into a new folder, into a store that is there, with what callers see of them, and stopped on
 * the way.
 *
 * @module
 */

import assert from "node:assert/strict";
import { utimes } from "node:fs/promises";
import { whenDid, why } from "@mnem/agents";
import { importBundle, initStore, isMnemError, openStore } from "@mnem/core";
import { setBranches } from "../../core/bundle/imported_branches.ts";
import { frameRow } from "../../core/storage/row.ts";
import { fromHex } from "../../core/object/hex.ts";
import { nodeKey } from "../../core/storage/keys.ts";
import { parseLocation } from "../../core/storage/location.ts";
import { openDriver } from "../../core/storage/open_driver.ts";
import { OpenedStore } from "../../core/store/opened_store.ts";
import {
  bundleOfContents,
  bundleTextOf,
  commitOf,
  idOf,
  nodeOf,
  stateOf,
} from "../support/bundle_parts.ts";
import { exported, streamOf } from "../support/bundles.ts";
import { faultStore } from "../support/fault_store.ts";
import { checkSameHistory, looseIn } from "../support/same_history.ts";
import { tempFolder } from "../support/temp_folder.ts";
import { tempStore } from "../support/temp_store.ts";

/** A store with two branches and a merge, and its bundle. */
async function sample(): Promise<{ text: string; head: string }> {
  await using temp = await tempStore();
  const { store } = temp;
  const write = (content: number, on = store.on("main")) =>
    on.write([{ id: "plan", content }, { id: `n${content}`, content }], {
      message: `plan ${content}`,
      timeMs: content,
      author: "a",
    });
  await write(1);
  await store.createBranch("side");
  await write(2);
  await write(3, store.on("side"));
  await store.merge("side", { strategy: "theirs", timeMs: 4, author: "a" });
  const { commit } = await store.head();
  return { text: await exported(store), head: commit ?? "" };
}

function names(path: string): string[] {
  return [...Deno.readDirSync(path)].map(({ name }) => name).sort();
}

async function withDriver<T>(
  path: string,
  use: (driver: Awaited<ReturnType<typeof openDriver>>) => Promise<T>,
): Promise<T> {
  const driver = await openDriver(parseLocation(path));
  try {
    return await use(driver);
  } finally {
    driver.close();
  }
}

Deno.test("importBundle() makes a store that goes on as if it had been written there", async () => {
  const { text, head } = await sample();
  await using place = await tempFolder();
  await using store = await importBundle(`${place.path}/a/b`, streamOf(text));
  assert.deepEqual(names(`${place.path}/a/b`), [".mnem"]);
  assert.equal(store.location, `${place.path}/a/b`);
  assert.deepEqual(await store.head(), { branch: "main", commit: head });
  const { commit } = await why(store, "plan");
  assert.equal(commit.message, "plan 3");
  const { commit: found, writtenIn } = await whenDid(store, "plan", {
    equals: 3,
  });
  assert.deepEqual([found.id, writtenIn.message], [head, "plan 3"]);
  const written = await store.write([{ id: "plan", content: 5 }], {
    message: "on top",
  });
  assert.deepEqual([...written.changes], [["plan", "modified"]]);
  const line = await Array.fromAsync(store.versions("plan"));
  assert.deepEqual(line.map(({ node }) => node?.content), [5, 3, 1]);
  assert.equal((await store.merge("side")).status, "up-to-date");
  assert.equal((await store.revert("HEAD")).status, "merged");
  const mode = Deno.statSync(`${place.path}/a/b/.mnem`).mode ?? 0;
  if (Deno.build.os !== "windows") assert.equal(mode & 0o777, 0o700);
});

Deno.test("importBundle() keeps the default branch, and an empty store", async () => {
  const empty = bundleTextOf({
    objects: [],
    head: { default_branch: "trunk", head: "ref: trunk" },
  });
  await using place = await tempFolder();
  await using store = await importBundle(place.path, streamOf(empty));
  assert.deepEqual(await store.head(), { branch: "trunk", commit: null });
  assert.equal(await exported(store), empty);
  await store.write([{ id: "a", content: 1 }], { message: "first" });
  assert.deepEqual([...(await store.branches()).keys()], ["trunk"]);
});

Deno.test("importBundle() refuses a used folder before it reads anything", async () => {
  await using temp = await tempStore();
  let pulled = 0;
  let cancelled: unknown;
  const bundle = () =>
    new ReadableStream<Uint8Array>({
      pull() {
        pulled++;
      },
      cancel(reason) {
        cancelled = reason;
      },
    }, { highWaterMark: 0 });
  await assert.rejects(
    importBundle(temp.path, bundle()),
    (error) => isMnemError(error, "store_exists") && error === cancelled,
  );
  await using other = await tempFolder();
  await assert.rejects(
    importBundle(other.path, bundle(), { prefix: "p/" }),
    (error) => isMnemError(error, "no_store"),
  );
  Deno.mkdirSync(`${other.path}/.mnem`);
  Deno.writeTextFileSync(`${other.path}/.mnem/notes.txt`, "mine");
  await assert.rejects(
    importBundle(other.path, bundle()),
    (error) =>
      isMnemError(error, "store_io") && /files that are no store/.test(
        error.message,
      ),
  );
  assert.deepEqual(names(`${other.path}/.mnem`), ["notes.txt"]);
  assert.equal(pulled, 0);
});

Deno.test("importBundle() takes the place of an empty .mnem folder", async () => {
  const { text, head } = await sample();
  await using place = await tempFolder();
  Deno.mkdirSync(`${place.path}/.mnem`);
  await using store = await importBundle(place.path, streamOf(text));
  assert.equal((await store.head()).commit, head);
});

Deno.test("importBundle() of one folder twice at once makes one store", async () => {
  const { text, head } = await sample();
  await using place = await tempFolder();
  const settled = await Promise.allSettled(
    Array.from(
      { length: 3 },
      () => importBundle(place.path, streamOf(text, { pieceBytes: 100 })),
    ),
  );
  const stores = settled.flatMap((one) =>
    one.status === "fulfilled" ? [one.value] : []
  );
  for (const one of settled) {
    assert.ok(
      one.status === "fulfilled" || isMnemError(one.reason, "store_exists"),
    );
  }
  assert.equal(stores.length, 1);
  assert.equal((await stores[0]!.head()).commit, head);
  await stores[0]!.close();
  assert.deepEqual(names(place.path), [".mnem"]);
});

Deno.test("importBundle() tells its progress, and ends when it is told to", async () => {
  const text = bundleOfContents(Array.from({ length: 2_500 }, (_, i) => i));
  const told: number[] = [];
  await using place = await tempFolder();
  await (await importBundle(`${place.path}/a`, streamOf(text), {
    progress: (objects) => told.push(objects),
  })).close();
  assert.deepEqual(told, [1_000, 2_000, 2_502]);

  const reason = new Error("enough");
  for (const at of [0, 1_000, 2_502]) {
    const abort = new AbortController();
    if (at === 0) abort.abort(reason);
    await assert.rejects(
      importBundle(`${place.path}/b`, streamOf(text, { pieceBytes: 999 }), {
        signal: abort.signal,
        progress: (objects) => objects === at && abort.abort(reason),
      }),
      (error) => error === reason,
    );
    assert.deepEqual(names(place.path), ["a"]);
  }
});

Deno.test("importBundle() ends while it waits for a stream, and cancels it", async () => {
  const abort = new AbortController();
  const reason = new Error("too slow");
  let cancelled: unknown;
  const bundle = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"format_version": 1,'));
    },
    pull() {
      abort.abort(reason);
      return new Promise(() => {});
    },
    cancel(why) {
      cancelled = why;
    },
  }, { highWaterMark: 0 });
  await using place = await tempFolder();
  await assert.rejects(
    importBundle(place.path, bundle, { signal: abort.signal }),
    (error) => error === reason,
  );
  assert.equal(cancelled, reason);
  assert.deepEqual(names(place.path), []);
});

Deno.test("importBundle() throws what its stream throws", async () => {
  const { text } = await sample();
  const broken = new Error("the line is dead");
  const bundle = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text.slice(0, 500)));
    },
    pull() {
      throw broken;
    },
  }, { highWaterMark: 0 });
  await using place = await tempFolder();
  await assert.rejects(
    importBundle(place.path, bundle),
    (error) => error === broken,
  );
  assert.deepEqual(names(place.path), []);
});

Deno.test("importBundle() removes what a killed import left an hour ago, and nothing younger", async () => {
  const { text } = await sample();
  await using place = await tempFolder();
  const [old, young] = [".mnem.tmp-00000001", ".mnem.tmp-00000002"];
  for (const name of [old, young, ".mnem.template"]) {
    Deno.mkdirSync(`${place.path}/${name}/objects`, { recursive: true });
  }
  const longAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
  for (const path of [`${old}/objects`, old, ".mnem.template"]) {
    await utimes(`${place.path}/${path}`, longAgo, longAgo);
  }
  await (await importBundle(place.path, streamOf(text))).close();
  assert.deepEqual(names(place.path), [".mnem", ".mnem.template", young]);
});

Deno.test("importBundle() with a prefix adds branches to a store, and touches nothing else", async () => {
  const { text, head } = await sample();
  await using temp = await tempStore();
  const { store } = temp;
  await store.write([{ id: "mine", content: 1 }], { message: "mine" });
  const before = [await store.head(), await store.memory()];
  await using same = await importBundle(temp.path, streamOf(text), {
    prefix: "from/a-",
  });
  assert.deepEqual([await store.head(), await store.memory()], before);
  assert.deepEqual([...(await same.branches()).keys()], [
    "from/a-main",
    "from/a-side",
    "main",
  ]);
  assert.equal((await store.branches()).get("from/a-main"), head);
  const there = store.on("from/a-main");
  assert.equal((await there.blame("plan")).commit.message, "plan 3");
  const merged = await store.merge("from/a-main", { allowUnrelated: true });
  assert.equal(merged.status, "merged");
  assert.equal((await store.node("plan"))?.content, 3);
  assert.deepEqual(names(temp.path), [".mnem"]);
});

Deno.test("a store that was copied, went on, and comes back is a fast-forward", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const first = await store.write([{ id: "a", content: 1 }], {
    message: "first",
  });
  const original = await exported(store);
  await using place = await tempFolder();
  await using copy = await importBundle(place.path, streamOf(original));
  await copy.write([{ id: "b", content: 2 }], { message: "in the copy" });
  await importBundle(temp.path, streamOf(await exported(copy)), {
    prefix: "copy/",
  }).then((store) => store.close());
  const { status } = await store.merge("copy/main");
  assert.equal(status, "fast-forwarded");
  assert.equal((await store.blame("a")).commit.id, first.commit);
});

Deno.test("importBundle() with a prefix leaves commits that are there as they lie", async () => {
  // Large enough that the import would lay them out otherwise: their chunks are in packs.
  await using temp = await tempStore();
  const { store } = temp;
  const edits = Array.from(
    { length: 1_500 },
    (_, i) => ({ id: `n${i}`, content: i }),
  );
  await store.write(edits, { message: "bulk", timeMs: 1 });
  await store.write(edits.map(({ id }) => ({ id, content: "x" })), {
    message: "bulk again",
    timeMs: 2,
  });
  const text = await exported(store);
  await using place = await tempFolder();
  await using copy = await importBundle(place.path, streamOf(text));
  await copy.write([{ id: "n7", content: "y" }], {
    message: "more",
    timeMs: 3,
  });
  const more = await exported(copy);

  const rowsOf = () =>
    withDriver(
      temp.path,
      (driver) => Array.fromAsync(driver.list({ prefix: [] })),
    );
  const before = new Map(
    (await rowsOf()).map((row) => [JSON.stringify(row.key), row.versionstamp]),
  );
  await (await importBundle(temp.path, streamOf(more), { prefix: "in/" }))
    .close();
  const after = await rowsOf();
  let kept = 0;
  for (const { key, versionstamp } of after) {
    const known = before.get(JSON.stringify(key));
    if (known !== undefined && key[0] !== "p" && key[0] !== "d") {
      assert.equal(versionstamp, known, JSON.stringify(key));
      kept++;
    }
  }
  assert.ok(kept > 3_000);
  // One commit, one node, one branch: nothing else is new.
  const added = after.filter(({ key }) => !before.has(JSON.stringify(key)));
  assert.deepEqual(added.map(({ key }) => key[0]).sort(), ["c", "n", "r"]);
  const there = store.on("in/main");
  assert.equal((await there.node("n7"))?.content, "y");
  assert.equal((await there.node("n8"))?.content, "x");
  assert.equal((await there.memory()).size, 1_500);
});

Deno.test("importBundle() with a prefix twice, or twice at once, is once", async () => {
  const { text } = await sample();
  await using temp = await tempStore();
  const bring = async (prefix: string) =>
    await (await importBundle(temp.path, streamOf(text), { prefix })).close();
  await bring("a/");
  await bring("a/");
  await Promise.all(["b/", "c/", "d/"].map(bring));
  assert.deepEqual(
    [...(await temp.store.branches()).keys()],
    ["a", "b", "c", "d"].flatMap((one) => [`${one}/main`, `${one}/side`]),
  );
  await using place = await tempFolder();
  await (await importBundle(place.path, streamOf(text))).close();
  await withDriver(
    temp.path,
    (one) => withDriver(place.path, (other) => checkSameHistory(one, other)),
  );
});

Deno.test("importBundle() with a prefix refuses a branch that is elsewhere, and a name that is none", async () => {
  const { text } = await sample();
  await using temp = await tempStore();
  const { store } = temp;
  await store.write([{ id: "mine", content: 1 }], { message: "mine" });
  await store.createBranch("x/side");
  const before = await exported(store);
  await assert.rejects(
    importBundle(temp.path, streamOf(text), { prefix: "x/" }),
    (error) =>
      isMnemError(error, "conflict") && /branch "x\/side"/.test(error.message),
  );
  await assert.rejects(
    importBundle(temp.path, streamOf(text), { prefix: "no good" }),
    (error) => isMnemError(error, "invalid_ref"),
  );
  assert.equal(await exported(store), before);
});

Deno.test("setBranches() says which branches it made before one that it could not make", async () => {
  const { store, other, driver } = await faultStore();
  const { commit } = await other.head();
  const second = await other.write([{ id: "a", content: 5 }], { message: "m" });
  await other.createBranch("taken", { at: second.commit ?? "" });
  const refs = new Map(
    ["one", "two", "taken", "three"].map((name) => [name, commit ?? ""]),
  );
  await assert.rejects(
    setBranches(OpenedStore.sessionOf(store).shared, refs, () => {}),
    (error) => {
      assert.ok(isMnemError(error, "conflict"));
      assert.deepEqual(error.data, { branches: ["one", "two"] });
      assert.match(error.message, /"one", "two"/);
      return true;
    },
  );
  assert.deepEqual([...(await other.branches()).keys()], [
    "main",
    "one",
    "taken",
    "two",
  ]);
  await store.close();
  await other.close();
  driver.close();
});

Deno.test("importBundle() refuses a node of which the store has another one with the same 16 bytes", async () => {
  const { text } = await sample();
  await using place = await tempFolder();
  await (await openStore(place.path, { create: true })).close();
  const { objects } = JSON.parse(text);
  const [object] = Object.keys(objects).filter((id) => objects[id].id === "n2");
  const planted = frameRow(
    nodeKey("n2", fromHex(object!)),
    new Uint8Array(10),
    false,
  );
  await withDriver(
    place.path,
    (driver) => driver.commit({ sets: [planted] }),
  );
  await assert.rejects(
    importBundle(place.path, streamOf(text), { prefix: "in/" }),
    (error) =>
      isMnemError(error, "corrupt_store") &&
      /begins with the same 16 bytes/.test(error.message),
  );
  await using store = await openStore(place.path);
  assert.equal((await store.branches()).size, 0);
});

Deno.test("importBundle() keeps objects that no commit names, and commits that no branch does", async () => {
  const named = nodeOf("a", 1);
  const [loose, other] = [nodeOf("a", 2), nodeOf("", null)];
  const state = stateOf({ a: idOf(named) });
  const looseState = stateOf({ "": idOf(other), a: idOf(loose) });
  const index = {
    kind: "state_index",
    level: 1,
    count: 2,
    nodes: { "": idOf(looseState) },
  };
  const [tip, gone] = [
    commitOf({ state: idOf(state) }),
    commitOf({ state: idOf(state), message: "gone" }),
  ];
  const text = bundleTextOf({
    objects: [named, loose, other, state, looseState, index, tip, gone],
    head: { refs: { main: idOf(tip) } },
  });
  await using place = await tempFolder();
  const store = await importBundle(place.path, streamOf(text));
  assert.equal(await exported(store), text);
  assert.equal((await store.readCommit(idOf(gone))).message, "gone");
  // What becomes named later is written once.
  await store.write([{ id: "a", content: 2 }], { message: "m", timeMs: 5 });
  const more = await exported(store);
  assert.equal(more.split(idOf(loose)).length, 4);
  await store.close();
  assert.equal(await withDriver(place.path, looseIn), 4);
});

Deno.test("importBundle() takes ids and times that a write refuses", async () => {
  const ids = ["", "\0", "X".repeat(2_100), "a\0b", "é".repeat(2_000)];
  // More than are read by their keys: a list finds those whose ids can be a part of one.
  ids.splice(4, 0, ..."bcdefghijklm");
  const nodes = ids.map((id) => ({
    ...nodeOf(id, id.length),
    event_time: -(2n ** 63n),
  }));
  const state = stateOf(
    Object.fromEntries(nodes.map((node, i) => [ids[i], idOf(node)])),
  );
  const first = commitOf({ state: idOf(state), time: -(2n ** 63n) });
  const second = commitOf({
    state: idOf(stateOf({ "": idOf(nodes[0]!) })),
    parents: [idOf(first)],
    time: 2n ** 63n - 1n,
  });
  const text = bundleTextOf({
    objects: [...nodes, state, stateOf({ "": idOf(nodes[0]!) }), first, second],
    head: { refs: { main: idOf(second) } },
  });
  await using place = await tempFolder();
  await using store = await importBundle(place.path, streamOf(text));
  assert.equal(await exported(store), text);
  const before = await store.at("HEAD~1");
  // First from one that can be no part of a key to another: the rest is then at hand.
  for (const at of [2, 3, 1, 0]) {
    const after = at === 0 ? undefined : ids[at - 1];
    const rest = await Array.fromAsync(before.nodes({ after }));
    assert.deepEqual(rest.map(({ id }) => id), ids.slice(at));
  }
  for (const id of ids) {
    assert.equal((await before.node(id))?.content, id.length);
    assert.equal((await before.blame(id)).commit.id, idOf(first));
    const values = (await Array.fromAsync(store.versions(id)))
      .map(({ node }) => node?.content ?? null);
    assert.deepEqual(values, id === "" ? [0] : [null, id.length]);
  }
  await store.write([{ id: "new", content: 1 }], { message: "m" });
  assert.equal((await store.memory()).size, 2);
});

Deno.test("importBundle() takes objects in any order", async () => {
  const { text, head } = await sample();
  const bundle = JSON.parse(text);
  const shuffled = Object.entries(bundle.objects).reverse();
  bundle.objects = Object.fromEntries(
    shuffled.map((entry, i) => shuffled[(i * 5) % shuffled.length] ?? entry),
  );
  assert.equal(Object.keys(bundle.objects).length, shuffled.length);
  await using place = await tempFolder();
  await using store = await importBundle(
    place.path,
    streamOf(JSON.stringify(bundle)),
  );
  assert.equal((await store.head()).commit, head);
  assert.equal(await exported(store), text);
});

Deno.test("a state of any size keeps its flat id, and history goes on above it", async () => {
  await using flats = await tempFolder();
  const edits = Array.from(
    { length: 2_500 },
    (_, i) => ({ id: `n${i}`, content: i }),
  );
  await using source = await initStore(flats.path, { stateForm: "flat" });
  await source.write(edits, { message: "all", timeMs: 1 });
  await source.write([{ id: "n7", content: "x" }], { message: "x", timeMs: 2 });
  const text = await exported(source);
  const { state } = await source.readCommit("HEAD");
  await using place = await tempFolder();
  await using store = await importBundle(place.path, streamOf(text));
  assert.equal((await store.readCommit("HEAD")).state, state);
  assert.equal(await exported(store), text);
  // The new store's own states are trees.
  const next = await store.write([{ id: "n8", content: "y" }], {
    message: "y",
    timeMs: 3,
  });
  await source.write([{ id: "n8", content: "y" }], { message: "y", timeMs: 3 });
  assert.notEqual(next.commit, (await source.head()).commit);
  assert.deepEqual(await store.memory(), await source.memory());
  assert.equal((await why(store, "n7")).commit.message, "x");
  const diff = await Array.fromAsync(store.diff("HEAD~2"));
  assert.deepEqual(diff.map(({ id }) => id), ["n7", "n8"]);
  // And that goes through a bundle as well.
  const both = await exported(store);
  await using again = await tempFolder();
  await using copy = await importBundle(again.path, streamOf(both));
  assert.equal(await exported(copy), both);
});
