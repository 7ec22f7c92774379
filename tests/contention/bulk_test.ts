/**
 * A write of twenty thousand nodes while another writer never stops: it lands, writes nothing twice,
 * and what the other wrote is kept, blame included.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Edit, Json, Store } from "@mnem/core";
import { shortOf } from "../../core/object/graph_commit.ts";
import { toHex } from "../../core/object/hex.ts";
import { readEntry } from "../../core/state/read_entry.ts";
import { StoreReader } from "../../core/storage/store_reader.ts";
import { openStoreOn } from "../../core/store/open_store.ts";
import { checkHistory, valuesOf } from "../support/check_history.ts";
import { checkVerified } from "../support/check_verified.ts";
import { CountingDriver } from "../support/counting_driver.ts";
import { FaultDriver } from "../support/fault_driver.ts";
import { flatStateId } from "../support/flat_state.ts";
import { MemoryKv } from "../support/memory_kv.ts";

const MANY = 20_000;
const idOf = (i: number) => `n${String(i).padStart(5, "0")}`;

const put = (id: string, content: Json): Edit => ({ id, content });
const remove = (id: string): Edit => ({ id, remove: true });

/** What is there before: some nodes that the bulk write edits too, and some that only others do. */
const SEED: readonly Edit[] = [
  ...Array.from({ length: 40 }, (_, i) => put(idOf(i * 400), "seed")),
  ...["aba", "gone", "moved"].map((id) => put(`other ${id}`, "seed")),
  put("bulk removes", "seed"),
  put("both remove", "seed"),
  put("same as bulk", "bulk"),
  put("same, then aba", "bulk"),
];

/** The bulk write, in which some edits change nothing at first. */
const BULK: readonly Edit[] = [
  ...Array.from({ length: MANY }, (_, i) => put(idOf(i), `bulk ${i}`)),
  remove("bulk removes"),
  remove("both remove"),
  remove("other adds"),
  put("same as bulk", "bulk"),
  put("same, then aba", "bulk"),
  put("other is first", "bulk"),
  put("other removes", "bulk"),
];

/** What another writer does before each attempt of the bulk write to land; each list is one commit. */
const MEANWHILE: readonly (readonly (readonly Edit[])[])[] = [
  [[put(idOf(0), "theirs"), put("other new", 1), put("other adds", 1)]],
  [[put(idOf(1), "theirs")]],
  // Between two attempts: the objects are as before, but others wrote them.
  [
    [put("other aba", "B"), put("same, then aba", "B")],
    [put("other aba", "seed"), put("same, then aba", "bulk")],
  ],
  [[remove("other gone")]],
  [[remove(idOf(400)), remove("both remove"), put("other is first", "bulk")]],
  [[put("other moved", 1), put("same as bulk", 1), put("bulk removes", 2)]],
  [[put("other removes", 1), remove(idOf(0))]],
  [
    [remove("other removes"), put("other is first", "theirs")],
    [put("other is first", "bulk")],
  ],
];

async function isLanded(
  stateForm: "tree" | "flat",
): Promise<
  { kv: MemoryKv; other: Store; counting: CountingDriver; bulk: string }
> {
  const kv = new MemoryKv();
  const other = await openStoreOn(kv.open(), { create: true, stateForm });
  await other.write(SEED, { message: "seed" });
  const counting = new CountingDriver(kv.open());
  const driver = new FaultDriver(counting);
  const store = await openStoreOn(driver);
  let turn = 0;
  // A write with checks is one that is to land; the others come just before it.
  driver.arm(({ write }) => {
    const commits = write?.checks === undefined ? undefined : MEANWHILE[turn];
    if (commits === undefined) return undefined;
    const message = `meanwhile ${turn++}`;
    const writes = commits.map((edits) => other.write(edits, { message }));
    return { slow: Promise.all(writes) };
  });
  counting.reset();
  const { commit, changes } = await store.write(BULK, { message: "bulk" });
  assert.equal(turn, MEANWHILE.length);
  assert.equal(counting.counts.refused, MEANWHILE.length);
  checkChanges(changes);
  return { kv, other, counting, bulk: commit! };
}

/** What the bulk write says that it did to the memory it came upon. */
function checkChanges(changes: ReadonlyMap<string, string>): void {
  const kinds = [...changes.values()];
  const count = (kind: string) => kinds.filter((one) => one === kind).length;
  // Of the forty seeded ones two were removed meanwhile, and one was added.
  assert.equal(count("modified"), 38 + 1 + 1);
  assert.equal(count("added"), MANY - 39 + 1);
  assert.equal(count("removed"), 2);
  assert.equal(changes.get("other removes"), "added");
  assert.equal(changes.get("other adds"), "removed");
  for (const id of ["both remove", "same, then aba", "other is first"]) {
    assert.equal(changes.has(id), false, id);
  }
}

for (const form of ["tree", "flat"] as const) {
  Deno.test(`a bulk write lands against a writer that never stops, in form ${form}`, async () => {
    const { kv, counting, bulk } = await isLanded(form);
    const fresh = await openStoreOn(kv.open());
    const { commits, messages, memory } = await checkHistory(fresh);
    const others = MEANWHILE.flatMap((commits, turn) =>
      commits.map(() => `meanwhile ${turn}`)
    );
    assert.deepEqual(messages, ["seed", ...others, "bulk"]);
    assert.equal(commits.at(-1)?.id, bulk);
    assert.equal(memory.size, MANY + 4 + 3);
    await checkBlames(fresh);
    assert.equal(await bornIn(kv, idOf(400)), bulk);
    assert.equal(await bornIn(kv, idOf(800)), commits[0]?.id);
    const state = commits.at(-1)?.state;
    if (form === "flat") assert.equal(state, await flatStateId(fresh));
    else assert.equal(state, await rootOf(kv, bulk));
    checkRows(kv, counting);
    await checkVerified(fresh);
  });
}

/** Who wrote what: the later of two equal values has the later commit. */
async function checkBlames(store: Store): Promise<void> {
  const expected: readonly (readonly [id: string, message: string])[] = [
    [idOf(0), "bulk"],
    [idOf(1), "bulk"],
    [idOf(400), "bulk"],
    [idOf(19_999), "bulk"],
    ["other new", "meanwhile 0"],
    ["other aba", "meanwhile 2"],
    ["other moved", "meanwhile 5"],
    ["same as bulk", "bulk"],
    ["same, then aba", "meanwhile 2"],
    ["other is first", "meanwhile 7"],
    ["other removes", "bulk"],
  ];
  for (const [id, message] of expected) {
    assert.equal((await store.blame(id)).commit.message, message, id);
  }
  assert.deepEqual(await valuesOf(store, "other adds"), [null, 1]);
  assert.deepEqual(await valuesOf(store, "bulk removes"), [null, 2, "seed"]);
  assert.deepEqual(await valuesOf(store, "both remove"), [null, "seed"]);
  assert.deepEqual(await valuesOf(store, "other gone"), [null, "seed"]);
  assert.deepEqual(
    await valuesOf(store, idOf(0)),
    ["bulk 0", null, "theirs", "seed"],
  );
  const [removal] = await Array.fromAsync(store.versions("both remove"));
  assert.equal(removal?.commit.message, "meanwhile 4");
}

/** The commit that added a node since it was last absent. */
async function bornIn(kv: MemoryKv, id: string): Promise<string | undefined> {
  const store = await openStoreOn(kv.open());
  const reader = new StoreReader(kv.open());
  const { commit } = await store.head();
  const { root } = await reader.commit(shortOf(commit ?? ""));
  const born = (await readEntry(reader, root, id))?.born.commit;
  return born && (await reader.commit(born)).commit.id;
}

async function rootOf(kv: MemoryKv, commit: string): Promise<string> {
  const row = await new StoreReader(kv.open()).commit(shortOf(commit));
  return toHex(row.root.id);
}

/** Each node once, each part once, and for each attempt no more than what its final write holds. */
function checkRows(kv: MemoryKv, counting: CountingDriver): void {
  const heads = new Map<string, number>();
  for (const { key } of kv.rows()) {
    heads.set(String(key[0]), (heads.get(String(key[0])) ?? 0) + 1);
  }
  const parts = heads.get("p")!;
  assert.ok(parts > 50 && parts < 250, `${parts} parts`);
  const { rowsSet } = counting.counts;
  // Besides nodes and parts: marks of removals, the commit and the ref.
  assert.ok(rowsSet <= MANY + parts + 20, `${rowsSet} rows, ${parts} parts`);
  assert.ok(rowsSet >= MANY + parts);
}

Deno.test("a bulk removal lands too, and its marks are written once", async () => {
  const kv = new MemoryKv();
  const other = await openStoreOn(kv.open(), { create: true });
  const ids = Array.from({ length: 3_000 }, (_, i) => idOf(i));
  await other.write(ids.map((id) => put(id, 1)), { message: "fill" });
  const counting = new CountingDriver(kv.open());
  const driver = new FaultDriver(counting);
  const store = await openStoreOn(driver);
  let turn = 0;
  driver.arm(({ write }) => {
    if (write?.checks === undefined || turn === 5) return undefined;
    const edits = [remove(idOf(turn)), put(`new ${turn}`, turn)];
    const message = `meanwhile ${turn++}`;
    return { slow: other.write(edits, { message }) };
  });
  counting.reset();
  await store.write(ids.map(remove), { message: "bulk" });
  assert.equal(turn, 5);
  const { rowsSet } = counting.counts;
  assert.ok(rowsSet >= 3_000 && rowsSet < 3_000 + 40, `${rowsSet} rows`);
  const { memory } = await checkHistory(await openStoreOn(kv.open()));
  assert.equal(memory.size, 5);
  assert.deepEqual(await valuesOf(other, idOf(1)), [null, 1]);
  assert.deepEqual(await valuesOf(other, idOf(1_000)), [null, 1]);
  const removers = await Promise.all(
    [1, 1_000].map(async (i) =>
      (await Array.fromAsync(other.versions(idOf(i))))[0]?.commit.message
    ),
  );
  assert.deepEqual(removers, ["meanwhile 1", "bulk"]);
});

Deno.test("the longest ids: no atomic write is over its bounds", async () => {
  const kv = new MemoryKv();
  const store = await openStoreOn(kv.open(), { create: true });
  const long = (i: number) => `${i} `.padEnd(1_024, "x");
  const ids = Array.from({ length: 900 }, (_, i) => long(i));
  await store.write(ids.map((id) => put(id, id)), { message: "fill" });
  await store.write(
    ids.slice(0, 300).map(remove).concat(put("a", 1)),
    { message: "remove" },
  );
  for (const id of ids.slice(300, 600)) {
    await store.stage.put(id, { content: 2 });
  }
  for (const id of ids.slice(600)) await store.stage.remove(id);
  await store.stage.commit({ message: "stage" });
  const { nodes, removals } = await store.stage.list();
  assert.deepEqual([nodes.size, removals.length], [0, 0]);
  const { memory } = await checkHistory(store);
  assert.equal(memory.size, 301);
});

Deno.test("a bulk write with a base: in conflict with what comes meanwhile, if that touches its nodes", async () => {
  for (const [id, code] of [["elsewhere", undefined], [idOf(7), "conflict"]]) {
    const kv = new MemoryKv();
    const other = await openStoreOn(kv.open(), { create: true });
    const { commit: base } = await other.write([put("seed", 1)], {
      message: "seed",
    });
    const driver = new FaultDriver(kv.open());
    const store = await openStoreOn(driver);
    let turn = 0;
    driver.arm(({ write }) =>
      write?.checks === undefined || turn++ > 1
        ? undefined
        : { slow: other.write([put(id!, turn)], { message: `${turn}` }) }
    );
    const edits = Array.from({ length: 1_000 }, (_, i) => put(idOf(i), "bulk"));
    const written = store.write(edits, { message: "bulk", base });
    if (code === undefined) await written;
    else await assert.rejects(written, { code, outcome: "none" });
    const { messages } = await checkHistory(other);
    const expected = code === undefined ? ["1", "2", "bulk"] : ["1"];
    assert.deepEqual(messages, ["seed", ...expected]);
  }
});

Deno.test("many nodes of which most are so already: only the others are written", async () => {
  const kv = new MemoryKv();
  const counting = new CountingDriver(kv.open());
  const store = await openStoreOn(counting, { create: true });
  const edits = Array.from({ length: 5_000 }, (_, i) => put(idOf(i), 1));
  await store.write(edits, { message: "fill" });
  counting.reset();
  const changed = edits.map((edit, i) => i % 5 === 0 ? put(edit.id, 2) : edit);
  const { changes } = await store.write(changed, { message: "some" });
  assert.equal(changes.size, 1_000);
  const { rowsSet } = counting.counts;
  assert.ok(rowsSet >= 1_000 && rowsSet < 1_000 + 60, `${rowsSet} rows`);
});

Deno.test("a bulk write that another one made unnecessary is no commit", async () => {
  const kv = new MemoryKv();
  const other = await openStoreOn(kv.open(), { create: true });
  const driver = new FaultDriver(kv.open());
  const store = await openStoreOn(driver);
  const edits = Array.from({ length: 1_000 }, (_, i) => put(idOf(i), 1));
  driver.arm(({ write, nth }) =>
    write?.checks === undefined || nth > 5
      ? undefined
      : { slow: other.write(edits, { message: "first" }) }
  );
  const { commit, changes } = await store.write(edits, { message: "second" });
  assert.equal(changes.size, 0);
  assert.equal(commit, (await other.head()).commit);
  const { messages } = await checkHistory(other);
  assert.deepEqual(messages, ["first"]);
});
