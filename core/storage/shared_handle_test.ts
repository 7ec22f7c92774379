import assert from "node:assert/strict";
import { tempFolder } from "../../tests/support/temp_folder.ts";
import type { Driver } from "./driver.ts";
import { createFolder } from "./local_folder.ts";
import { type LocalLocation, parseLocation } from "./location.ts";
import { openDriver } from "./open_driver.ts";
import { acquireHandle } from "./shared_handle.ts";

async function newFolder(path: string): Promise<LocalLocation> {
  const location = parseLocation(path);
  assert(location.kind === "local");
  await createFolder(location);
  return location;
}

/** Opens with the native client, and counts how many handles are open. */
class Opener {
  readonly client = "native";
  opened = 0;
  closed = 0;
  readonly #location: LocalLocation;

  constructor(location: LocalLocation) {
    this.#location = location;
  }

  readonly open = async (): Promise<Driver> => {
    this.opened++;
    const driver = await openDriver(this.#location, { client: "native" });
    const close = driver.close.bind(driver);
    driver.close = () => {
      this.closed++;
      close();
    };
    return driver;
  };
}

Deno.test("acquireHandle() shares one handle, and the last release closes it", async () => {
  await using folder = await tempFolder();
  const location = await newFolder(folder.path);
  const opener = new Opener(location);
  const leases = await Promise.all(
    Array.from({ length: 5 }, () => acquireHandle(location, opener)),
  );
  const later = await acquireHandle(location, opener);
  assert.equal(opener.opened, 1);
  for (const lease of leases) {
    assert.equal(lease.driver, later.driver);
    assert.equal(lease.attachments, later.attachments);
    lease.release();
    lease.release();
  }
  assert.equal(opener.closed, 0);
  assert.deepEqual(await later.driver.getMany([["a"]]), [null]);
  later.release();
  assert.equal(opener.closed, 1);
  await assert.rejects(later.driver.getMany([["a"]]));
  later.release();
  assert.equal(opener.closed, 1);
});

Deno.test("acquireHandle() opens anew after the last release, without the old attachments", async () => {
  await using folder = await tempFolder();
  const location = await newFolder(folder.path);
  const opener = new Opener(location);
  const first = await acquireHandle(location, opener);
  first.attachments.set("cache", 1);
  first.release();
  const second = await acquireHandle(location, opener);
  assert.equal(opener.opened, 2);
  assert.equal(second.attachments.size, 0);
  second.release();
});

Deno.test("acquireHandle() knows a store by its real path", async () => {
  await using folder = await tempFolder();
  const location = await newFolder(`${folder.path}/mem`);
  await Deno.symlink(`${folder.path}/mem`, `${folder.path}/link`);
  const linked = parseLocation(`${folder.path}/link`);
  const other = await newFolder(`${folder.path}/other`);
  const opener = new Opener(location);
  const lease = await acquireHandle(location, opener);
  const same = await acquireHandle(linked, opener);
  assert.equal(same.driver, lease.driver);
  const another = await acquireHandle(other, new Opener(other));
  assert.notEqual(another.driver, lease.driver);
  for (const one of [lease, same, another]) one.release();
});

Deno.test("acquireHandle() lets the calls in flight end before it closes", async () => {
  await using folder = await tempFolder();
  const location = await newFolder(folder.path);
  const lease = await acquireHandle(location, new Opener(location));
  const keys = Array.from({ length: 200 }, (_, at) => [`${at}`]);
  const write = lease.driver.commit({
    sets: keys.map((key) => ({ key, value: new Uint8Array(1_000) })),
  });
  const read = lease.driver.getMany(keys);
  lease.release();
  assert.equal((await write).ok, true);
  assert.equal((await read).length, 200);
  const again = await acquireHandle(location, new Opener(location));
  assert.equal((await again.driver.getMany([["7"]]))[0]?.value.length, 1_000);
  again.release();
});

Deno.test("acquireHandle() never closes a handle that another is just acquiring", async () => {
  await using folder = await tempFolder();
  const location = await newFolder(folder.path);
  const opener = new Opener(location);
  let lease = await acquireHandle(location, opener);
  for (let round = 0; round < 20; round++) {
    const next = acquireHandle(location, opener);
    // At each of the steps that the other takes.
    for (let step = 0; step < round; step++) await Promise.resolve();
    lease.release();
    lease = await next;
    assert.deepEqual(await lease.driver.getMany([["a"]]), [null]);
  }
  lease.release();
  assert.equal(opener.closed, opener.opened);
});

Deno.test("acquireHandle() gives a store that was put in the place of another a new handle", async () => {
  await using folder = await tempFolder();
  const location = await newFolder(folder.path);
  const opener = new Opener(location);
  const old = await acquireHandle(location, opener);
  await old.driver.commit({
    sets: [{ key: ["old"], value: new Uint8Array(1) }],
  });
  await Deno.remove(location.folder, { recursive: true });
  await createFolder(location);
  const leases = await Promise.all(
    [1, 2, 3].map(() => acquireHandle(location, opener)),
  );
  assert.equal(opener.opened, 2);
  assert.equal(opener.closed, 0);
  const [fresh] = leases;
  assert(fresh !== undefined && fresh.driver !== old.driver);
  assert.deepEqual(await fresh.driver.getMany([["old"]]), [null]);
  await fresh.driver.commit({
    sets: [{ key: ["new"], value: new Uint8Array(1) }],
  });
  // Its holders keep the old one to the end, and its end does the new one no harm.
  assert.notEqual((await old.driver.getMany([["old"]]))[0], null);
  old.release();
  assert.equal(opener.closed, 1);
  await fresh.driver.commit({
    sets: [{ key: ["newer"], value: new Uint8Array(1) }],
  });
  for (const lease of leases) lease.release();
  assert.equal(opener.closed, 2);
  const again = await acquireHandle(location, opener);
  const rows = await again.driver.getMany([["old"], ["new"], ["newer"]]);
  assert.deepEqual(rows.map((row) => row === null), [true, false, false]);
  again.release();
});

Deno.test("acquireHandle() refuses a second client for the same file, even later", async () => {
  await using folder = await tempFolder();
  const location = await newFolder(folder.path);
  const opener = new Opener(location);
  const npm = {
    client: "npm" as const,
    open: () => assert.fail("must not open"),
  };
  const refused = {
    code: "store_io",
    message:
      /with the npm client of Deno KV: this process opened it with the native one$/,
  };
  const lease = await acquireHandle(location, opener);
  await assert.rejects(acquireHandle(location, npm), refused);
  lease.release();
  await assert.rejects(acquireHandle(location, npm), refused);
  (await acquireHandle(location, opener)).release();
});

Deno.test("acquireHandle() hands on a failed open to all who wait, and tries again afterwards", async () => {
  const location = parseLocation("https://kv.example/failing");
  let opens = 0;
  const failing = {
    client: "npm" as const,
    open: () => Promise.reject(new Error(`no ${++opens}`)),
  };
  const [first, second] = [
    acquireHandle(location, failing),
    acquireHandle(location, failing),
  ];
  await assert.rejects(first, /no 1/);
  await assert.rejects(second, /no 1/);
  await assert.rejects(acquireHandle(location, failing), /no 2/);
  // Nothing was opened, so the other client may.
  const open = () => Promise.resolve(idleDriver());
  const lease = await acquireHandle(location, { client: "native", open });
  assert.deepEqual(await lease.driver.getMany([["a"]]), [null]);
  lease.release();
});

Deno.test("acquireHandle() shares one handle between two loaded copies of its module", async () => {
  await using folder = await tempFolder();
  const location = await newFolder(folder.path);
  const opener = new Opener(location);
  const copy: typeof import("./shared_handle.ts") = await import(
    "./shared_handle.ts?copy"
  );
  assert.notEqual(copy.acquireHandle, acquireHandle);
  const here = await acquireHandle(location, opener);
  const there = await copy.acquireHandle(location, opener);
  assert.equal(here.driver, there.driver);
  here.release();
  assert.equal(opener.closed, 0);
  there.release();
  assert.equal(opener.closed, 1);
});

Deno.test("acquireHandle() shares the handle of a server by its URL", async () => {
  const location = parseLocation("https://kv.example/a");
  let closed = 0;
  const open = () => Promise.resolve(idleDriver(() => closed++));
  const first = await acquireHandle(location, { client: "npm", open });
  const same = await acquireHandle(parseLocation("HTTPS://KV.example/a"), {
    client: "npm",
    open,
  });
  const other = await acquireHandle(parseLocation("https://kv.example/b"), {
    client: "npm",
    open,
  });
  assert.equal(same.driver, first.driver);
  assert.notEqual(other.driver, first.driver);
  for (const lease of [first, same, other]) lease.release();
  assert.equal(closed, 2);
});

function idleDriver(close: () => void = () => {}): Driver {
  return {
    name: "npm",
    getMany: (keys) => Promise.resolve(keys.map(() => null)),
    list: () => assert.fail("no rows"),
    commit: () => Promise.resolve({ ok: false }),
    close,
  };
}
