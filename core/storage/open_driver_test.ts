import assert from "node:assert/strict";
import { kvConnectServer } from "../../tests/support/kv_connect_server.ts";
import type { CallReport } from "../../tests/support/report_calls.ts";
import { tempFolder } from "../../tests/support/temp_folder.ts";
import { createFolder } from "./local_folder.ts";
import { type LocalLocation, parseLocation } from "./location.ts";
import { chooseClient, openDriver } from "./open_driver.ts";

const ALL = ["open", "read", "write"];

async function newFolder(path: string): Promise<LocalLocation> {
  const location = parseLocation(path);
  assert(location.kind === "local");
  await createFolder(location);
  return location;
}

/** What a process with other flags or another environment makes of some stores. */
async function reportsOf(options: {
  readonly flags: readonly string[];
  readonly env?: Record<string, string>;
  readonly stores: readonly string[];
}): Promise<CallReport[]> {
  await using folder = await tempFolder();
  // No flag of the workspace's own may reach the process.
  const root = await Deno.readTextFile(
    new URL("../../deno.json", import.meta.url),
  );
  const config = `${folder.path}/deno.json`;
  await Deno.writeTextFile(
    config,
    JSON.stringify({ imports: JSON.parse(root).imports }),
  );
  const script = new URL(
    "../../tests/support/report_calls.ts",
    import.meta.url,
  );
  const output = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-prompt",
      "--cached-only",
      `--lock=${new URL("../../deno.lock", import.meta.url).pathname}`,
      "--frozen",
      `--config=${config}`,
      ...options.flags,
      script.pathname,
      ...options.stores,
    ],
    env: { DENO_KV_ACCESS_TOKEN: "", ...options.env },
  }).output();
  const stderr = new TextDecoder().decode(output.stderr);
  assert.equal(output.code, 0, stderr);
  return JSON.parse(new TextDecoder().decode(output.stdout));
}

Deno.test("openDriver() takes the native client where it is switched on", async () => {
  await using folder = await tempFolder();
  const location = await newFolder(folder.path);
  assert.equal(chooseClient(location), "native");
  assert.equal(chooseClient(parseLocation("https://kv.test")), "npm");
  const driver = await openDriver(location);
  assert.equal(driver.name, "native");
  await driver.commit({ sets: [{ key: ["a"], value: new Uint8Array(2) }] });
  driver.close();
  const again = await openDriver(location);
  assert.equal((await again.getMany([["a"]]))[0]?.value.length, 2);
  again.close();
});

Deno.test("openDriver() takes the npm client where the native one is switched off", async () => {
  await using folder = await tempFolder();
  await newFolder(folder.path);
  const stores = ["any", folder.path];
  assert.deepEqual(await reportsOf({ flags: ["-A"], stores }), [{
    client: "npm",
    reached: ALL,
  }]);
  assert.deepEqual(
    await reportsOf({ flags: ["-A", "--unstable-kv"], stores }),
    [
      { client: "native", reached: ALL },
    ],
  );
});

Deno.test("openDriver() says what to do where the addon cannot be loaded", async () => {
  await using folder = await tempFolder();
  await newFolder(folder.path);
  const [report] = await reportsOf({
    flags: ["--allow-read", "--allow-write", "--allow-env"],
    stores: ["any", folder.path],
  });
  assert.equal(report?.code, "store_io");
  assert.match(
    report?.message ?? "",
    /run Deno with --unstable-kv.*: Requires (sys|ffi) access/,
  );
});

Deno.test("openDriver() says which permission is missing", async () => {
  await using folder = await tempFolder();
  await newFolder(folder.path);
  const [report] = await reportsOf({
    flags: ["--allow-env", "--allow-read=/nowhere", "--unstable-kv"],
    stores: ["any", folder.path],
  });
  assert.equal(report?.code, "store_io");
  assert.match(
    report?.message ?? "",
    /^Cannot open store ".*": Requires read access/,
  );
});

const rerouting = {
  DENO_KV_DB_MODE: "memory",
  DENO_KV_PATH_PREFIX: "elsewhere/",
};

Deno.test("openDriver() keeps the environment from moving the store", async () => {
  await using folder = await tempFolder();
  const location = await newFolder(folder.path);
  const reports = await reportsOf({
    flags: ["-A", "--unstable-kv"],
    env: rerouting,
    stores: ["native", folder.path],
  });
  assert.deepEqual(reports, [{ client: "native", reached: ALL }]);
  const driver = await openDriver(location);
  assert.equal((await driver.getMany([["a"]]))[0]?.value.length, 1);
  driver.close();
});

Deno.test("openDriver() notices that the environment moved a store, new or not", async () => {
  await using folder = await tempFolder();
  await newFolder(folder.path);
  await using old = await tempFolder();
  const driver = await openDriver(await newFolder(old.path));
  await driver.commit({ sets: [{ key: ["a"], value: new Uint8Array(2) }] });
  driver.close();
  const reports = await reportsOf({
    flags: ["--allow-read", "--allow-write", "--deny-env", "--unstable-kv"],
    env: { DENO_KV_DB_MODE: "memory" },
    stores: ["native", folder.path, "native", old.path],
  });
  for (const report of reports) {
    assert.equal(report.code, "store_io");
    assert.match(
      report.message ?? "",
      /Deno KV opened no file there; unset DENO_KV_DB_MODE, /,
    );
  }
  assert.equal(reports.length, 2);
});

Deno.test("openDriver() opens a store where it may not look at the environment", async () => {
  await using folder = await tempFolder();
  await newFolder(folder.path);
  const [report] = await reportsOf({
    flags: ["--allow-read", "--allow-write", "--deny-env", "--unstable-kv"],
    env: {},
    stores: ["native", folder.path],
  });
  assert.equal(report?.code, undefined, report?.message);
  assert.equal(report?.client, "native");
});

/** Opens a store while the native client answers as told, and counts how often it was asked. */
async function openWith(
  location: LocalLocation,
  answer: (attempt: number) => Promise<Deno.Kv>,
): Promise<{ attempts: number; outcome: unknown }> {
  const native = Object.getOwnPropertyDescriptor(Deno, "openKv");
  assert(native !== undefined);
  let attempts = 0;
  Object.defineProperty(Deno, "openKv", {
    value: () => answer(++attempts),
    configurable: true,
  });
  try {
    const driver = await openDriver(location);
    driver.close();
    return { attempts, outcome: "opened" };
  } catch (outcome) {
    return { attempts, outcome };
  } finally {
    Object.defineProperty(Deno, "openKv", native);
  }
}

Deno.test("openDriver() tries again while others hold the lock", async () => {
  await using folder = await tempFolder();
  const location = await newFolder(folder.path);
  const { openKv } = Deno;
  const { attempts, outcome } = await openWith(
    location,
    (attempt) =>
      attempt < 4
        ? Promise.reject(new Error("database is locked"))
        : openKv(location.file),
  );
  assert.equal(outcome, "opened");
  assert.equal(attempts, 4);
});

Deno.test("openDriver() gives up on a lock after its time, and on anything else at once", async () => {
  await using folder = await tempFolder();
  const location = await newFolder(folder.path);
  const { now } = performance;
  try {
    let time = 0;
    performance.now = () => time += 1_999;
    const locked = await openWith(
      location,
      () => Promise.reject(new Error("database is locked")),
    );
    assert.equal(Reflect.get(Object(locked.outcome), "code"), "busy");
    // At 1,999 ms it begins; the attempts end at 3,998, 5,997 and 7,996 of 6,999 ms.
    assert.equal(locked.attempts, 3);
  } finally {
    performance.now = now;
  }
  const full = await openWith(
    location,
    () => Promise.reject(new Error("database or disk is full")),
  );
  assert.equal(Reflect.get(Object(full.outcome), "code"), "store_io");
  assert.equal(full.attempts, 1);
});

Deno.test("openDriver() opens a server with either client, the token from the environment", async () => {
  await using folder = await tempFolder();
  await using server = await kvConnectServer(`${folder.path}/kv.db`, "t0ken");
  const stores = ["native", server.url, "npm", server.url];
  const flags = ["-A", "--unstable-kv"];
  const right = await reportsOf({
    flags,
    env: { DENO_KV_ACCESS_TOKEN: "t0ken" },
    stores,
  });
  assert.deepEqual(right, [{ client: "native", reached: ALL }, {
    client: "npm",
    reached: ALL,
  }]);
  const { requests } = server;
  assert(requests >= 6, `${requests}`);

  const tokens: readonly [string, RegExp][] = [
    ["wr0ng", /: the server refused the access token in DENO_KV_ACCESS_TOKEN$/],
    ["", /: the environment variable DENO_KV_ACCESS_TOKEN is not set$/],
    // The native client would end the process, and that of npm quote it.
    [
      "t0\nken",
      /: the environment variable DENO_KV_ACCESS_TOKEN holds a character that no token has$/,
    ],
  ];
  for (const [token, message] of tokens) {
    const reports = await reportsOf({
      flags,
      env: { DENO_KV_ACCESS_TOKEN: token },
      stores,
    });
    assert.equal(reports.length, 2);
    for (const report of reports) {
      assert.equal(report.code, "store_io");
      assert.deepEqual(report.reached, []);
      assert.match(report.message ?? "", message);
      assert(!report.message?.includes('ken"'), report.message);
    }
  }
  assert.equal(server.requests, requests);
});

Deno.test("openDriver() says that a server cannot be reached", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${listener.addr.port}`;
  listener.close();
  const reports = await reportsOf({
    flags: ["-A", "--unstable-kv"],
    env: { DENO_KV_ACCESS_TOKEN: "t0ken" },
    stores: ["native", url, "npm", url],
  });
  assert.equal(reports.length, 2);
  for (const { code, message } of reports) {
    assert.equal(code, "store_io");
    assert.equal(
      message,
      `Cannot open store "${url}": its server cannot be reached`,
    );
  }
});
