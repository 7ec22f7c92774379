import assert from "node:assert/strict";
import { assertWithinBudget, atomicCost, keyBytes } from "./budget.ts";
import type { AtomicWrite } from "./driver.ts";

const set = (key: string, bytes: number) => ({
  key: [key],
  value: new Uint8Array(bytes),
});

Deno.test("keyBytes() counts each part as KV encodes it", () => {
  // A byte of type, the part, a byte of end; a zero byte inside becomes two.
  assert.equal(keyBytes([""]), 2);
  assert.equal(keyBytes(["abc"]), 5);
  assert.equal(keyBytes(["é€😀"]), 2 + 2 + 3 + 4);
  assert.equal(keyBytes(["a\0b\0"]), 2 + 4 + 2);
  assert.equal(keyBytes([new Uint8Array(16)]), 2 + 16 + 16);
  assert.equal(keyBytes([new Uint8Array([1, 0, 255])]), 2 + 3 + 1);
  assert.equal(keyBytes(["n", "id", new Uint8Array([7])]), 3 + 4 + 3);
});

Deno.test("keyBytes() refuses text that KV would store as another one", () => {
  assert.equal(keyBytes(["\ufffd"]), 5);
  assert.throws(() => keyBytes(["a\ud800"]), {
    name: "Error",
    message: /well-formed/,
  });
});

Deno.test("atomicCost() weighs keys set twice, keys deleted and checked once", () => {
  assert.deepEqual(
    atomicCost({
      checks: [{ key: ["c"], versionstamp: null }],
      sets: [set("ab", 10), set("abc", 100)],
      deletes: [["abcd"], ["e"]],
    }),
    {
      checks: 1,
      mutations: 4,
      bytes: 110 + 2 * (4 + 5) + (6 + 3) + 3,
      setKeyBytes: 4 + 5,
    },
  );
  assert.deepEqual(atomicCost({}), {
    checks: 0,
    mutations: 0,
    bytes: 0,
    setKeyBytes: 0,
  });
});

const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));
const check = (at: number) => ({ key: [`${at}`], versionstamp: null });
/** A key of that many encoded bytes, unlike those with another number. */
const key = (at: number, bytes: number) => [`${at}`.padStart(bytes - 2, "0")];

// Each at its bound, and one step over it.
const edges: readonly [string, AtomicWrite, AtomicWrite][] = [
  ["10 checks", { checks: times(10, check) }, { checks: times(11, check) }],
  [
    "1000 mutations",
    {
      sets: times(600, (at) => set(`${at}`, 1)),
      deletes: times(400, (at) => [`d${at}`]),
    },
    {
      sets: times(600, (at) => set(`${at}`, 1)),
      deletes: times(401, (at) => [`d${at}`]),
    },
  ],
  ["65536 bytes in a value", { sets: [set("a", 65_536)] }, {
    sets: [set("a", 65_537)],
  }],
  [
    "2048 bytes in a key",
    { sets: [{ key: key(1, 2_048), value: new Uint8Array() }] },
    { sets: [{ key: key(1, 2_049), value: new Uint8Array() }] },
  ],
  [
    "2048 bytes in a key deleted",
    { deletes: [key(1, 2_048)] },
    { deletes: [key(1, 2_049)] },
  ],
  [
    "2048 bytes in a key checked",
    { checks: [{ key: key(1, 2_048), versionstamp: null }] },
    { checks: [{ key: key(1, 2_049), versionstamp: null }] },
  ],
  [
    "819200 bytes",
    // 12 values of 65,536 are 786,432; their keys of 100 bytes count 2,400; the rest fills up.
    {
      sets: [...times(12, fullRow), {
        key: key(12, 100),
        value: new Uint8Array(30_168),
      }],
    },
    {
      sets: [...times(12, fullRow), {
        key: key(12, 100),
        value: new Uint8Array(30_169),
      }],
    },
  ],
  [
    "81920 bytes of keys set",
    {
      sets: times(
        40,
        (at) => ({ key: key(at, 2_048), value: new Uint8Array(1) }),
      ),
    },
    {
      sets: times(41, (at) => ({
        key: key(at, at < 39 ? 2_048 : 1_025),
        value: new Uint8Array(1),
      })),
    },
  ],
];

function fullRow(at: number): { key: string[]; value: Uint8Array } {
  return { key: key(at, 100), value: new Uint8Array(65_536) };
}

for (const [name, at, over] of edges) {
  Deno.test(`assertWithinBudget() lets ${name} pass and no more`, () => {
    assertWithinBudget(at);
    assert.throws(() => assertWithinBudget(over), {
      name: "Error",
      message: /^Broken rule of the store: at most/,
    });
  });
}

Deno.test("assertWithinBudget() refuses a key without parts", () => {
  assertWithinBudget({ deletes: [[""]] });
  assert.throws(() => assertWithinBudget({ deletes: [[]] }), /a key has parts/);
});
