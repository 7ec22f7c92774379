/**
 * Verifying a store in order: nothing is wrong with it, whatever its shape, and others may write.
 *
 * @module
 */

import assert from "node:assert/strict";
import { initStore, openStore, type Store } from "@mnem/core";
import { blake3 } from "../../core/object/hash.ts";
import { encodeCbor } from "../../core/object/encode_cbor.ts";
import { LIST_BATCH_ROWS_MAX } from "../../core/limits.ts";
import { encodeNode } from "../../core/object/memory_node.ts";
import type {
  AtomicWrite,
  Driver,
  Key,
  Row,
  RowRange,
} from "../../core/storage/driver.ts";
import type { CommitRow } from "../../core/storage/commit_row.ts";
import {
  nodeKey,
  partKey,
  refKey,
  removalKey,
} from "../../core/storage/keys.ts";
import { encodeRefRow } from "../../core/storage/ref_row.ts";
import { frameRow } from "../../core/storage/row.ts";
import { StoreReader } from "../../core/storage/store_reader.ts";
import { applyEdits } from "../../core/state/apply_edits.ts";
import { SELF } from "../../core/state/chunk.ts";
import { flatImage } from "../../core/state/flat_image.ts";
import { emptyRoot } from "../../core/state/make_chunk.ts";
import { readEntries } from "../../core/state/read_entry.ts";
import { readRange } from "../../core/state/read_range.ts";
import { makeCommit } from "../../core/store/make_commit.ts";
import { openStoreOn } from "../../core/store/open_store.ts";
import {
  MANY,
  MEANWHILE,
  verifyBesideWriters,
} from "../support/beside_writers.ts";
import { checkVerified } from "../support/check_verified.ts";
import { countedStore, countsOf } from "../support/counted_store.ts";
import { FaultDriver } from "../support/fault_driver.ts";
import { MemoryKv } from "../support/memory_kv.ts";
import { restore } from "../support/forged_rows.ts";
import { putAll } from "../support/stored_commit.ts";
import { richStore } from "../support/rich_store.ts";
import { tempFolder } from "../support/temp_folder.ts";

/** A store of few short ids: quick to verify, and without a pack. */
const SLIM = { long: false, wide: 8 };

const put = (id: string, content: number) => ({ id, content });

/** Writes that many commits to the store, of a few nodes. */
async function writeLine(store: Store, commits: number): Promise<void> {
  for (let i = 0; i < commits; i++) {
    await store.write([put(`n${i % 7}`, i)], { message: `m${i}` });
  }
}

async function wideStore(stateForm: "tree" | "flat"): Promise<MemoryKv> {
  const kv = new MemoryKv();
  const options = { create: true, stateForm };
  await using store = await openStoreOn(kv.open(), options);
  const nodes = Array.from({ length: 2_000 }, (_, i) => put(`n${i}`, i));
  await store.write(nodes.slice(0, 1_000), { message: "half" });
  await store.write(nodes.slice(1_000), { message: "and half" });
  await writeLine(store, 20);
  // Back over the border of flat states, in one large commit.
  const gone = nodes.slice(0, 1_200);
  await store.write(gone.map(({ id }) => ({ id, remove: true })), {
    message: "fewer",
  });
  await store.write([put("n1", -1)], { message: "one of them again" });
  return kv;
}

const SHAPES: readonly [
  name: string,
  make: (store: Store) => Promise<unknown>,
][] = [
  ["a new store", async () => {}],
  [
    "a root without nodes",
    (store) => store.write([], { message: "", allowEmpty: true }),
  ],
  ["a line of a hundred commits", (store) => writeLine(store, 100)],
  ["a memory that was emptied", async (store) => {
    await store.write([put("a", 1)], { message: "a" });
    await store.write([{ id: "a", remove: true }], { message: "none" });
    await store.write([put("a", 2)], { message: "a again" });
  }],
  ["writes that land together", (store) =>
    Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        store.write([put(`n${i % 5}`, i)], { message: `m${i}` })),
    )],
  ["a detached HEAD, and no branch left", async (store) => {
    await writeLine(store, 3);
    await store.switchTo("HEAD~1");
    await store.deleteBranch("main");
  }],
  ["nothing but staged changes", async (store) => {
    await store.stage.put("a", { content: "long ".repeat(20_000) });
    await store.stage.put("b", { content: 1 });
    await store.stage.unstage("b");
  }],
  ["a stage that was committed", async (store) => {
    await store.stage.put("a", { content: "long ".repeat(20_000) });
    await store.stage.commit({ message: "staged" });
  }],
];

for (const [name, make] of SHAPES) {
  Deno.test(`verify() finds nothing in ${name}, and counts its rows`, async () => {
    const kv = new MemoryKv();
    await using store = await openStoreOn(kv.open(), { create: true });
    await make(store);
    assert.equal(await checkVerified(store), kv.rows().length);
  });
}

for (const stateForm of ["tree", "flat"] as const) {
  Deno.test(`verify() finds nothing in a store of form ${stateForm}, whatever the size of its states`, async () => {
    const kv = await wideStore(stateForm);
    await using store = await openStoreOn(kv.open());
    assert.equal(await checkVerified(store), kv.rows().length);
    const options = { stateForm, long: false, wide: 1_100 };
    const rich = await richStore(options);
    await using crossed = await openStoreOn(rich.kv.open());
    assert.equal(await checkVerified(crossed), rich.kv.rows().length);
  });
}

Deno.test("verify() works on a folder, and on a handle that is on a branch", async () => {
  await using folder = await tempFolder();
  await using store = await initStore(folder.path, { defaultBranch: "first" });
  await writeLine(store, 10);
  await store.createBranch("second", { at: "HEAD~4" });
  // meta, HEAD, two refs; a commit and a node for each write.
  assert.equal(await checkVerified(store), 4 + 2 * 10);
  await using other = await openStore(folder.path, { branch: "second" });
  await other.write([put("x", 1)], { message: "x" });
  assert.equal(await checkVerified(other), 4 + 2 * 11);
});

Deno.test("verify() takes no offence at what nothing names", async () => {
  const { kv, wide } = await richStore();
  await using store = await openStoreOn(kv.open());
  const before = await checkVerified(store);
  // A commit too large for one write that never came: nodes, marks, pieces, a part of a pack.
  const pack = "0123456789abcdef".repeat(2);
  const { id, bytes } = encodeNode("lone", { content: "never" });
  const node = frameRow(nodeKey("lone", id), bytes, false);
  const part = frameRow(partKey(pack, 1), new Uint8Array([0x80]), true);
  for (const { key, value } of [node, part]) kv.put(key, value);
  kv.put(removalKey("b", pack), new Uint8Array());
  kv.put(removalKey(wide[0]!, "f".repeat(32)), new Uint8Array());
  kv.put(["x", new Uint8Array(16), new Uint8Array(4)], new Uint8Array(9));
  // A branch without its ref is deleted, and its commits stay.
  await store.deleteBranch("side");
  // Of the rows above all but the piece, and without the branch.
  assert.equal(await checkVerified(store), before + 4 - 1);
});

Deno.test("verify() takes a branch that never had a commit beside others for what it is", async () => {
  const { kv } = await richStore(SLIM);
  await using store = await openStoreOn(kv.open());
  // As an import does that brings branches of its own into a new store.
  await store.createBranch("theirs/main", { at: "main" });
  kv.remove(refKey("main"));
  assert.deepEqual((await store.verify()).faults, []);
  // Deleted with the last branch that leads there, or lost: nobody can tell.
  kv.remove(refKey("theirs/main"));
  const { faults: [lost, ...others] } = await store.verify();
  assert.equal(lost?.code, "head");
  assert.deepEqual(others, []);
});

Deno.test("verify() leaves rows of unknown kinds alone, and objects of imports", async () => {
  const { kv } = await richStore(SLIM);
  await using store = await openStoreOn(kv.open());
  const before = await checkVerified(store);
  for (const head of ["o", "t", "q", "anything", "\u{10ffff}"]) {
    kv.put([head, "x"], new Uint8Array([7]));
    kv.put([head], new Uint8Array());
  }
  assert.equal(await checkVerified(store), before);
  const { id, bytes } = encodeNode("unnamed", { content: 1 });
  const { key, value } = frameRow(["u", id.slice(0, 16)], bytes, false);
  kv.put(key, value);
  assert.equal(await checkVerified(store), before + 1);
});

Deno.test("verify() reads, and never writes", async () => {
  const { kv } = await richStore();
  const before = kv.rows();
  const { store, driver } = await countedStore(kv.open());
  const counts = await countsOf(driver, () => store.verify());
  assert.equal(counts.commits, 0);
  assert.ok(counts.rowsRead >= before.length);
  assert.deepEqual(kv.rows(), before);
  await store.close();
});

Deno.test("verify() trusts no cache: damage since it was read is found", async () => {
  const { kv } = await richStore(SLIM);
  await using store = await openStoreOn(kv.open());
  await store.memory();
  await checkVerified(store);
  const { key, value } = kv.rows().find(({ key }) => key[0] === "n")!;
  value[value.length - 1]! ^= 1;
  kv.put(key, value);
  assert.deepEqual((await store.verify()).faults.map(({ code }) => code), [
    "object_id",
  ]);
});

Deno.test("verify() reads each row about once, and waits rarely", async () => {
  const line = async (commits: number) => {
    const kv = new MemoryKv();
    await using store = await openStoreOn(kv.open(), { create: true });
    const nodes = Array.from({ length: 1_500 }, (_, i) => put(`n${i}`, i));
    await store.write(nodes, { message: "fill" });
    for (let i = 0; i < commits; i++) {
      await store.write([put(`n${i * 7 % 1_500}`, -i)], { message: `m${i}` });
    }
    const { store: cold, driver } = await countedStore(kv.open());
    const counts = await countsOf(driver, () => checkVerified(cold));
    await cold.close();
    const rows = kv.rows().length;
    return { perRow: counts.rowsRead / rows, rounds: counts.rounds };
  };
  const [short, long] = [await line(64), await line(256)];
  // A commit's row is read to know the graph, and once more to check it in its place.
  assert.ok(short.perRow < 1.2 && long.perRow < 1.4, JSON.stringify(long));
  // In waves of 64 commits: what is new in each lies in its own row.
  assert.ok(long.rounds - short.rounds <= 2 * 192 / 64, JSON.stringify(long));
  assert.ok(long.rounds < 60, JSON.stringify(long));
});

Deno.test("verify() ends with the signal's reason, at whatever round it is given", async () => {
  const { kv } = await richStore(SLIM);
  const driver = new FaultDriver(kv.open());
  await using store = await openStoreOn(driver);
  driver.arm(() => undefined);
  await checkVerified(store);
  const all = driver.calls;
  assert.ok(all > 10, `${all} calls`);
  for (let at = 1; at <= all; at++) {
    const controller = new AbortController();
    const reason = new Error(`at ${at}`);
    driver.arm(({ index }) => {
      if (index === at) controller.abort(reason);
      return undefined;
    });
    const ended = store.verify({ signal: controller.signal });
    if (at < all) {
      await assert.rejects(ended, reason);
      assert.equal(driver.calls, at, "nothing is read after that");
    } else await ended;
  }
  driver.arm(() => undefined);
  await assert.rejects(
    store.verify({ signal: AbortSignal.abort("no") }),
    (error) => error === "no",
  );
  assert.equal(driver.calls, 0);
  await checkVerified(store);
});

Deno.test("verify() throws what the storage throws, and a bad option", async () => {
  const { kv } = await richStore(SLIM);
  const driver = new FaultDriver(kv.open());
  const store = await openStoreOn(driver);
  driver.arm(() => undefined);
  await checkVerified(store);
  const all = driver.calls;
  for (let at = 1; at <= all; at++) {
    driver.arm(({ index }) => index === at ? "refuse" : undefined);
    await assert.rejects(store.verify(), { code: "store_io" });
    assert.equal(driver.fired, 1);
  }
  driver.arm(() => undefined);
  const bad: readonly unknown[] = [null, 1, { signal: 1 }, { signal: null }];
  for (const options of bad) {
    const call = Reflect.apply(store.verify, store, [options]);
    await assert.rejects(call, TypeError);
  }
  await store.verify({ signal: undefined });
  await store.close();
  await assert.rejects(store.verify(), TypeError);
});

Deno.test("verify() beside writers gives no false alarm, whatever comes between two rounds", async () => {
  const { kv } = await richStore(SLIM);
  await verifyBesideWriters(kv, { rounds: 2 });
});

/** Lets others go on between two batches of a list. */
class SlowLists implements Driver {
  readonly name = "native";
  readonly #inner: Driver;
  readonly #between: () => Promise<void>;

  constructor(inner: Driver, between: () => Promise<void>) {
    this.#inner = inner;
    this.#between = between;
  }

  getMany(keys: readonly Key[]): Promise<(Row | null)[]> {
    return this.#inner.getMany(keys);
  }

  async *list(range: RowRange): AsyncGenerator<Row> {
    let seen = 0;
    for await (const row of this.#inner.list(range)) {
      yield row;
      if (++seen % LIST_BATCH_ROWS_MAX === 0) await this.#between();
    }
  }

  commit(write: AtomicWrite): ReturnType<Driver["commit"]> {
    return this.#inner.commit(write);
  }

  close(): void {
    this.#inner.close();
  }
}

Deno.test("verify() beside a HEAD that moves, from branches that are deleted then", async () => {
  const { kv } = await richStore(SLIM);
  const others = await openStoreOn(kv.open());
  const driver = new FaultDriver(kv.open());
  await using store = await openStoreOn(driver);
  driver.arm(() => undefined);
  await checkVerified(store);
  const all = driver.calls;
  for (let at = 1; at <= all; at++) {
    const move = async () => {
      const { branch } = await others.head();
      await others.createBranch(`now${at}`);
      await others.switchTo(`now${at}`);
      await others.deleteBranch(branch!);
    };
    driver.arm(({ index }) => index === at ? { slow: move() } : undefined);
    await checkVerified(store);
    assert.equal(driver.fired, 1);
  }
  assert.equal((await others.head()).branch, `now${all}`);
  await others.close();
});

Deno.test("verify() beside writers follows a list of commits that grows while it is read", async () => {
  const kv = new MemoryKv();
  const others = await openStoreOn(kv.open(), { create: true });
  await writeLine(others, 600);
  await others.createBranch("side");
  let turn = 0;
  const small = MEANWHILE.filter((_, i) => i !== MANY);
  const meddle = async () => {
    for (const one of [...small.slice(0, 6), ...small.slice(0, 3)]) {
      await one(others, turn++);
    }
  };
  await using store = await openStoreOn(new SlowLists(kv.open(), meddle));
  for (let i = 0; i < 2; i++) await checkVerified(store);
  assert.ok(turn > 30, `${turn} turns`);
  await others.close();
});

/** The bytes of a node whose id no write accepts. */
function oddNode(id: string, content: number): Uint8Array {
  const kind = "memory_node";
  return encodeCbor({ kind, id, content, content_kind: "note" });
}

/** Puts a commit of such nodes on main, as an import would; null removes. */
async function putOdd(
  kv: MemoryKv,
  parent: CommitRow | null,
  nodes: readonly (readonly [id: string, content: number | null])[],
): Promise<CommitRow> {
  const reader = new StoreReader(kv.open());
  const before = parent?.root ?? emptyRoot();
  const old = await readEntries(reader, before, nodes.map(([id]) => id));
  const bytes = nodes.map(([id, content]) =>
    content === null ? null : oddNode(id, content)
  );
  const edits = nodes.map(([id], i) => {
    const object = bytes[i] ? blake3(bytes[i]) : null;
    const born = old.get(id)?.born ?? SELF;
    const entry = object && { id, object, changed: SELF, born };
    return { id, entry };
  });
  const { root } = await applyEdits(reader, before, edits);
  const entries = await Array.fromAsync(readRange(reader, root));
  const made = makeCommit({
    parents: parent === null ? [] : [parent],
    root,
    state: { id: flatImage(entries).id, form: "flat" },
    changes: edits.map(({ id, entry }) => ({
      id,
      object: entry?.object ?? null,
      old: old.get(id)?.object ?? null,
      oldOrigin: old.get(id)?.changed ?? null,
    })),
    message: "odd",
    author: "import",
    timeMs: 2 ** 60,
  });
  const { id } = made.row.commit;
  edits.forEach(({ id: node, entry }, i) => {
    if (entry === null) kv.put(removalKey(node, id), new Uint8Array());
    else putAll(kv, frameRow(nodeKey(node, entry.object), bytes[i]!, false));
  });
  putAll(kv, made.framed);
  const ref = encodeRefRow(id, made.meta, null);
  putAll(kv, frameRow(refKey("main"), ref, true));
  return made.row;
}

Deno.test("verify() knows the ids that only an import brings, and their removals", async () => {
  const kv = new MemoryKv();
  await using store = await openStoreOn(kv.open(), { create: true });
  const long = "x".repeat(2_000);
  const root = await putOdd(kv, null, [["", 1], ["a\0b", 1], [long, 1]]);
  const edit = await putOdd(kv, root, [["", null], ["a\0b", 2], [long, null]]);
  await putOdd(kv, edit, [["", 3], [long, 1]]);
  const heads = Map.groupBy(kv.rows(), ({ key }) => key[0]);
  assert.deepEqual(
    ["N", "D", "n", "d"].map((head) => heads.get(head)?.length),
    [
      3,
      1,
      2,
      1,
    ],
  );
  assert.equal(await checkVerified(store), kv.rows().length);
  const kept = kv.rows();
  const found: string[] = [];
  for (const head of ["N", "D", "n", "d"]) {
    const { key } = kept.find(({ key }) => key[0] === head)!;
    kv.remove(key);
    found.push(...(await store.verify()).faults.map(({ code }) => code));
    restore(kv, kept);
  }
  assert.deepEqual(found, ["link", "removal", "link", "removal"]);
});
