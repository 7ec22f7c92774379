/**
 * Every state in which a disk may leave a store: what opening, reading and writing then say. A state is
 * a row of a table, with the code of each step and a part of the message.
 *
 * @module
 */

import assert from "node:assert/strict";
import { lstat, readdir } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { isMnemError, openStore, type Store } from "@mnem/core";
import { otherUidMissing, runAsOtherUid } from "../support/other_uid.ts";
import { reportFigures } from "../support/report_figures.ts";
import type { OpenReport } from "../support/report_opens.ts";
import { smallDisk, smallDiskMissing } from "../support/small_disk.ts";
import { tempFolder } from "../support/temp_folder.ts";

/** What a step came to: "good", or the code of its error; "past": it read what was there before. */
type Outcome =
  | "good"
  | "past"
  | "no_store"
  | "corrupt_store"
  | "store_io"
  | "RangeError";

interface Place {
  /** The folder that is opened. */
  readonly path: string;
  readonly folder: string;
  readonly file: string;
}

interface DiskState {
  readonly state: string;
  /** Brings a closed store of two nodes into the state; or an open one, where `isOpen`. */
  readonly harm: (place: Place) => unknown;
  readonly isOpen?: true;
  /** What opening, reading and writing come to; an open that fails is the end. */
  readonly comes: readonly [open: Outcome, read?: Outcome, write?: Outcome];
  /** A part of the first error's message. */
  readonly says?: RegExp;
}

const remove = (path: string) => Deno.remove(path, { recursive: true });
const instead = async (path: string, put: () => Promise<unknown>) => {
  await remove(path);
  await put();
};

const STATES: readonly DiskState[] = [
  {
    state: "in order",
    harm: () => {},
    comes: ["good", "good", "good"],
  },
  {
    state: "the folder is gone",
    harm: ({ path }) => remove(path),
    comes: ["no_store"],
    says: /^There is no store in/,
  },
  {
    state: "the folder is empty",
    harm: ({ folder }) => remove(folder),
    comes: ["no_store"],
    says: /^There is no store in/,
  },
  {
    state: "the database has no bytes",
    harm: ({ file }) => Deno.truncate(file),
    comes: ["no_store"],
    says: /^There is no store in/,
  },
  {
    state: "the database has no bytes, and a log",
    harm: async ({ file }) => {
      await Deno.truncate(file);
      await Deno.writeTextFile(`${file}-wal`, "log");
    },
    comes: ["corrupt_store"],
    says: /is empty beside its log/,
  },
  {
    state: "the database is gone, and its log is there",
    harm: ({ file }) => Deno.rename(file, `${file}-wal`),
    comes: ["corrupt_store"],
    says: /is missing beside its log/,
  },
  {
    state: "the database lacks its end",
    harm: async ({ file }) =>
      Deno.truncate(file, (await Deno.stat(file)).size - 4_096),
    comes: ["corrupt_store"],
    says: /is cut short/,
  },
  {
    state: "the database lacks all but its first bytes",
    harm: ({ file }) => Deno.truncate(file, 99),
    comes: ["corrupt_store"],
    says: /is cut short/,
  },
  {
    state: "the database is a text",
    harm: ({ file }) => Deno.writeTextFile(file, "my notes\n".repeat(900)),
    comes: ["corrupt_store"],
    says: /is not a SQLite database/,
  },
  {
    state: "the database is that of another program",
    harm: ({ file }) =>
      instead(file, () => {
        const database = new DatabaseSync(file);
        database.exec("CREATE TABLE notes (text)");
        database.close();
        return Promise.resolve();
      }),
    comes: ["corrupt_store"],
    says: /a database of another program/,
  },
  {
    state: "the database is another program's Deno KV",
    harm: ({ file }) =>
      instead(file, async () => {
        using kv = await Deno.openKv(file);
        await kv.set(["users", "ada"], { name: "Ada" });
      }),
    comes: ["corrupt_store"],
    says: /no mark of a store|is not bytes/,
  },
  {
    state: "the database is a folder",
    harm: ({ file }) => instead(file, () => Deno.mkdir(file)),
    comes: ["store_io"],
    says: /kv\.db" cannot be used: /,
  },
  {
    state: "the database is a device",
    harm: ({ file }) => instead(file, () => Deno.symlink("/dev/null", file)),
    comes: ["store_io"],
    says: /kv\.db" cannot be used: /,
  },
  {
    state: "the database is a pipe",
    harm: ({ file }) =>
      instead(
        file,
        () => new Deno.Command("mkfifo", { args: [file] }).output(),
      ),
    comes: ["store_io"],
    says: /kv\.db" cannot be used: /,
  },
  {
    state: "a file is in the place of .mnem",
    harm: ({ folder }) =>
      instead(folder, () => Deno.writeTextFile(folder, "x")),
    comes: ["store_io"],
    says: /cannot be used: /,
  },
  {
    state: "a file is in the place of the folder",
    harm: ({ path }) => instead(path, () => Deno.writeTextFile(path, "x")),
    comes: ["store_io"],
    says: /cannot be used: /,
  },
  {
    state: "links go round in a circle",
    harm: ({ folder }) => instead(folder, () => Deno.symlink(folder, folder)),
    comes: ["store_io"],
    says: /cannot be used: /,
  },
  {
    state: "a link leads to nothing",
    harm: ({ folder }) => instead(folder, () => Deno.symlink("none", folder)),
    comes: ["no_store"],
    says: /^There is no store in/,
  },
  {
    state: "a link leads to the store",
    harm: async ({ folder }) => {
      await Deno.rename(folder, `${folder}.there`);
      await Deno.symlink(`${folder}.there`, folder);
    },
    comes: ["good", "good", "good"],
  },
  {
    state: "the log of what came last is lost",
    harm: ({ file, path }) => loseLog(file, path),
    // A true state of the past, with every id in order: nothing within can tell.
    comes: ["good", "past", "good"],
  },
  {
    state: "the folder is removed while the store is open",
    isOpen: true,
    harm: ({ path }) => remove(path),
    comes: ["good", "good", "store_io"],
    says: /was removed or replaced while it was open/,
  },
  {
    state: "the database is removed while the store is open",
    isOpen: true,
    harm: ({ file }) => remove(file),
    comes: ["good", "good", "store_io"],
    says: /was removed or replaced while it was open/,
  },
  {
    state: "the database is replaced while the store is open",
    isOpen: true,
    harm: async ({ file }) => {
      await Deno.copyFile(file, `${file}.copy`);
      await Deno.rename(`${file}.copy`, file);
    },
    comes: ["good", "good", "store_io"],
    says: /was removed or replaced while it was open/,
  },
];

/** A store of two nodes, the second one still in a log; its copy without that log. */
async function loseLog(file: string, path: string): Promise<void> {
  await using store = await openStore(path);
  await store.write([{ id: "b", content: "new" }], { message: "new" });
  await Deno.copyFile(file, `${file}.copy`);
  await store.close();
  await Deno.rename(`${file}.copy`, file);
}

const PAST = [["a", 1], ["b", 2]];

async function placeIn(root: string): Promise<Place> {
  const path = `${root}/mem`;
  await using store = await openStore(path, { create: true });
  await store.write([{ id: "a", content: 1 }, { id: "b", content: 2 }], {
    message: "two",
  });
  return { path, folder: `${path}/.mnem`, file: `${path}/.mnem/kv.db` };
}

async function meet(
  { path }: Place,
  opened: Store | undefined,
): Promise<{ readonly outcomes: readonly string[]; readonly said: string }> {
  const outcomes: string[] = [];
  let said = "";
  const step = async <T>(call: () => Promise<T>): Promise<T | undefined> => {
    try {
      const value = await call();
      outcomes.push("good");
      return value;
    } catch (error) {
      assert.ok(error instanceof Error);
      said ||= error.message;
      outcomes.push(isMnemError(error) ? error.code : error.name);
      return undefined;
    }
  };
  const store = opened ?? await step(() => openStore(path));
  if (store === undefined) return { outcomes, said };
  if (opened !== undefined) outcomes.push("good");
  await using _ = store;
  const memory = await step(() => store.memory());
  const nodes = [...memory ?? []].map(([id, { content }]) => [id, content]);
  if (memory !== undefined) assert.deepEqual(nodes, PAST);
  await step(() => store.write([{ id: "c", content: 3 }], { message: "c" }));
  return { outcomes, said };
}

Deno.test({
  name: "each state of a disk has its code, at opening, reading and writing",
  ignore: Deno.build.os === "windows",
}, async (t) => {
  const states = new Set<string>();
  for (const { state, harm, isOpen, comes, says } of STATES) {
    await t.step(state, async () => {
      await using root = await tempFolder();
      const place = await placeIn(root.path);
      const opened = isOpen ? await openStore(place.path) : undefined;
      await harm(place);
      const before = await readdir(root.path, { recursive: true });
      const { outcomes, said } = await meet(place, opened);
      const expected = comes.map((one) => one === "past" ? "good" : one);
      assert.deepEqual(outcomes, expected, said);
      if (says === undefined) return assert.equal(said, "");
      assert.match(said, says);
      assert.ok(said.includes(place.path), said);
      if (comes[0] !== "good") {
        // What cannot be opened is left as it is.
        assert.deepEqual(await readdir(root.path, { recursive: true }), before);
      }
      states.add(state);
    });
  }
  reportFigures("disk-states", { states: STATES.length, named: states.size });
});

Deno.test("a path of too many bytes is refused, one of too long a name is store_io", async () => {
  await using root = await tempFolder();
  await assert.rejects(
    openStore(`${root.path}/${"deep/".repeat(100)}`),
    (error) =>
      error instanceof RangeError && /limit is 480/.test(error.message),
  );
  await assert.rejects(
    openStore(`${root.path}/${"n".repeat(300)}`),
    (error) =>
      isMnemError(error, "store_io") && /cannot be used: /.test(error.message),
  );
  await assert.rejects(lstat(`${root.path}/deep`), { code: "ENOENT" });
});

const noDisk = await smallDiskMissing();

Deno.test({
  name: `a full disk is store_io, and all that was written is read${
    noDisk ? ` (skipped: ${noDisk})` : ""
  }`,
  ignore: noDisk !== undefined,
}, async () => {
  await using root = await tempFolder();
  await using _ = await smallDisk(root.path, 4 * 1024 * 1024);
  const { path } = await placeIn(root.path);
  await using store = await openStore(path);
  const fill = async () => {
    for (let i = 0;; i++) {
      const content = `${i} `.repeat(100_000);
      await store.write([{ id: "fill", content }], { message: "fill" });
    }
  };
  await assert.rejects(
    fill(),
    (error) =>
      isMnemError(error, "store_io") && /the disk is full/.test(error.message),
  );
  const head = await store.head();
  const memory = await store.memory();
  assert.equal(memory.get("a")?.content, 1);
  assert.ok(memory.has("fill"), "what was acknowledged is there");
  assert.deepEqual((await store.verify()).faults, []);
  await store.close();
  await using again = await openStore(path);
  assert.deepEqual(await again.head(), head);
  assert.deepEqual(await again.memory(), memory);
});

/** What another user may not, and how far opening, reading and writing come. */
const DENIALS: readonly {
  readonly state: string;
  readonly modes: { readonly folder: number; readonly file: number };
  readonly reached: readonly string[];
}[] = [
  {
    state: "the folder may be read only",
    modes: { folder: 0o555, file: 0o666 },
    reached: [],
  },
  {
    state: "the database may be read only",
    modes: { folder: 0o777, file: 0o444 },
    reached: ["open", "read"],
  },
  {
    state: "the database may not be read",
    modes: { folder: 0o777, file: 0o000 },
    reached: [],
  },
  {
    state: "the folder may not be entered",
    modes: { folder: 0o700, file: 0o666 },
    reached: [],
  },
];

const noUid = otherUidMissing();

Deno.test({
  name: `what a user may not is store_io, and names the store${
    noUid ? ` (skipped: ${noUid})` : ""
  }`,
  ignore: noUid !== undefined,
}, async () => {
  await using root = await tempFolder();
  await Deno.chmod(root.path, 0o755);
  const places: Place[] = [];
  for (const { modes, state } of DENIALS) {
    const place = await placeIn(`${root.path}/${state}`);
    await Deno.chmod(place.file, modes.file);
    await Deno.chmod(place.folder, modes.folder);
    places.push(place);
  }
  const script = new URL("../support/report_opens.ts", import.meta.url);
  const calls = places.flatMap(({ path }) => ["open", path]);
  const { code, stdout, stderr } = await runAsOtherUid(script, calls);
  for (const { folder } of places) await Deno.chmod(folder, 0o755);
  assert.equal(code, 0, stderr);
  const reports: readonly OpenReport[] = JSON.parse(stdout);
  for (const [i, { state, reached }] of DENIALS.entries()) {
    const report = reports[i]!;
    assert.deepEqual(report.reached, reached, `${state}: ${stdout}`);
    assert.equal(report.code, "store_io", state);
    assert.ok(report.message?.includes(places[i]!.path), report.message);
  }
});
