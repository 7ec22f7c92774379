import assert from "node:assert/strict";
import { tempFolder } from "../../tests/support/temp_folder.ts";
import type { Driver, Key, Row, RowRange } from "./driver.ts";
import { kvDriver, type KvLike } from "./kv_driver.ts";
import { createFolder } from "./local_folder.ts";
import { parseLocation } from "./location.ts";
import { openDriver } from "./open_driver.ts";

const bytes = (...values: number[]) => new Uint8Array(values);
const CLIENTS = ["native", "npm"] as const;

/** Runs a test on a new store with each client, in files of their own. */
function testBoth(name: string, run: (driver: Driver) => Promise<void>): void {
  for (const client of CLIENTS) {
    Deno.test(`kvDriver() of the ${client} client ${name}`, async () => {
      await using folder = await tempFolder();
      const location = parseLocation(folder.path);
      assert(location.kind === "local");
      await createFolder(location);
      const driver = await openDriver(location, { client });
      try {
        assert.equal(driver.name, client);
        await run(driver);
      } finally {
        driver.close();
      }
    });
  }
}

async function keysOf(rows: AsyncIterable<Row>): Promise<Key[]> {
  const keys = [];
  for await (const row of rows) keys.push(row.key);
  return keys;
}

const setAll = (driver: Driver, keys: readonly Key[]) =>
  driver.commit({ sets: keys.map((key) => ({ key, value: bytes(1) })) });

testBoth("reads what was set, and null where nothing is", async (driver) => {
  const answer = await driver.commit({
    sets: [{ key: ["a", bytes(0, 1)], value: bytes(1, 2, 3) }],
  });
  assert(answer.ok);
  assert.match(answer.versionstamp, /^[0-9a-f]{20}$/);
  assert.deepEqual(await driver.getMany([["a", bytes(0, 1)], ["a"]]), [
    {
      key: ["a", bytes(0, 1)],
      value: bytes(1, 2, 3),
      versionstamp: answer.versionstamp,
    },
    null,
  ]);
  await driver.commit({ deletes: [["a", bytes(0, 1)]] });
  assert.deepEqual(await driver.getMany([["a", bytes(0, 1)]]), [null]);
  assert.deepEqual(await driver.getMany([]), []);
});

testBoth("writes only if the checks hold", async (driver) => {
  const write = (versionstamp: string | null, value: number) =>
    driver.commit({
      checks: [{ key: ["head"], versionstamp }],
      sets: [{ key: ["head"], value: bytes(value) }, {
        key: ["row", `${value}`],
        value: bytes(value),
      }],
    });
  const first = await write(null, 1);
  assert(first.ok);
  assert.deepEqual(await write(null, 2), { ok: false });
  const second = await write(first.versionstamp, 3);
  assert(second.ok && second.versionstamp > first.versionstamp);
  assert.deepEqual(await write(first.versionstamp, 4), { ok: false });
  assert.deepEqual(await keysOf(driver.list({ prefix: ["row"] })), [
    ["row", "1"],
    ["row", "3"],
  ]);
  const [head] = await driver.getMany([["head"]]);
  assert.deepEqual(head?.value, bytes(3));
});

testBoth(
  "gives each value bytes of its own, whatever their length",
  async (driver) => {
    const lengths = [0, 1, 3, 300, 1_001, 60_001, 65_536];
    // A view in the middle of a larger buffer, at an odd offset.
    const valueOf = (length: number) =>
      new Uint8Array(length + 10).map((_, at) => at * 31).subarray(
        7,
        7 + length,
      );
    for (const length of lengths) {
      await driver.commit({
        sets: [{ key: ["v", `${length}`], value: valueOf(length) }],
      });
    }
    const got = await driver.getMany(
      lengths.map((length) => ["v", `${length}`]),
    );
    const listed: Row[] = [];
    for await (const row of driver.list({ prefix: ["v"] })) listed.push(row);
    assert.equal(listed.length, lengths.length);
    for (const row of [...got, ...listed]) {
      assert(row !== null);
      const { value } = row;
      assert.deepEqual(value, new Uint8Array(valueOf(Number(row.key[1]))));
      assert.equal(Object.getPrototypeOf(value), Uint8Array.prototype);
      assert.equal(value.buffer.byteLength, value.length);
    }
  },
);

testBoth("reads any number of keys, in the order asked for", async (driver) => {
  const keys = Array.from({ length: 47 }, (_, at): Key => ["k", `${at}`]);
  await setAll(driver, keys.filter((_, at) => at % 3 !== 0));
  const asked = [...keys.toReversed(), ...keys];
  const rows = await driver.getMany(asked);
  assert.deepEqual(
    rows.map((row) => row?.key ?? null),
    asked.map((key) => Number(key[1]) % 3 === 0 ? null : key),
  );
});

// In the order of the bytes: bytes before text, text as UTF-8, a shorter part before a longer one.
const ordered: readonly Key[] = [
  ["n", bytes()],
  ["n", bytes(0)],
  ["n", bytes(0, 255)],
  ["n", bytes(255)],
  ["n", ""],
  ["n", "\u0001"],
  ["n", "Z"],
  ["n", "a"],
  ["n", "a", "x"],
  ["n", "a\u0001"],
  ["n", "aa"],
  ["n", "é"],
  ["n", "\ud7ff"],
  ["n", "\ue000"],
  ["n", "\uffff"],
  ["n", "😀"],
];

testBoth(
  "lists a prefix in the order of the bytes, both ways",
  async (driver) => {
    const around: Key[] = [["n"], ["m", "z"], ["n\u0001"], ["na", "a"], ["o"]];
    await setAll(driver, [...ordered.toReversed(), ...around]);
    assert.deepEqual(await keysOf(driver.list({ prefix: ["n"] })), ordered);
    assert.deepEqual(
      await keysOf(driver.list({ prefix: ["n"] }, { reverse: true })),
      ordered.toReversed(),
    );
  },
);

testBoth(
  "lists no more than the limit, though a row lies at the prefix",
  async (driver) => {
    await setAll(driver, [["n"], ...ordered]);
    for (const limit of [0, 1, 2, 15, 16, 17]) {
      assert.deepEqual(
        await keysOf(driver.list({ prefix: ["n"] }, { limit })),
        ordered.slice(0, limit),
      );
      assert.deepEqual(
        await keysOf(driver.list({ prefix: ["n"] }, { limit, reverse: true })),
        ordered.toReversed().slice(0, limit),
      );
    }
  },
);

testBoth("lists from a start on, up to before an end", async (driver) => {
  await setAll(driver, ordered);
  const range: RowRange = { start: ["n", "Z"], end: ["n", "é"] };
  assert.deepEqual(await keysOf(driver.list(range)), ordered.slice(6, 11));
  assert.deepEqual(
    await keysOf(driver.list({ start: ["n", "b"], end: ["n", "c"] })),
    [],
  );
});

testBoth("lists more rows than one batch holds, each once", async (driver) => {
  const keys = Array.from(
    { length: 1_203 },
    (_, at): Key => ["b", `${at}`.padStart(5, "0")],
  );
  for (let at = 0; at < keys.length; at += 1_000) {
    await setAll(driver, keys.slice(at, at + 1_000));
  }
  assert.deepEqual(await keysOf(driver.list({ prefix: ["b"] })), keys);
  assert.deepEqual(
    await keysOf(driver.list({ prefix: ["b"] }, { reverse: true, limit: 700 })),
    keys.toReversed().slice(0, 700),
  );
});

testBoth("writes at each bound of the budget", async (driver) => {
  const key = (
    at: number,
    length: number,
  ): Key => [`${at}`.padStart(length - 2, "0")];
  const times = <T>(count: number, make: (at: number) => T) =>
    Array.from({ length: count }, (_, at) => make(at));
  const row = (at: number, keyLength: number, length: number) => ({
    key: key(at, keyLength),
    value: new Uint8Array(length).fill(7),
  });
  const writes = {
    checks: {
      checks: times(10, (at) => ({ key: ["no", `${at}`], versionstamp: null })),
    },
    mutations: {
      sets: times(600, (at) => row(at, 20, 1)),
      deletes: times(400, (at) => ["d", `${at}`]),
    },
    value: { sets: [row(1, 100, 65_536)] },
    keys: { sets: times(40, (at) => row(at, 2_048, 1)) },
    bytes: {
      sets: [...times(12, (at) => row(at, 100, 65_536)), row(12, 100, 30_168)],
    },
    key: {
      checks: [{ key: key(99, 2_048), versionstamp: null }],
      deletes: [key(99, 2_048)],
    },
  };
  for (const [name, write] of Object.entries(writes)) {
    assert.equal((await driver.commit(write)).ok, true, name);
  }
  const [longest] = await driver.getMany([key(39, 2_048)]);
  assert.deepEqual(longest?.value, bytes(7));
});

testBoth(
  "refuses what is over the budget before KV sees it",
  async (driver) => {
    await setAll(driver, [["a"]]);
    const sets = [{ key: ["b"], value: new Uint8Array(65_537) }];
    await assert.rejects(driver.commit({ sets, deletes: [["a"]] }), {
      name: "Error",
      message:
        "Broken rule of the store: at most 65536 bytes in a value, not 65537",
    });
    const rows = await driver.getMany([["a"], ["b"]]);
    assert.deepEqual(rows.map((row) => row?.value), [bytes(1), undefined]);
  },
);

testBoth("refuses a key that KV would read as another", async (driver) => {
  await setAll(driver, [["x\ufffd"]]);
  await assert.rejects(driver.getMany([["x\ud800"]]), /well-formed/);
  assert.notEqual((await driver.getMany([["x\ufffd"]]))[0], null);
});

testBoth("refuses calls after close, and closes once", async (driver) => {
  await setAll(driver, [["a"]]);
  const list = driver.list({ prefix: [] })[Symbol.asyncIterator]();
  driver.close();
  driver.close();
  const closed = { message: /no call on a closed handle/ };
  await assert.rejects(driver.getMany([["a"]]), closed);
  await assert.rejects(driver.commit({}), closed);
  await assert.rejects(list.next(), closed);
});

testBoth("lets the calls in flight end before it closes", async (driver) => {
  const keys = Array.from({ length: 100 }, (_, at): Key => ["k", `${at}`]);
  const [first] = [setAll(driver, keys)];
  const rest = [driver.getMany(keys), setAll(driver, keys)] as const;
  const rows = driver.list({ prefix: ["k"] })[Symbol.asyncIterator]();
  const row = rows.next();
  driver.close();
  assert.equal((await first).ok, true);
  assert.equal((await rest[1]).ok, true);
  assert.equal((await rest[0]).length, 100);
  await row;
});

/** A KV client whose calls end when the test says so. */
function slowKv(): { kv: KvLike; closed: () => number; answer: () => void } {
  const gate = Promise.withResolvers<[]>();
  let closed = 0;
  return {
    kv: {
      getMany: () => gate.promise,
      list: () => assert.fail(),
      atomic: () => assert.fail(),
      close: () => void closed++,
    },
    closed: () => closed,
    answer: () => gate.resolve([]),
  };
}

Deno.test("kvDriver() closes its client when the last call has ended, not before", async () => {
  const { kv, closed, answer } = slowKv();
  const driver = kvDriver(kv, "native", { location: "x" });
  const call = driver.getMany([["a"]]);
  driver.close();
  assert.equal(closed(), 0);
  answer();
  assert.deepEqual(await call, [null]);
  assert.equal(closed(), 1);
});

Deno.test("kvDriver() never closes a client whose engine stopped", async () => {
  const { kv, closed } = slowKv();
  const stopped = {
    ...kv,
    getMany: () => Promise.reject(new Error("Database is closed.")),
  };
  const driver = kvDriver(stopped, "npm", { location: "x" });
  await assert.rejects(driver.getMany([["a"]]), { code: "corrupt_store" });
  driver.close();
  assert.equal(closed(), 0);
});

Deno.test("kvDriver() reports rows of another program as corrupt", async () => {
  await using folder = await tempFolder();
  using kv = await Deno.openKv(`${folder.path}/kv.db`);
  await kv.set(["text"], "not bytes");
  await kv.set(["n", 1], new Uint8Array(1));
  const driver = kvDriver(kv, "native", { location: "mem" });
  const foreign = {
    code: "corrupt_store",
    message: /^Cannot read store "mem": /,
  };
  await assert.rejects(driver.getMany([["text"]]), foreign);
  await assert.rejects(keysOf(driver.list({ prefix: ["n"] })), foreign);
});
