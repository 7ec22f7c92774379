/**
 * `importStore`: another store of LangGraph, read back through `MnemosyneStore`.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Store } from "@mnem/core";
import { importStore, MnemosyneStore, type SourceItem } from "@mnem/langgraph";
import { InMemoryStore } from "@langchain/langgraph-checkpoint";
import { tempStore } from "../support/temp_store.ts";

/** A store of given items that answers page by page, and counts what it is asked. */
class Given {
  readonly items: SourceItem[];
  calls = 0;

  constructor(items: readonly SourceItem[]) {
    this.items = [...items];
  }

  listNamespaces({ limit, offset }: { limit: number; offset: number }) {
    this.calls += 1;
    const all = new Map(
      this.items.map(({ namespace }) => [JSON.stringify(namespace), namespace]),
    );
    return Promise.resolve([...all.values()].slice(offset, offset + limit));
  }

  search(
    prefix: string[],
    { limit, offset }: { limit: number; offset: number },
  ) {
    this.calls += 1;
    // By text, as some stores do.
    const found = this.items.filter(({ namespace }) =>
      namespace.join(".").startsWith(prefix.join("."))
    );
    return Promise.resolve(found.slice(offset, offset + limit));
  }
}

function item(
  namespace: string[],
  key: string,
  value: unknown,
  createdMs = 0,
): SourceItem {
  const createdAt = new Date(createdMs);
  return {
    namespace,
    key,
    value,
    createdAt,
    updatedAt: new Date(createdMs + 5),
  };
}

async function commitsOf(store: Store): Promise<number> {
  return (await Array.fromAsync(store.log())).length;
}

Deno.test("importStore() takes an InMemoryStore in as MnemosyneStore would have stored it", async () => {
  const old = new InMemoryStore();
  await old.put(["users", "u1"], "plan", { tier: "pro", when: new Date(0) });
  await old.put(["users", "u1"], "a:b", { _meta: { source: "crm" }, n: 1 });
  await old.put(["users2"], "", { list: [1, { x: null }] });
  await using temp = await tempStore();
  const { store } = temp;
  const done = await importStore(store, old, { source: "old" });
  assert.deepEqual([...done.changes.values()], ["added", "added", "added"]);
  const now = new MnemosyneStore(store);
  await using direct = await tempStore();
  const put = new MnemosyneStore(direct.store);
  for (const { namespace, key, value } of await old.search([], { limit: 9 })) {
    await put.put(namespace, key, value);
    assert.deepEqual(
      (await now.get(namespace, key))?.value,
      (await put.get(namespace, key))?.value,
    );
  }
  const ids = async (of: Store) =>
    (await Array.fromAsync(of.nodes())).map(({ id }) => id);
  assert.deepEqual(await ids(store), await ids(direct.store));
  assert.equal((await ids(store)).length, 3);
  const lifted = await now.why(["users", "u1"], "a:b");
  assert.equal(lifted.node.provenance.source, "crm");
  const plain = await now.why(["users2"], "");
  assert.equal(plain.node.provenance.source, "old");
});

Deno.test("importStore() keeps the order and the time of creation, and makes no commit again", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const source = new Given([
    item(["n"], "c", { n: 3 }, 3_000),
    item(["n"], "a", { n: 2 }, 2_000),
    item(["n"], "b", { n: 1 }, 1_000),
    item(["n"], "d", { n: 1 }, 1_000),
  ]);
  const first = await importStore(store, source);
  assert.equal(first.commits.length, 3);
  const now = new MnemosyneStore(store);
  const found = await now.search(["n"]);
  assert.deepEqual(
    found.map(({ key, createdAt }) => [key, createdAt.getTime()]),
    [["b", 1_000], ["d", 1_000], ["a", 2_000], ["c", 3_000]],
  );
  assert.equal((await now.why(["n"], "c")).timeMs, 3_005);
  const again = await importStore(store, source);
  assert.deepEqual([again.commits, again.unchanged, again.changes.size], [
    [],
    4,
    0,
  ]);
  assert.equal(await commitsOf(store), 3);
});

Deno.test("importStore() makes no more commits than it may", async () => {
  const items = Array.from(
    { length: 25 },
    (_, at) => item(["n"], `k${String(at).padStart(2, "0")}`, { at }, at * 10),
  );
  for (const [commits, made] of [[1, 1], [4, 4], [25, 25], [30, 25]] as const) {
    await using temp = await tempStore();
    const { store } = temp;
    const done = await importStore(store, new Given(items), { commits });
    assert.equal(done.commits.length, made, String(commits));
    const found = await new MnemosyneStore(store).search(["n"], { limit: 99 });
    assert.deepEqual(found.map(({ key }) => key), items.map(({ key }) => key));
  }
  await using temp = await tempStore();
  for (const commits of [0, -1, 1.5, NaN]) {
    await assert.rejects(
      importStore(temp.store, new Given([]), { commits }),
      RangeError,
    );
  }
});

Deno.test("importStore() reads page by page, and each item once", async () => {
  const items = Array.from(
    { length: 2_500 },
    (_, at) => item([at % 2 ? "user" : "users", `u${at}`], "k", { at }),
  );
  const source = new Given(items);
  await using temp = await tempStore();
  const { store } = temp;
  let read = 0;
  const done = await importStore(store, source, {
    progress: (count) => read = count,
  });
  assert.deepEqual([done.changes.size, read], [2_500, 2_500]);
  // Namespaces in 3 pages and one that is empty, `user` finding all by text, `users` its half.
  assert.equal(source.calls, 4 + 4 + 3);
  assert.equal(done.commits.length, 1);
});

Deno.test("importStore() skips what cannot be stored, tells it, and forgets only what is gone", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const good = item(["n"], "good", { n: 1 });
  const gone = item(["n"], "gone", { n: 1 });
  const bad = [
    item(["n"], "map", { map: new Map() }),
    item(["n"], "big", { n: 1n }),
    item(["n"], "meta", { _meta: { other: 1 } }),
    item(["n"], "text", "no object"),
    item(["n"], "\ud800", { n: 1 }),
    item(["n", "a.b"], "label", { n: 1 }),
    item(["n"], "x".repeat(1_023), { n: 1 }),
    item(["n"], "long", { _meta: { source: "x".repeat(65_537) } }),
    item(["n"], "half", { _meta: { tool_call: "\udc00" } }),
  ];
  const source = new Given([good, gone, ...bad]);
  const first = await importStore(store, source, { dryRun: true });
  assert.deepEqual([first.commits, await commitsOf(store)], [[], 0]);
  const done = await importStore(store, source);
  assert.deepEqual([...done.changes.keys()], ["n:good", "n:gone"]);
  assert.deepEqual(
    done.skipped.map(({ key }) => key),
    bad.map(({ key }) => key),
  );
  assert.ok(done.skipped.every(({ reason }) => reason !== ""));
  await store.write([{ id: "n:mine", content: { n: 1 } }], { message: "mine" });
  const kept = await importStore(store, new Given([good, ...bad]), {
    prune: true,
  });
  assert.deepEqual([kept.vanished, kept.changes.size], [["n:gone"], 0]);
  const pruned = await importStore(store, new Given([good]), { prune: true });
  assert.deepEqual([...pruned.changes], [["n:gone", "removed"]]);
  assert.ok(await store.node("n:mine"));
});

Deno.test("importStore() tells of no commit where somebody else stored the items meanwhile", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const source = new Given([item(["n"], "a", { n: 1 })]);
  assert.equal((await importStore(store, source)).commits.length, 1);
  // What it looks at lacks what is there by the time it writes.
  const stale = {
    entries: store.entries.bind(store),
    write: store.write.bind(store),
    async *nodes() {},
  };
  const late = await importStore(stale, source);
  assert.deepEqual([...late.changes.keys()], ["n:a"]);
  assert.deepEqual([late.commits, await commitsOf(store)], [[], 1]);
});
