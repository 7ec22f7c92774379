import assert from "node:assert/strict";
import type {
  AtomicWrite,
  Driver,
  Key,
  KeyPart,
  RowRange,
} from "../../core/storage/driver.ts";
import { parseLocation } from "../../core/storage/location.ts";
import { openDriver } from "../../core/storage/open_driver.ts";
import { MemoryKv } from "./memory_kv.ts";
import { tempFolder } from "./temp_folder.ts";
import { Chance } from "./tree_cases.ts";

const SEED = 67;
const PARTS: readonly KeyPart[] = [
  "",
  "a",
  "a\0",
  "a\u0001",
  "aa",
  "b",
  "é",
  "～",
  "😀",
  "\u{10ffff}",
  new Uint8Array(),
  Uint8Array.of(0),
  Uint8Array.of(0, 0),
  Uint8Array.of(1),
  Uint8Array.of(255),
  Uint8Array.of(255, 0),
];

Deno.test("MemoryKv answers as Deno KV does", async () => {
  await using folder = await tempFolder();
  const location = parseLocation(folder.path);
  assert.ok(location.kind === "local");
  await Deno.mkdir(location.folder);
  const real = await openDriver(location);
  const memory = new MemoryKv().open();
  const chance = new Chance(SEED);
  const key = (): Key =>
    Array.from({ length: 1 + chance.below(3) }, () => chance.pick(PARTS));
  const keys = Array.from({ length: 60 }, key);
  for (let turn = 0; turn < 300; turn++) {
    const what = `seed ${SEED}, turn ${turn}`;
    const some = Array.from(
      { length: 1 + chance.below(12) },
      () => chance.pick(keys),
    );
    const answers = await Promise.all(
      [real, memory].map(async (driver) =>
        await step(driver, some, new Chance(SEED + turn))
      ),
    );
    assert.deepEqual(answers[1], answers[0], what);
    const range: RowRange = chance.below(2) === 0
      ? { prefix: chance.pick(keys).slice(0, chance.below(3)) }
      : { start: chance.pick(keys), end: chance.pick(keys) };
    const limit = chance.pick([undefined, 1, 2, 7]);
    const options = {
      reverse: chance.below(2) === 0,
      ...limit === undefined ? {} : { limit },
    };
    const lists = await Promise.all(
      [real, memory].map((driver) => listed(driver, range, options)),
    );
    assert.deepEqual(lists[1], lists[0], what);
  }
  real.close();
});

Deno.test("MemoryKv takes a handle that is closed for a defect, and keeps the rows", async () => {
  const kv = new MemoryKv();
  const driver = kv.open();
  await driver.commit({ sets: [{ key: ["a"], value: Uint8Array.of(1) }] });
  driver.close();
  await assert.rejects(driver.getMany([["a"]]), /closed handle/);
  const [row] = await kv.open().getMany([["a"]]);
  assert.deepEqual(row?.value, Uint8Array.of(1));
  row?.value.fill(9);
  assert.deepEqual(kv.row(["a"])?.value, Uint8Array.of(1));
});

/** Reads some rows, then writes some on the condition of some of them, rightly or not. */
async function step(
  driver: Driver,
  keys: readonly Key[],
  chance: Chance,
): Promise<unknown> {
  const before = await driver.getMany(keys);
  const checks = keys.slice(0, 3).map((key, i) => ({
    key,
    versionstamp: chance.below(12) === 0
      ? "0".repeat(20)
      : before[i]?.versionstamp ?? null,
  }));
  const unique = [
    ...new Map(keys.map((key) => [
      JSON.stringify(
        key,
        (_, part) => part instanceof Uint8Array ? [...part] : part,
      ),
      key,
    ])).values(),
  ];
  const write: AtomicWrite = {
    checks,
    sets: unique.slice(0, 6).map((key) => ({
      key,
      value: Uint8Array.of(chance.below(256)),
    })),
    deletes: unique.slice(6),
  };
  const { ok } = await driver.commit(write);
  const after = await driver.getMany(keys);
  return {
    ok,
    before: before.map(valueOf),
    after: after.map(valueOf),
    moved: after.map((row, i) => row?.versionstamp !== before[i]?.versionstamp),
  };
}

async function listed(
  driver: Driver,
  range: RowRange,
  options: { limit?: number; reverse: boolean },
): Promise<unknown> {
  try {
    const rows = await Array.fromAsync(driver.list(range, options));
    return rows.map(({ key, value }) => [key, value]);
  } catch (error) {
    return String(error).split(": ").at(-1);
  }
}

function valueOf(
  row: { readonly value: Uint8Array } | null,
): Uint8Array | null {
  return row?.value ?? null;
}

Deno.test("MemoryKv.copy() has the rows, and goes its own way", async () => {
  const kv = new MemoryKv();
  const driver = kv.open();
  const key = ["a"];
  await driver.commit({ sets: [{ key, value: new Uint8Array([1]) }] });
  const copy = kv.copy();
  assert.deepEqual(copy.rows(), kv.rows());
  const [row] = await copy.open().getMany([key]);
  const checks = [{ key, versionstamp: row!.versionstamp }];
  const sets = [{ key, value: new Uint8Array([2]) }];
  const sent = await copy.open().commit({ checks, sets });
  assert.equal(sent.ok, true);
  copy.put(["b"], new Uint8Array());
  assert.deepEqual([kv.rows().length, copy.rows().length], [1, 2]);
  assert.deepEqual([...kv.row(key)!.value, ...copy.row(key)!.value], [1, 2]);
});
