/**
 * Bare SQLite with a row for a node and a row for each of its values. A program of its own: two copies
 * of SQLite in one process do not see each other's locks.
 *
 * usage: sqlite_program.ts FILE
 *
 * @module
 */

import { DatabaseSync } from "node:sqlite";
import { answerCalls } from "./child_program.ts";

const database = new DatabaseSync(Deno.args[0] ?? "");
database.exec("pragma journal_mode=wal; pragma synchronous=full");
database.exec(`
  create table if not exists node (id text primary key, value text, written integer);
  create table if not exists history (written integer primary key, id text, value text)`);
const append = database.prepare(
  "insert into history (id, value) values (?, ?) returning written",
);
const upsert = database.prepare(
  `insert into node values (?, ?, ?) on conflict (id)
   do update set value = excluded.value, written = excluded.written`,
);
const find = database.prepare("select value, written from node where id = ?");

function write(id: string, value: string): string {
  const written = Number(append.get(id, value)?.["written"]);
  upsert.run(id, value, written);
  return String(written);
}

await answerCalls({
  change(id, value) {
    database.exec("begin immediate");
    const written = write(id, value);
    database.exec("commit");
    return Promise.resolve(written);
  },
  read: (id) => Promise.resolve(String(find.get(id)?.["value"])),
  blame: (id) => Promise.resolve(String(find.get(id)?.["written"])),
  /** Many nodes, one in a line: how it is filled. */
  fill(ids, value) {
    database.exec("begin immediate");
    for (const id of ids.split("\n")) write(id, `${value}${id}`);
    database.exec("commit");
    return Promise.resolve("");
  },
});
database.close();
