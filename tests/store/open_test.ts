/**
 * Opening and making stores: what is there is opened, what is not is made only when asked for, and
 * whatever else lies there stays as it is.
 *
 * @module
 */

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import {
  initStore,
  isMnemError,
  type MnemErrorCode,
  openStore,
} from "@mnem/core";
import { encodeCbor } from "../../core/object/encode_cbor.ts";
import { HEAD_KEY, META_KEY } from "../../core/storage/keys.ts";
import { headRow, metaRow } from "../../core/storage/meta_row.ts";
import { frameRow } from "../../core/storage/row.ts";
import { openStoreOn } from "../../core/store/open_store.ts";
import { MemoryKv } from "../support/memory_kv.ts";
import { otherUidMissing, runAsOtherUid } from "../support/other_uid.ts";
import type { OpenReport } from "../support/report_opens.ts";
import { tempFolder } from "../support/temp_folder.ts";

/** The three ways that a folder is met. */
const WAYS = {
  open: (path: string) => openStore(path),
  create: (path: string) => openStore(path, { create: true }),
  init: (path: string) => initStore(path),
};

Deno.test("openStore() finds no store, and makes nothing, in an absent or an empty folder", async () => {
  await using folder = await tempFolder();
  for (const path of [folder.path, `${folder.path}/deep/er`]) {
    await rejectsWith(openStore(path), "no_store", new RegExp(path));
    await rejectsWith(openStore(path, { create: false }), "no_store");
    await rejectsWith(openStore(path, { branch: "main" }), "no_store");
  }
  assert.deepEqual(await readdir(folder.path), []);
});

Deno.test("openStore() makes a store when asked, once, for its owner only", async () => {
  await using folder = await tempFolder();
  const path = `${folder.path}/deep/er`;
  {
    await using store = await openStore(path, { create: true });
    assert.equal(store.location, path);
    assert.equal(store.formatVersion, 1);
    assert.deepEqual(await store.head(), { branch: "main", commit: null });
    assert.deepEqual(await Array.fromAsync(store.log()), []);
    assert.deepEqual(await store.memory(), new Map());
    assert.deepEqual(await store.changes(), []);
    await store.write([{ id: "a", content: 1 }], { message: "m" });
  }
  assert.deepEqual(await readdir(path), [".mnem"]);
  if (Deno.build.os !== "windows") {
    assert.equal((await Deno.stat(`${path}/.mnem`)).mode! & 0o777, 0o700);
  }
  for (const options of [{}, { create: true }, { branch: "main" }]) {
    await using again = await openStore(path, options);
    assert.equal((await again.node("a"))?.content, 1);
  }
});

Deno.test("initStore() makes a store where there is none, and leaves one that is there", async () => {
  await using folder = await tempFolder();
  const path = `${folder.path}/new`;
  {
    await using store = await initStore(path, { defaultBranch: "trunk" });
    assert.deepEqual(await store.head(), { branch: "trunk", commit: null });
    await store.write([{ id: "a", content: 1 }], { message: "m" });
    await rejectsWith(initStore(path), "store_exists", /new/);
  }
  await rejectsWith(initStore(path), "store_exists", /new/);
  await using inner = await initStore(`${path}/inside`);
  assert.equal((await inner.head()).branch, "main");
  await using store = await openStore(path);
  assert.equal((await store.head()).branch, "trunk");
  assert.equal((await store.node("a"))?.content, 1);
});

Deno.test("a store is one, whatever its path looks like, and its handles end apart", async () => {
  await using folder = await tempFolder();
  const { path } = folder;
  const places = [path, `${path}/`, `${path}/x/..`, `file://${path}`];
  const stores = await Promise.all(
    places.map((place) => openStore(place, { create: true })),
  );
  await Promise.all(
    stores.map((store, i) =>
      store.write([{ id: `n${i}`, content: i }], { message: "m" })
    ),
  );
  for (const store of stores) {
    assert.equal((await store.memory()).size, 4);
    assert.equal((await Array.fromAsync(store.log())).length, 4);
  }
  for (const store of stores.slice(1)) await store.close();
  await stores[1]?.close();
  assert.equal((await stores[0]!.memory()).size, 4);
  await stores[0]!.close();
  await using again = await openStore(path);
  assert.equal((await again.memory()).size, 4);
});

Deno.test("a store put in the place of another is the one that is opened", async () => {
  await using folder = await tempFolder();
  const [here, there] = [`${folder.path}/here`, `${folder.path}/there`];
  await using old = await openStore(here, { create: true });
  await old.write([{ id: "old", content: 1 }], { message: "m" });
  await Deno.rename(here, there);
  await rejectsWith(openStore(here), "no_store");
  await using fresh = await openStore(here, { create: true });
  assert.equal((await fresh.memory()).size, 0);
  await fresh.write([{ id: "new", content: 1 }], { message: "m" });
  assert.deepEqual([...(await old.memory()).keys()], ["old"]);
});

Deno.test("openStore() of a branch that does not exist is invalid_ref, create or not", async () => {
  await using folder = await tempFolder();
  {
    await using _ = await openStore(folder.path, { create: true });
  }
  const before = await contentsOf(folder.path);
  for (const create of [false, true]) {
    await rejectsWith(
      openStore(folder.path, { branch: "none", create }),
      "invalid_ref",
      /"none"/,
    );
  }
  assert.deepEqual(
    (await contentsOf(folder.path)).map(([name]) => name),
    before.map(([name]) => name),
  );
  await using store = await openStore(folder.path);
  assert.deepEqual([...await store.branches()], []);
});

const OBSTACLES: { readonly [what: string]: (path: string) => Promise<void> } =
  {
    "a file in the place of the folder": (path) =>
      Deno.writeTextFile(path, "notes"),
    "a file in the place of .mnem": async (path) => {
      await Deno.mkdir(path);
      await Deno.writeTextFile(`${path}/.mnem`, "notes");
    },
    "a folder in the place of the database": (path) =>
      Deno.mkdir(`${path}/.mnem/kv.db`, { recursive: true }),
    "a file above the folder": async (path) => {
      await Deno.writeTextFile(`${path}-above`, "notes");
      await Deno.symlink(`${path}-above`, path);
    },
  };

for (const [what, put] of Object.entries(OBSTACLES)) {
  Deno.test(`${what} is store_io, and stays`, async () => {
    await using folder = await tempFolder();
    const path = `${folder.path}/mem`;
    await put(path);
    const before = await contentsOf(folder.path);
    for (const way of Object.values(WAYS)) {
      await rejectsWith(way(path), "store_io", new RegExp(path));
      assert.deepEqual(await contentsOf(folder.path), before);
    }
  });
}

/** What may lie in the place of a store's database, each left by a program that has ended. */
const STRANGERS: { readonly [what: string]: (file: string) => Promise<void> } =
  {
    "a junk file": (file) =>
      Deno.writeFile(
        file,
        Uint8Array.from({ length: 9_000 }, (_, i) => i * 31),
      ),
    "a text file": (file) => Deno.writeTextFile(file, "my notes\n"),
    "a short file": (file) => Deno.writeTextFile(file, "SQL"),
    "a store that lacks its end": async (file) => {
      const { size } = await makeStoreFile(file);
      await Deno.truncate(file, size - 4_096);
    },
    "the beginning of a store": async (file) => {
      await makeStoreFile(file);
      await Deno.truncate(file, 99);
    },
    "another program's database": (file) =>
      makeDatabase(file, [
        "CREATE TABLE notes (text)",
        "INSERT INTO notes VALUES ('mine')",
      ]),
    "another program's database with a log": (file) =>
      makeDatabase(file, [
        "PRAGMA journal_mode = WAL",
        "CREATE TABLE kv (k blob, v blob)",
        "INSERT INTO kv VALUES (x'00', x'00')",
      ]),
    "another program's empty table": (file) =>
      makeDatabase(file, ["CREATE TABLE data_version (k)"]),
  };

for (const [what, put] of Object.entries(STRANGERS)) {
  Deno.test(`${what} is corrupt_store, and stays to the byte`, async () => {
    await using folder = await tempFolder();
    const path = `${folder.path}/mem`;
    await Deno.mkdir(`${path}/.mnem`, { recursive: true });
    await put(`${path}/.mnem/kv.db`);
    const before = await contentsOf(folder.path);
    assert.ok(before.length > 0);
    for (const way of Object.values(WAYS)) {
      await rejectsWith(way(path), "corrupt_store", /kv\.db/);
      assert.deepEqual(await contentsOf(folder.path), before);
    }
  });
}

Deno.test("another program's database that is open is corrupt_store, and keeps its tables", async () => {
  await using folder = await tempFolder();
  const file = `${folder.path}/.mnem/kv.db`;
  await Deno.mkdir(`${folder.path}/.mnem`);
  const database = new DatabaseSync(file);
  for (
    const statement of [
      "PRAGMA journal_mode = WAL",
      "CREATE TABLE notes (text)",
    ]
  ) database.exec(statement);
  const tables = () =>
    database.prepare("SELECT name FROM sqlite_master").all().map(({ name }) =>
      name
    );
  for (const way of Object.values(WAYS)) {
    await rejectsWith(way(folder.path), "corrupt_store", /another program/);
    assert.deepEqual(tables(), ["notes"]);
  }
  database.close();
});

const FOREIGN_ROWS: readonly (readonly [string, Deno.KvKey, unknown])[] = [
  ["bytes under text", ["a"], new Uint8Array(2)],
  ["bytes under bytes", [new Uint8Array([0])], new Uint8Array(2)],
  ["bytes under a number", [7, "a"], new Uint8Array(2)],
  ["bytes under a bigint", [7n], new Uint8Array(2)],
  ["bytes under false", [false, "x"], new Uint8Array(2)],
  ["an object under text", ["users", "ada"], { name: "Ada" }],
  ["bytes under the last text", ["\u{10ffff}\u{10ffff}"], new Uint8Array(2)],
];

for (const [what, key, value] of FOREIGN_ROWS) {
  Deno.test(`another program's Deno KV with ${what} is corrupt_store, and keeps its row`, async () => {
    await using folder = await tempFolder();
    const file = `${folder.path}/.mnem/kv.db`;
    await Deno.mkdir(`${folder.path}/.mnem`);
    {
      using kv = await Deno.openKv(file);
      await kv.set(key, value);
    }
    for (const way of Object.values(WAYS)) {
      await rejectsWith(way(folder.path), "corrupt_store");
    }
    using kv = await Deno.openKv(file);
    const rows = await Array.fromAsync(kv.list({ prefix: [] }));
    assert.deepEqual(rows.map((row) => [row.key, row.value]), [[key, value]]);
  });
}

Deno.test("an empty database, of Deno KV or of no bytes, is no store until one is made", async () => {
  await using folder = await tempFolder();
  const paths = ["kv", "bytes", "sqlite"].map((name) =>
    `${folder.path}/${name}`
  );
  for (const path of paths) {
    await Deno.mkdir(`${path}/.mnem`, { recursive: true });
  }
  const [kv, bytes, sqlite] = paths.map((path) => `${path}/.mnem/kv.db`);
  (await Deno.openKv(kv!)).close();
  await Deno.writeFile(bytes!, new Uint8Array());
  makeDatabase(sqlite!, ["PRAGMA user_version = 0"]);
  for (const path of paths) {
    await rejectsWith(openStore(path), "no_store", new RegExp(path));
    await using store = path === paths[0]
      ? await openStore(path, { create: true })
      : await initStore(path);
    await store.write([{ id: "a", content: 1 }], { message: "m" });
    assert.equal((await store.memory()).size, 1);
  }
});

const FIELDS = {
  format: 1,
  hash: "blake3",
  state_form: "tree",
  default_branch: "main",
  store_id: new Uint8Array(16),
  created: 0,
  features: [],
};
const METAS: readonly (readonly [string, object, MnemErrorCode, RegExp])[] = [
  [
    "a higher format",
    { ...FIELDS, format: 2 },
    "format_version",
    /format is 2, .* up to 1/,
  ],
  [
    "a feature",
    { ...FIELDS, features: ["erasure"] },
    "format_version",
    /erasure/,
  ],
  ["another hash", { ...FIELDS, hash: "md5" }, "corrupt_store", /meta/],
  ["no format", { hash: "blake3" }, "corrupt_store", /meta/],
];

for (const [what, fields, code, message] of METAS) {
  Deno.test(`a store of ${what} is ${code}, and stays`, async () => {
    const kv = new MemoryKv();
    const { value } = frameRow(META_KEY, encodeCbor({ ...fields }), true);
    kv.put(META_KEY, value);
    kv.put(HEAD_KEY, headRow({ branch: "main" }).value);
    const before = kv.rows();
    for (const create of [false, true]) {
      await rejectsWith(openStoreOn(kv.open(), { create }), code, message);
      assert.deepEqual(kv.rows(), before);
    }
  });
}

Deno.test("a store that lost its mark is corrupt_store, never adopted", async () => {
  const kv = new MemoryKv();
  const store = await openStoreOn(kv.open(), { create: true });
  await store.write([{ id: "a", content: 1 }], { message: "m" });
  kv.remove(META_KEY);
  const before = kv.rows();
  await rejectsWith(store.memory(), "corrupt_store", /removed or replaced/);
  await store.close();
  for (const create of [false, true]) {
    await rejectsWith(
      openStoreOn(kv.open(), { create }),
      "corrupt_store",
      /no mark/,
    );
  }
  assert.deepEqual(kv.rows(), before);
});

Deno.test("a mark that is damaged is corrupt_store", async () => {
  const kv = new MemoryKv();
  await (await openStoreOn(kv.open(), { create: true })).close();
  const { value } = kv.row(META_KEY)!;
  for (let bit = 0; bit < value.length * 8; bit++) {
    const flipped = value.slice();
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    kv.put(META_KEY, flipped);
    await rejectsWith(
      openStoreOn(kv.open(), { create: true }),
      "corrupt_store",
    );
  }
});

Deno.test("a store made anew in the same database is another one", async () => {
  const kv = new MemoryKv();
  const old = await openStoreOn(kv.open(), { create: true });
  await old.write([{ id: "a", content: 1 }], { message: "m" });
  for (const { key } of kv.rows()) kv.remove(key);
  await using fresh = await openStoreOn(kv.open(), { create: true });
  assert.equal((await fresh.memory()).size, 0);
  const before = kv.rows();
  await rejectsWith(old.memory(), "corrupt_store", /removed or replaced/);
  await rejectsWith(
    old.write([{ id: "a", content: 2 }], { message: "m" }),
    "corrupt_store",
  );
  assert.deepEqual(kv.rows(), before);
  await old.close();
});

Deno.test("a store made anew in the same file is another one, for those who opened it before and after", async () => {
  await using folder = await tempFolder();
  await using old = await openStore(folder.path, { create: true });
  await old.write([{ id: "a", content: 1 }], { message: "m" });
  {
    using kv = await Deno.openKv(`${folder.path}/.mnem/kv.db`);
    for await (const { key } of kv.list({ prefix: [] })) await kv.delete(key);
  }
  await using fresh = await openStore(folder.path, { create: true });
  await fresh.write([{ id: "b", content: 1 }], { message: "m" });
  assert.deepEqual([...(await fresh.memory()).keys()], ["b"]);
  await rejectsWith(old.memory(), "corrupt_store", /removed or replaced/);
});

Deno.test("a store that says the same of itself in other words goes on", async () => {
  const kv = new MemoryKv();
  await using store = await openStoreOn(kv.open(), { create: true });
  await store.write([{ id: "a", content: 1 }], { message: "m" });
  const { value } = kv.row(META_KEY)!;
  kv.put(META_KEY, value);
  assert.equal((await store.memory()).size, 1);
  const another = metaRow({
    format: 1,
    stateForm: "tree",
    defaultBranch: "main",
    storeId: new Uint8Array(16),
    createdMs: 0,
  });
  kv.put(META_KEY, another.value);
  await rejectsWith(store.memory(), "corrupt_store");
});

Deno.test({
  name:
    "a store that may not be written, and a folder where none may be made, are store_io",
  ignore: otherUidMissing() !== undefined,
  async fn() {
    await using folder = await tempFolder();
    await Deno.chmod(folder.path, 0o755);
    const [store, empty] = [`${folder.path}/store`, `${folder.path}/empty`];
    {
      await using made = await openStore(store, { create: true });
      await made.write([{ id: "a", content: 1 }], { message: "m" });
    }
    await Deno.mkdir(empty);
    for (
      const [path, mode] of [[`${store}/.mnem/kv.db`, 0o444], [
        `${store}/.mnem`,
        0o555,
      ], [empty, 0o555]] as const
    ) {
      await Deno.chmod(path, mode);
    }
    const before = await contentsOf(folder.path);
    const script = new URL("../support/report_opens.ts", import.meta.url);
    const calls = [
      ["open", store],
      ["create", store],
      ["init", store],
      ["open", empty],
      ["create", empty],
      ["init", `${empty}/deep`],
    ];
    const { code, stdout, stderr } = await runAsOtherUid(script, calls.flat());
    await Deno.chmod(`${store}/.mnem`, 0o755);
    await Deno.chmod(empty, 0o755);
    assert.equal(code, 0, stderr);
    const reports: readonly OpenReport[] = JSON.parse(stdout);
    const failures = reports.map((report) => [report.reached, report.code]);
    assert.deepEqual(failures, [
      [[], "store_io"],
      [[], "store_io"],
      [[], "store_io"],
      [[], "no_store"],
      [[], "store_io"],
      [[], "store_io"],
    ], stdout);
    for (const [i, { message }] of reports.entries()) {
      assert.ok(message?.includes(calls[i]![1]!), message);
    }
    assert.deepEqual(await contentsOf(folder.path), before);
    await using again = await openStore(store);
    assert.equal((await again.node("a"))?.content, 1);
  },
});

/** A closed store's database, moved to a place. */
async function makeStoreFile(file: string): Promise<Deno.FileInfo> {
  await using folder = await tempFolder();
  {
    await using store = await openStore(folder.path, { create: true });
    await store.write([{ id: "a", content: "x".repeat(50_000) }], {
      message: "m",
    });
  }
  await Deno.copyFile(`${folder.path}/.mnem/kv.db`, file);
  return await Deno.stat(file);
}

function makeDatabase(
  file: string,
  statements: readonly string[],
): Promise<void> {
  const database = new DatabaseSync(file);
  for (const statement of statements) database.exec(statement);
  database.close();
  return Promise.resolve();
}

/** Every file below a folder with its bytes, and every folder. */
async function contentsOf(path: string): Promise<[string, string][]> {
  const names = (await readdir(path, { recursive: true })).sort();
  return await Promise.all(
    names.map(async (name): Promise<[string, string]> => [
      name,
      await readFile(`${path}/${name}`, "latin1").catch((error) =>
        String(error.code)
      ),
    ]),
  );
}

async function rejectsWith(
  call: Promise<unknown>,
  code: MnemErrorCode,
  message = /./,
): Promise<void> {
  await assert.rejects(call, (error) => {
    assert.ok(
      isMnemError(error, code) && message.test(error.message),
      String(error),
    );
    return true;
  });
}
