import assert from "node:assert/strict";
import { CountingDriver } from "../../tests/support/counting_driver.ts";
import { MemoryKv } from "../../tests/support/memory_kv.ts";
import {
  putAll,
  storeCommit,
  type StoredCommit,
} from "../../tests/support/stored_commit.ts";
import { Chance } from "../../tests/support/tree_cases.ts";
import { isMnemError, type MnemErrorCode } from "../errors.ts";
import { encodeMetaBlock } from "./commit_row.ts";
import { HeadReader, type Position } from "./head.ts";
import { commitKey, HEAD_KEY, META_KEY, refKey } from "./keys.ts";
import { headRow, metaRow, readMetaRow, type StoreMeta } from "./meta_row.ts";
import { encodeRefRow } from "./ref_row.ts";
import { frameRow } from "./row.ts";
import { StoreReader } from "./store_reader.ts";

const SEED = 31;
const META: StoreMeta = {
  format: 1,
  stateForm: "tree",
  defaultBranch: "main",
  storeId: new Uint8Array(16).fill(7),
  createdMs: 0,
};
const ON_HEAD: Position = { on: "head" };
const on = (name: string): Position => ({ on: "branch", name });

Deno.test("read() follows HEAD to its branch, in one round with what else is asked", async () => {
  const { kv, commit } = startedStore();
  const driver = new CountingDriver(kv.open());
  const heads = readerOf(kv, driver);
  const { head, also } = await heads.read(ON_HEAD, [refKey("main"), ["S"]]);
  assert.equal(head.branch, "main");
  assert.deepEqual(head.row, commit.row);
  assert.deepEqual(
    head.checks,
    [HEAD_KEY, refKey("main")].map((key) => ({
      key,
      versionstamp: kv.row(key)!.versionstamp,
    })),
  );
  assert.deepEqual(also.map((row) => row?.key ?? null), [refKey("main"), null]);
  assert.equal(driver.counts.rounds, 1);
});

Deno.test("read() keeps of a branch no more than its commit", async () => {
  const { kv } = startedStore();
  const { head } = await readerOf(kv).read(ON_HEAD);
  const { bytes } = head.row!;
  assert.ok(bytes.length > 0);
  assert.ok(bytes.buffer.byteLength < kv.row(refKey("main"))!.value.length);
});

Deno.test("read() follows HEAD to another branch in two rounds, then in one", async () => {
  const { kv } = startedStore();
  const other = storeCommit(kv, { b: 1 });
  putRef(kv, "other", other);
  putHead(kv, { branch: "other" });
  const driver = new CountingDriver(kv.open());
  const heads = readerOf(kv, driver);
  assert.deepEqual((await heads.read(ON_HEAD)).head.row, other.row);
  assert.equal(driver.counts.rounds, 2);
  driver.reset();
  assert.deepEqual((await heads.read(ON_HEAD)).head.row, other.row);
  assert.equal(driver.counts.rounds, 1);
});

Deno.test("read() of a branch looks at no HEAD, and checks the branch alone", async () => {
  const { kv, commit } = startedStore();
  putHead(kv, { commit: commit.row.commit.id });
  const { head } = await readerOf(kv).read(on("main"));
  assert.deepEqual(head.row, commit.row);
  const { versionstamp } = kv.row(refKey("main"))!;
  assert.deepEqual(head.checks, [{ key: refKey("main"), versionstamp }]);
});

Deno.test("read() of a detached HEAD and of a commit names no branch", async () => {
  const { kv, commit } = startedStore();
  const { id } = commit.row.commit;
  putHead(kv, { commit: id });
  const heads = readerOf(kv);
  for (const position of [ON_HEAD, { on: "commit", id } as const]) {
    const { head } = await heads.read(position);
    assert.equal(head.branch, null);
    assert.deepEqual(head.row, commit.row);
  }
  await rejectsWith(
    heads.read({ on: "commit", id: "f".repeat(64) }),
    "corrupt_store",
  );
});

Deno.test("read() takes a missing default branch for unborn until it was seen", async () => {
  const kv = emptyStore();
  const heads = readerOf(kv);
  for (const position of [ON_HEAD, on("main")]) {
    const { head } = await heads.read(position);
    assert.equal(head.row, null);
    assert.deepEqual(head.checks.at(-1), {
      key: refKey("main"),
      versionstamp: null,
    });
  }
  putRef(kv, "main", storeCommit(kv, { a: 1 }));
  assert.notEqual((await heads.read(ON_HEAD)).head.row, null);
  kv.remove(refKey("main"));
  for (const position of [ON_HEAD, on("main")]) {
    await rejectsWith(heads.read(position), "invalid_ref");
  }
});

Deno.test("saw() and landed() count as seeing the default branch", async () => {
  const kv = emptyStore();
  const seen = readerOf(kv);
  seen.saw("other");
  assert.equal((await seen.read(ON_HEAD)).head.row, null);
  seen.saw("main");
  await rejectsWith(seen.read(ON_HEAD), "invalid_ref");
  const landed = readerOf(kv);
  landed.landed("main", storeCommit(kv, { a: 1 }).row, "1");
  await rejectsWith(landed.read(ON_HEAD), "invalid_ref");
});

Deno.test("read() answers invalid_ref to any other missing branch", async () => {
  const { kv } = startedStore();
  await rejectsWith(readerOf(kv).read(on("none")), "invalid_ref");
  putHead(kv, { branch: "none" });
  await rejectsWith(readerOf(kv).read(ON_HEAD), "invalid_ref");
});

Deno.test("read() takes the commit and its root from the branch's row", async () => {
  const { kv, commit } = startedStore();
  kv.remove(commitKey(commit.short));
  const reader = new StoreReader(kv.open());
  const { head } = await readerOf(kv, kv.open(), reader).read(ON_HEAD);
  assert.deepEqual(head.row, commit.row);
  assert.deepEqual(await reader.read([commit.row.root]), [commit.leaf]);
});

Deno.test("read() reads the commit's own row where the branch has no copy", async () => {
  const { kv, commit } = startedStore();
  const bare = encodeRefRow(commit.row.commit.id, new Uint8Array(20_000), null);
  putAll(kv, frameRow(refKey("main"), bare, true));
  assert.deepEqual((await readerOf(kv).read(ON_HEAD)).head.row, commit.row);
  kv.remove(commitKey(commit.short));
  await rejectsWith(readerOf(kv).read(ON_HEAD), "corrupt_store");
});

Deno.test("read() refuses a branch whose copies are of another commit", async () => {
  const { kv, commit } = startedStore();
  const other = storeCommit(kv, { b: 1 });
  const { id } = commit.row.commit;
  const meta = encodeMetaBlock(commit.row);
  const wrong = [
    encodeRefRow(other.row.commit.id, meta, commit.record),
    encodeRefRow(id, meta, other.record),
    encodeRefRow(id.slice(0, 32) + "0".repeat(32), meta, null),
  ];
  for (const payload of wrong) {
    putAll(kv, frameRow(refKey("main"), payload, true));
    await rejectsWith(readerOf(kv).read(ON_HEAD), "corrupt_store");
  }
  putRef(kv, "main", commit);
  assert.equal((await readerOf(kv).read(ON_HEAD)).head.row?.commit.id, id);
});

Deno.test("read() finds every flipped bit of HEAD and of a branch's row", async () => {
  const chance = new Chance(SEED);
  const { kv } = startedStore();
  for (const key of [HEAD_KEY, refKey("main")]) {
    const { value } = kv.row(key)!;
    for (let i = 0; i < 200; i++) {
      const bit = chance.below(value.length * 8);
      const flipped = value.slice();
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      kv.put(key, flipped);
      await rejectsWith(
        readerOf(kv).read(ON_HEAD),
        "corrupt_store",
        `seed ${SEED}, flip ${i}`,
      );
    }
    kv.put(key, value);
  }
  assert.equal((await readerOf(kv).read(ON_HEAD)).head.branch, "main");
});

Deno.test("read() finds that the store was removed or replaced, not that it was rewritten", async () => {
  const { kv, commit } = startedStore();
  const heads = readerOf(kv);
  assert.deepEqual((await heads.read(ON_HEAD)).head.row, commit.row);
  putAll(kv, { ...metaRow(META), pieces: [] });
  assert.deepEqual((await heads.read(ON_HEAD)).head.row, commit.row);
  putAll(kv, {
    ...metaRow({ ...META, storeId: new Uint8Array(16) }),
    pieces: [],
  });
  await rejectsWith(heads.read(ON_HEAD), "corrupt_store");
  kv.remove(META_KEY);
  await rejectsWith(heads.read(on("main")), "corrupt_store");
});

Deno.test("read() answers corrupt_store where there is no HEAD", async () => {
  const { kv } = startedStore();
  kv.remove(HEAD_KEY);
  await rejectsWith(readerOf(kv).read(ON_HEAD), "corrupt_store");
  assert.equal((await readerOf(kv).read(on("main"))).head.branch, "main");
});

function emptyStore(): MemoryKv {
  const kv = new MemoryKv();
  putAll(kv, { ...metaRow(META), pieces: [] });
  putHead(kv, { branch: "main" });
  return kv;
}

function startedStore(): {
  readonly kv: MemoryKv;
  readonly commit: StoredCommit;
} {
  const kv = emptyStore();
  const commit = storeCommit(kv, { a: 1 });
  putRef(kv, "main", commit);
  return { kv, commit };
}

function putHead(kv: MemoryKv, head: Parameters<typeof headRow>[0]): void {
  putAll(kv, { ...headRow(head), pieces: [] });
}

function putRef(
  kv: MemoryKv,
  name: string,
  { row, record }: StoredCommit,
): void {
  const payload = encodeRefRow(row.commit.id, encodeMetaBlock(row), record);
  putAll(kv, frameRow(refKey(name), payload, true));
}

function readerOf(
  kv: MemoryKv,
  driver = kv.open(),
  reader = new StoreReader(driver),
): HeadReader {
  const { value, versionstamp } = kv.row(META_KEY)!;
  return new HeadReader(driver, reader, readMetaRow(value), versionstamp);
}

async function rejectsWith(
  call: Promise<unknown>,
  code: MnemErrorCode,
  message = "",
): Promise<void> {
  await assert.rejects(call, (error) => isMnemError(error, code), message);
}
