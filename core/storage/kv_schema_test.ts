import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { tempFolder } from "../../tests/support/temp_folder.ts";
import { isForeignDatabase, readSchema } from "./kv_schema.ts";

/** Makes a database of another program, open until the end of the scope. */
function database(
  file: string,
  statements: readonly string[],
): DatabaseSync & Disposable {
  const made = new DatabaseSync(file);
  for (const statement of statements) made.exec(statement);
  return Object.assign(made, { [Symbol.dispose]: () => made.close() });
}

const isForeign = (file: string) =>
  isForeignDatabase(readSchema(file), `${file}-wal`);

Deno.test("isForeignDatabase() knows a database of Deno KV, open, closed and just made", async () => {
  await using folder = await tempFolder();
  const file = `${folder.path}/kv.db`;
  const kv = await Deno.openKv(file);
  assert.equal(isForeign(file), false);
  await kv.set(["a"], "x".repeat(60_000));
  assert.equal(isForeign(file), false);
  kv.close();
  assert.equal(isForeign(file), false);
});

Deno.test("isForeignDatabase() knows one of another program, open and closed, whatever its journal and size", async () => {
  await using folder = await tempFolder();
  const table = "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)";
  const many = Array.from(
    { length: 200 },
    (_, i) => `CREATE TABLE t${i} (a, b, c)`,
  );
  const kinds = {
    plain: [table],
    wal: ["PRAGMA journal_mode = WAL", table],
    utf16: ["PRAGMA encoding = 'UTF-16le'", table],
    large: [table, ...many],
    paged: ["PRAGMA page_size = 512", table, ...many],
  };
  for (const [name, statements] of Object.entries(kinds)) {
    const file = `${folder.path}/${name}.db`;
    {
      using _ = database(file, statements);
      assert.equal(isForeign(file), true, name);
    }
    assert.equal(isForeign(file), true, name);
  }
});

Deno.test("isForeignDatabase() takes a database without tables for nobody's", async () => {
  await using folder = await tempFolder();
  const file = `${folder.path}/kv.db`;
  {
    using _ = database(file, ["PRAGMA user_version = 1"]);
  }
  assert.ok((await Deno.stat(file)).size > 0);
  assert.equal(isForeign(file), false);
});

Deno.test("isForeignDatabase() throws where there is no file", async () => {
  await using folder = await tempFolder();
  assert.throws(() => isForeign(`${folder.path}/none`), { code: "ENOENT" });
});
