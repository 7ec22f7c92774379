import assert from "node:assert/strict";
import { tempFolder } from "../../tests/support/temp_folder.ts";
import { createFolder, inspectLocal } from "./local_folder.ts";
import { type LocalLocation, parseLocation } from "./location.ts";
import { openDriver } from "./open_driver.ts";

function locate(path: string): LocalLocation {
  const location = parseLocation(path);
  assert(location.kind === "local");
  return location;
}

/** A closed store with a few pages. */
async function closedStore(path: string): Promise<LocalLocation> {
  const location = locate(path);
  await createFolder(location);
  const driver = await openDriver(location);
  await driver.commit({
    sets: [{ key: ["a"], value: new Uint8Array(50_000) }],
  });
  driver.close();
  return location;
}

Deno.test("inspectLocal() finds nothing where there is no file, or an empty one", async () => {
  await using folder = await tempFolder();
  const location = locate(`${folder.path}/deep/mem`);
  assert.equal(inspectLocal(location), "absent");
  await createFolder(location);
  assert.equal(inspectLocal(location), "absent");
  await Deno.writeFile(location.file, new Uint8Array());
  assert.equal(inspectLocal(location), "absent");
});

Deno.test("inspectLocal() finds a store, open or closed", async () => {
  await using folder = await tempFolder();
  const location = await closedStore(folder.path);
  assert.equal(inspectLocal(location), "present");
  const driver = await openDriver(location);
  await driver.commit({ deletes: [["a"]] });
  assert.equal(inspectLocal(location), "present");
  driver.close();
});

Deno.test("inspectLocal() finds what a dead process left half done", async () => {
  await using folder = await tempFolder();
  const location = await closedStore(folder.path);
  const { size } = await Deno.stat(location.file);
  // A file that is still too short by its header, and the log or journal with the rest.
  await Deno.truncate(location.file, size - 4_096);
  for (const suffix of ["-wal", "-journal"]) {
    await Deno.writeTextFile(location.file + suffix, "rest");
    assert.equal(inspectLocal(location), "present");
    await Deno.remove(location.file + suffix);
  }
  assert.throws(() => inspectLocal(location), { code: "corrupt_store" });
});

const damages: readonly [
  what: string,
  harm: (location: LocalLocation) => Promise<void>,
  message: RegExp,
][] = [
  [
    "a text file",
    ({ file }) => Deno.writeTextFile(file, "my notes\n".repeat(500)),
    /kv\.db" is not a SQLite database$/,
  ],
  [
    "a short text file",
    ({ file }) => Deno.writeTextFile(file, "SQLite format 4"),
    /is not a SQLite database$/,
  ],
  [
    "the beginning of a database",
    ({ file }) => Deno.truncate(file, 60),
    /is cut short: it has 60 bytes and must have 100$/,
  ],
  [
    "a database that lacks its end",
    async ({ file }) =>
      await Deno.truncate(file, (await Deno.stat(file)).size - 1),
    /is cut short: it has \d+ bytes and must have \d+$/,
  ],
  [
    "a log without its file",
    async ({ file }) => {
      await Deno.remove(file);
      await Deno.writeTextFile(`${file}-wal`, "log");
    },
    /kv\.db" is missing beside its log/,
  ],
  [
    "a log with an empty file",
    async ({ file }) => {
      await Deno.truncate(file);
      await Deno.writeTextFile(`${file}-wal`, "log");
    },
    /kv\.db" is empty beside its log/,
  ],
];

for (const [what, harm, message] of damages) {
  Deno.test(`inspectLocal() reports ${what} as corrupt`, async () => {
    await using folder = await tempFolder();
    const location = await closedStore(folder.path);
    assert.equal(inspectLocal(location), "present");
    await harm(location);
    assert.throws(() => inspectLocal(location), {
      code: "corrupt_store",
      message,
    });
  });
}

const obstacles: readonly [
  what: string,
  put: (location: LocalLocation) => Promise<void>,
][] = [
  [
    "a folder for the file",
    ({ file }) => Deno.mkdir(file, { recursive: true }),
  ],
  [
    "a file for .mnem",
    ({ folder }) => Deno.writeTextFile(folder, "x"),
  ],
  [
    "a device for the file",
    async ({ folder, file }) => {
      await Deno.mkdir(folder);
      await Deno.symlink("/dev/null", file);
    },
  ],
  [
    "a loop of links",
    ({ folder }) => Deno.symlink(folder, folder),
  ],
];

for (const [what, put] of obstacles) {
  Deno.test(`inspectLocal() says that the file cannot be used where ${what} stands`, async () => {
    await using folder = await tempFolder();
    const location = locate(folder.path);
    assert.equal(inspectLocal(location), "absent");
    await put(location);
    assert.throws(() => inspectLocal(location), (error: Error) => {
      assert.equal(Reflect.get(error, "code"), "store_io");
      assert(
        error.message.includes(`: "${location.file}" cannot be used: `),
        error.message,
      );
      return true;
    });
  });
}

Deno.test("createFolder() makes what is missing, for its owner only", async () => {
  await using folder = await tempFolder();
  const location = locate(`${folder.path}/a/b`);
  const { made } = await createFolder(location);
  assert.deepEqual(made, [
    `${folder.path}/a`,
    `${folder.path}/a/b`,
    `${folder.path}/a/b/.mnem`,
  ]);
  const { mode } = await Deno.stat(location.folder);
  assert.equal((mode ?? 0) & 0o777, 0o700);
  assert.deepEqual((await createFolder(location)).made, []);
});

Deno.test("createFolder() undoes what it made, and no more", async () => {
  await using folder = await tempFolder();
  await Deno.mkdir(`${folder.path}/a`);
  const created = await createFolder(locate(`${folder.path}/a/b/c`));
  assert.equal(created.made.length, 3);
  await created.undo();
  assert.deepEqual(await namesIn(folder.path), ["a"]);
  assert.deepEqual(await namesIn(`${folder.path}/a`), []);
  await created.undo();
});

Deno.test("createFolder() undoes the folders above one that is gone already", async () => {
  await using folder = await tempFolder();
  const location = locate(`${folder.path}/a/b`);
  const created = await createFolder(location);
  await Deno.remove(location.folder);
  await created.undo();
  assert.deepEqual(await namesIn(folder.path), []);
});

Deno.test("createFolder() leaves a folder that somebody uses by now", async () => {
  await using folder = await tempFolder();
  const location = locate(`${folder.path}/a/b`);
  const created = await createFolder(location);
  await Deno.writeTextFile(location.file, "theirs");
  await created.undo();
  assert.equal(await Deno.readTextFile(location.file), "theirs");
});

Deno.test("createFolder() names what is in the way, and leaves nothing", async () => {
  await using folder = await tempFolder();
  await Deno.writeTextFile(`${folder.path}/a`, "x");
  for (const path of [`${folder.path}/a`, `${folder.path}/a/b`]) {
    await assert.rejects(createFolder(locate(path)), (error: Error) => {
      assert.equal(Reflect.get(error, "code"), "store_io");
      assert(
        error.message.startsWith(`Cannot create store "${path}": `),
        error.message,
      );
      assert(error.message.includes(`'${folder.path}/a`), error.message);
      return true;
    });
  }
  const long = `${folder.path}/new/${"x".repeat(256)}`;
  await assert.rejects(createFolder(locate(long)), { code: "store_io" });
  assert.deepEqual(await namesIn(folder.path), ["a"]);
});

Deno.test("createFolder() makes each folder once, however many start at the same time", async () => {
  await using folder = await tempFolder();
  const location = locate(`${folder.path}/a/b/c`);
  const created = await Promise.all(
    Array.from({ length: 8 }, () => createFolder(location)),
  );
  const made = created.flatMap((one) => one.made);
  assert.equal(made.length, 4);
  assert.equal(new Set(made).size, 4);
});

async function namesIn(path: string): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(path));
  return entries.map((entry) => entry.name);
}
