import assert from "node:assert/strict";
import { forget, remember, rememberMany } from "@mnem/agents";
import { MnemError, openStore, type Store } from "@mnem/core";
import { ManualTimer } from "../tests/support/manual_timer.ts";
import { tempFolder } from "../tests/support/temp_folder.ts";
import { ResourceWatch } from "./resource_watch.ts";

interface Watched extends AsyncDisposable {
  /** The store that is watched. */
  readonly store: Store;
  readonly watch: ResourceWatch;
  /** Looks at the head so far. */
  looks(): number;
  /** Reads of memory so far. */
  reads(): number;
  /** How many looks wait for their time. */
  waiting(): number;
  /** Lets one look happen, and returns the URIs that it told. */
  tick(): Promise<string[]>;
  /** Makes the next look fail. */
  failOnce(): void;
  /** Makes memory unreadable, while the head still is. */
  damage(): void;
  readonly reported: unknown[];
}

async function watched(): Promise<Watched> {
  const folder = await tempFolder();
  const store = await openStore(folder.path, { create: true });
  const clock = new ManualTimer();
  const told: string[] = [];
  const reported: unknown[] = [];
  let looks = 0;
  let reads = 0;
  let fails = false;
  let isDamaged = false;
  let looked: Promise<unknown> = Promise.resolve();
  const watch = new ResourceWatch({
    store: {
      head() {
        looks += 1;
        if (fails) {
          fails = false;
          return Promise.reject(new MnemError("busy", "Cannot look"));
        }
        return store.head();
      },
      at: (revision) =>
        isDamaged
          ? Promise.reject(new MnemError("corrupt_store", "Cannot read"))
          : store.at(revision).then((memory) =>
            new Proxy(memory, {
              get(target, name) {
                reads += 1;
                const value = Reflect.get(target, name);
                return typeof value === "function" ? value.bind(target) : value;
              },
            })
          ),
    },
    notify: (uri) => told.push(uri),
    report: (error) => reported.push(error),
    // The next look is waited for as soon as this one is over.
    timer: (call) => {
      next();
      return clock.timer(call);
    },
  });
  let next = () => {};
  return {
    store,
    watch,
    reported,
    looks: () => looks,
    reads: () => reads,
    waiting: () => clock.waiting,
    failOnce: () => fails = true,
    damage: () => isDamaged = true,
    async tick() {
      looked = new Promise<void>((resolve) => next = resolve);
      clock.tick();
      await looked;
      return told.splice(0);
    },
    async [Symbol.asyncDispose]() {
      await store.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

Deno.test("ResourceWatch tells what changed, once, under the URI as it was given", async () => {
  await using it = await watched();
  const { store, watch } = it;
  await remember(store, "owner/α", 1);
  const commit = (await store.head()).commit;
  await watch.watch("me", [
    "mnem://memory",
    "mnem://log",
    "mnem://status",
    "mnem://memory/owner%2f%ce%b1",
    "mnem://memory/owner%2F%CE%B1",
    "mnem://memory/other",
    `mnem://commit/${commit}`,
    "mnem://elsewhere",
    "no uri",
  ]);
  assert.deepEqual(await it.tick(), []);

  // Two commits between two looks are one notification.
  await remember(store, "owner/α", 2);
  await remember(store, "owner/α", 3);
  assert.deepEqual(await it.tick(), [
    "mnem://memory",
    "mnem://log",
    "mnem://status",
    "mnem://memory/owner%2f%ce%b1",
    "mnem://memory/owner%2F%CE%B1",
  ]);
  assert.deepEqual(await it.tick(), []);

  // Another evidence is another node; a node that came and went is none.
  await remember(store, "owner/α", 3, { source: "ada" });
  await remember(store, "other", 1);
  await forget(store, "other");
  assert.deepEqual((await it.tick()).slice(3), [
    "mnem://memory/owner%2f%ce%b1",
    "mnem://memory/owner%2F%CE%B1",
  ]);
  await remember(store, "other", 1);
  assert.deepEqual((await it.tick()).slice(3), ["mnem://memory/other"]);
  await forget(store, "other");
  assert.deepEqual((await it.tick()).slice(3), ["mnem://memory/other"]);
});

Deno.test("ResourceWatch tells of the first commit, and of a switch", async () => {
  await using it = await watched();
  const { store, watch } = it;
  await watch.watch("me", [
    "mnem://memory",
    "mnem://memory/a",
    "mnem://status",
  ]);
  await remember(store, "a", 1);
  assert.deepEqual(await it.tick(), [
    "mnem://memory",
    "mnem://memory/a",
    "mnem://status",
  ]);
  // The same memory under another name.
  await store.createBranch("apart");
  await store.switchTo("apart");
  assert.deepEqual(await it.tick(), ["mnem://status"]);
});

Deno.test("ResourceWatch looks at the head while somebody watches, and never otherwise", async () => {
  await using it = await watched();
  const { watch } = it;
  assert.deepEqual([it.looks(), it.waiting()], [0, 0]);
  await watch.watch(1, ["mnem://memory"]);
  await watch.watch("1", ["mnem://log"]);
  assert.deepEqual([it.looks(), it.waiting()], [1, 1]);
  await it.tick();
  assert.deepEqual([it.looks(), it.waiting()], [2, 1]);
  watch.unwatch(1);
  await it.tick();
  assert.deepEqual([it.looks(), it.waiting()], [3, 1]);
  watch.unwatch("1");
  assert.deepEqual([it.looks(), it.waiting()], [3, 0]);

  // Nothing of this can be told, so nothing is looked for.
  await watch.watch(2, []);
  await watch.watch(2, [
    `mnem://commit/${"0".repeat(64)}`,
    "mnem://elsewhere",
    "test://memory",
    "no uri",
  ]);
  assert.deepEqual([it.looks(), it.waiting()], [3, 0]);
  await watch.watch(2, ["mnem://memory"]);
  watch.close();
  await watch.watch(3, ["mnem://memory"]);
  assert.deepEqual([it.looks(), it.waiting()], [4, 0]);
});

Deno.test("ResourceWatch adds URIs to a watcher, and forgets them one by one", async () => {
  await using it = await watched();
  const { watch, store } = it;
  await watch.watch(1, ["mnem://memory"]);
  await watch.watch(1, ["mnem://log", "mnem://memory/a"]);
  await watch.watch(2, ["mnem://log"]);
  await remember(store, "a", 1);
  assert.deepEqual(await it.tick(), [
    "mnem://memory",
    "mnem://log",
    "mnem://memory/a",
  ]);
  for (const uri of ["mnem://memory", "mnem://log", "mnem://never"]) {
    watch.unwatch(1, uri);
  }
  await remember(store, "a", 2);
  assert.deepEqual(await it.tick(), ["mnem://memory/a", "mnem://log"]);
  watch.unwatch(1, "mnem://memory/a");
  watch.unwatch(2, "mnem://log");
  assert.equal(it.waiting(), 0, "the last one ends it");
});

Deno.test("ResourceWatch reads memory twice a change, however many nodes are watched", async () => {
  await using it = await watched();
  const { watch, store } = it;
  const ids = Array.from({ length: 20_000 }, (_, index) => `n${index}`);
  const uris = ids.map((id) => `mnem://memory/${id}`);
  await watch.watch(1, uris);
  await rememberMany(store, ids.map((id) => ({ id, content: 1 })));
  assert.deepEqual(await it.tick(), uris);
  const before = it.reads();
  await remember(store, "n7", 2);
  assert.deepEqual(await it.tick(), ["mnem://memory/n7"]);
  // A promise that gives a memory is asked whether it is another promise.
  assert.ok(it.reads() - before <= 4, `${it.reads() - before}`);
});

Deno.test("ResourceWatch starts anew while an earlier look is under way", async () => {
  await using it = await watched();
  const { watch, store } = it;
  const first = watch.watch(1, ["mnem://memory"]);
  watch.unwatch(1);
  await watch.watch(1, ["mnem://memory"]);
  await first;
  assert.equal(it.waiting(), 1);
  await remember(store, "a", 1);
  assert.deepEqual(await it.tick(), ["mnem://memory"]);
  assert.equal(it.waiting(), 1);
});

Deno.test("ResourceWatch reports a store that fails once, and loses no change", async () => {
  await using it = await watched();
  const { watch, store, reported } = it;
  await watch.watch(1, ["mnem://memory", "mnem://memory/a", "mnem://memory/b"]);
  await remember(store, "a", 1);
  it.failOnce();
  assert.deepEqual(await it.tick(), []);
  it.failOnce();
  assert.deepEqual(await it.tick(), []);
  assert.equal(reported.length, 1, "the first of a row");
  assert.deepEqual(await it.tick(), ["mnem://memory", "mnem://memory/a"]);

  // What it was before the first look is not known: rather one word too many.
  watch.unwatch(1);
  it.failOnce();
  await watch.watch(1, ["mnem://memory/a", `mnem://commit/${"0".repeat(64)}`]);
  assert.deepEqual(await it.tick(), ["mnem://memory/a"]);
  assert.deepEqual(await it.tick(), []);
  assert.equal(reported.length, 2);

  // A look that outlives its watchers meets a store that may be closed by then.
  watch.unwatch(1);
  it.failOnce();
  const late = watch.watch(1, ["mnem://memory"]);
  watch.close();
  await late;
  assert.equal(reported.length, 2);
});

Deno.test("ResourceWatch tells of nodes that it cannot compare, and tells it once", async () => {
  await using it = await watched();
  const { watch, store, reported } = it;
  await remember(store, "a", 1);
  await watch.watch(1, ["mnem://memory", "mnem://memory/a", "mnem://status"]);
  await remember(store, "b", 1);
  it.damage();
  // Whoever reads it then is told what is wrong.
  assert.deepEqual(await it.tick(), [
    "mnem://memory",
    "mnem://memory/a",
    "mnem://status",
  ]);
  assert.equal(reported.length, 1);
  assert.deepEqual(await it.tick(), []);
});
