import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { holdLock } from "../../tests/support/hold_lock.ts";
import {
  otherUidMissing,
  runAsOtherUid,
} from "../../tests/support/other_uid.ts";
import type { UseName, UseReport } from "../../tests/support/report_uses.ts";
import { tempFolder } from "../../tests/support/temp_folder.ts";
import { MnemError, type MnemErrorCode } from "../errors.ts";
import type { Driver } from "./driver.ts";
import { isLocked, isStopped, storageError } from "./kv_errors.ts";
import { createFolder } from "./local_folder.ts";
import { type LocalLocation, parseLocation } from "./location.ts";
import { openDriver } from "./open_driver.ts";

type Client = Driver["name"];
const CLIENTS: readonly Client[] = ["native", "npm"];
const row = { key: ["a"], value: new Uint8Array(200) };

/** A store with 300 rows, closed, in a folder of its own. */
async function closedStore(
  path: string,
  client: Client,
): Promise<LocalLocation> {
  const location = parseLocation(path);
  assert(location.kind === "local");
  await createFolder(location);
  const driver = await openDriver(location, { client });
  const sets = Array.from(
    { length: 300 },
    (_, at) => ({ ...row, key: ["n", `${at}`] }),
  );
  await driver.commit({ sets: [row, ...sets] });
  driver.close();
  return location;
}

async function thrownBy(call: Promise<unknown>): Promise<MnemError> {
  const error = await call.then(() => undefined, (error) => error);
  assert(error instanceof MnemError, `threw ${error}`);
  return error;
}

/** Lets a client open a folder in which something is wrong. */
function testOpen(what: string, options: {
  readonly harm: (location: LocalLocation) => Promise<void>;
  readonly code: MnemErrorCode;
  readonly message: RegExp;
}): void {
  for (const client of CLIENTS) {
    Deno.test(`storageError() names ${what}, as met by the ${client} client`, async () => {
      await using folder = await tempFolder();
      const location = await closedStore(folder.path, client);
      await options.harm(location);
      const error = await thrownBy(openDriver(location, { client }));
      assert.equal(error.code, options.code);
      assert.equal(error.outcome, "none");
      assert(
        error.message.startsWith(`Cannot open store "${folder.path}": `),
        error.message,
      );
      assert.match(error.message, options.message);
      assert.doesNotMatch(error.message, /\n|backtrace/);
      assert(error.cause instanceof Error);
    });
  }
}

testOpen("a file of another kind", {
  harm: ({ file }) => Deno.writeTextFile(file, "a text\n".repeat(1_000)),
  code: "corrupt_store",
  message: /is not a SQLite database$/,
});
testOpen("a file that was cut short", {
  harm: ({ file }) => Deno.truncate(file, 5_000),
  code: "corrupt_store",
  message: /is damaged$/,
});
testOpen("a folder in the place of the file", {
  harm: async ({ file }) => {
    await Deno.remove(file);
    await Deno.mkdir(file);
  },
  code: "store_io",
  message: /cannot be opened/,
});
testOpen("a missing folder", {
  harm: ({ folder }) => Deno.remove(folder, { recursive: true }),
  code: "no_store",
  message: /there is no folder ".*\.mnem"$/,
});
testOpen("a device in the place of the file", {
  harm: async ({ file }) => {
    await Deno.remove(file);
    await Deno.symlink("/dev/null", file);
  },
  code: "store_io",
  message: /disk I\/O error$/,
});

/** Lets a client use a file that opens though something is wrong in it. */
function testUse(what: string, options: {
  readonly harm: (database: DatabaseSync, location: LocalLocation) => void;
  readonly calls: readonly UseName[];
  readonly message: RegExp;
}): void {
  for (const client of CLIENTS) {
    Deno.test(`storageError() names ${what}, as met by the ${client} client`, async () => {
      await using folder = await tempFolder();
      const location = await closedStore(folder.path, client);
      options.harm(new DatabaseSync(location.file), location);
      const reports = await useElsewhere(client, folder.path, options.calls);
      assert.equal(reports.length, options.calls.length);
      for (const [at, name] of options.calls.entries()) {
        const { code, outcome, message } = reports[at] ?? {};
        assert.equal(code, "corrupt_store", `${name}: ${message}`);
        assert.equal(outcome, name === "commit" ? "unknown" : "none");
        assert.match(message ?? "", options.message);
      }
    });
  }
}

const USES = new URL("../../tests/support/report_uses.ts", import.meta.url);

/** In a process of its own: on damage the engine of KV has been seen to end the whole process. Then once more. */
async function useElsewhere(
  client: Client,
  path: string,
  calls: readonly UseName[],
): Promise<UseReport[]> {
  for (let attempt = 1;; attempt++) {
    const { code, signal, stdout, stderr } = await new Deno.Command(
      Deno.execPath(),
      {
        args: [
          "run",
          "-A",
          "--no-check",
          USES.pathname,
          client,
          path,
          ...calls,
        ],
      },
    ).output();
    if (signal !== null && attempt < 3) continue;
    assert.equal(code, 0, new TextDecoder().decode(stderr));
    return JSON.parse(new TextDecoder().decode(stdout));
  }
}

testUse("a damaged page", {
  harm: (database, { file }) => {
    const root = database.prepare(
      "SELECT rootpage FROM sqlite_master WHERE name = 'kv'",
    ).get();
    database.close();
    using handle = Deno.openSync(file, { write: true });
    handle.seekSync((Number(root?.rootpage) - 1) * 4_096, Deno.SeekMode.Start);
    handle.writeSync(new Uint8Array(4_096).fill(0x55));
  },
  calls: ["getMany", "list", "commit"],
  message: /: its file is damaged$/,
});
testUse("a missing row of KV's own", {
  harm: (database) => {
    database.exec("DELETE FROM data_version");
    database.close();
  },
  calls: ["getMany", "list", "commit"],
  message: /: the tables in its file are not those of Deno KV$/,
});
/** Keys that no client writes, below ["n"]: an unknown type, a number, a bigint and a text that are cut. */
const BROKEN_KEYS = ["0005", "0021aa", "000baa"];

for (const client of CLIENTS) {
  Deno.test(`storageError() names a damaged key, as met by the ${client} client`, async () => {
    for (const end of BROKEN_KEYS) {
      await using folder = await tempFolder();
      const location = await closedStore(folder.path, client);
      const database = new DatabaseSync(location.file);
      const key = Uint8Array.fromHex(`026e${end}`);
      database.prepare(
        "INSERT INTO kv SELECT ?, v, v_encoding, version, seq, expiration_ms FROM kv LIMIT 1",
      ).run(key);
      database.close();
      const driver = await openDriver(location, { client });
      const list = Array.fromAsync(driver.list({ prefix: ["n"] }));
      const error = await thrownBy(list);
      assert.equal(error.code, "corrupt_store", `${end}: ${error.message}`);
      assert.match(error.message, /: a key in its file is damaged$/);
      assert.ok(await driver.getMany([["a"]]));
      driver.close();
    }
  });
}

for (const encoding of [1, 60]) {
  testUse(`values of encoding ${encoding}`, {
    harm: (database) => {
      database.exec(`UPDATE kv SET v_encoding = ${encoding}`);
      database.close();
    },
    calls: ["getMany", "list"],
    message: /: a value is not bytes$/,
  });
}

for (const client of CLIENTS) {
  Deno.test(`isLocked() knows a lock held by another program, as met by the ${client} client`, async () => {
    await using folder = await tempFolder();
    const location = await closedStore(folder.path, client);
    const driver = await openDriver(location, { client });
    const write = {
      checks: [{ key: ["new"], versionstamp: null }],
      sets: [{ ...row, key: ["new"] }],
    };
    {
      await using _lock = await holdLock(location.file);
      const error = await thrownBy(driver.commit(write));
      assert.equal(error.code, "busy");
      assert.equal(error.outcome, "none");
      assert.match(
        error.message,
        /^Cannot write to store ".*": another process holds the lock of its file$/,
      );
      assert.equal(isLocked(error), true);
      assert.equal(isLocked(error.cause), true);
      assert.deepEqual(await driver.getMany([["new"]]), [null]);
    }
    assert.equal((await driver.commit(write)).ok, true);
    driver.close();
  });
}

interface Denial {
  readonly what: string;
  readonly modes: { readonly folder: number; readonly file: number };
  /** The calls that still work. */
  readonly reached: Readonly<Record<Client, readonly string[]>>;
  readonly message: RegExp;
}

const UNWRITABLE = "its folder and file must be writable, and one is not$";
const denials: readonly Denial[] = [
  {
    what: "a folder that is read-only",
    modes: { folder: 0o555, file: 0o666 },
    reached: { native: [], npm: [] },
    message: new RegExp(`^Cannot open store ".*": ${UNWRITABLE}`),
  },
  {
    what: "a folder and a file that are read-only",
    modes: { folder: 0o555, file: 0o444 },
    // The npm client notices at the first call.
    reached: { native: [], npm: ["open"] },
    message: new RegExp(`^Cannot (open|read) store ".*": ${UNWRITABLE}`),
  },
  {
    what: "a file that is read-only",
    modes: { folder: 0o777, file: 0o444 },
    reached: { native: ["open", "read"], npm: ["open", "read"] },
    message: new RegExp(`^Cannot write to store ".*": ${UNWRITABLE}`),
  },
  {
    what: "a file that is unreadable",
    modes: { folder: 0o777, file: 0o000 },
    reached: { native: [], npm: [] },
    message: /^Cannot open store ".*": its file cannot be opened; /,
  },
  {
    what: "a folder that is closed",
    modes: { folder: 0o666, file: 0o666 },
    reached: { native: [], npm: [] },
    message: /^Cannot open store ".*": /,
  },
];

const missing = otherUidMissing();
Deno.test({
  name: `storageError() names what another user may not${
    missing ? ` (skipped: ${missing})` : ""
  }`,
  ignore: missing !== undefined,
  async fn() {
    await using folder = await tempFolder();
    await Deno.chmod(folder.path, 0o755);
    const cases = denials.flatMap((denial) =>
      CLIENTS.map((client) => ({
        denial,
        client,
        path: `${folder.path}/${client} ${denial.what}`,
      }))
    );
    for (const { denial, client, path } of cases) {
      const location = await closedStore(path, client);
      await Deno.chmod(location.file, denial.modes.file);
      await Deno.chmod(location.folder, denial.modes.folder);
    }
    const script = new URL(
      "../../tests/support/report_calls.ts",
      import.meta.url,
    );
    const output = await runAsOtherUid(
      script,
      cases.flatMap(({ client, path }) => [client, path]),
    );
    // So that they can be removed, whoever runs this.
    for (const { path } of cases) await Deno.chmod(`${path}/.mnem`, 0o755);
    assert.equal(output.code, 0, output.stderr);
    const reports = JSON.parse(output.stdout);
    assert.equal(reports.length, cases.length);
    for (const [at, { denial, client, path }] of cases.entries()) {
      const { reached, code, message } = reports[at];
      assert.deepEqual(reached, denial.reached[client], path);
      assert.equal(code, "store_io", path);
      assert.match(message, denial.message, path);
    }
  },
});

Deno.test("storageError() names a handle that was closed, whichever the client", async () => {
  await using folder = await tempFolder();
  const native = await Deno.openKv(`${folder.path}/a.db`);
  native.close();
  const { openKv } = await import("@deno/kv");
  const npm = await openKv(`${folder.path}/b.db`, { implementation: "sqlite" });
  npm.close();
  for (const kv of [native, npm]) {
    const raw = await kv.get(["a"]).then(
      () => assert.fail(),
      (error: unknown) => error,
    );
    const error = storageError(raw, { location: "mem", during: "write" });
    assert.equal(
      error.message,
      'Cannot write to store "mem": its handle was closed before',
    );
    assert.equal(error.outcome, "none");
  }
});

// What cannot be brought about here: a full disk, a server, other versions.
const said: readonly [
  line: string,
  code: MnemErrorCode,
  outcome: string,
  shown: string,
][] = [
  [
    "database is locked",
    "busy",
    "none",
    "another process holds the lock of its file",
  ],
  [
    "database table is locked: kv",
    "busy",
    "none",
    "another process holds the lock of its file",
  ],
  ["database or disk is full", "store_io", "unknown", "the disk is full"],
  ["disk I/O error", "store_io", "unknown", "disk I/O error"],
  [
    "table kv already exists in CREATE",
    "corrupt_store",
    "unknown",
    "the tables in its file are not those of Deno KV",
  ],
  [
    "no such table: kv",
    "corrupt_store",
    "unknown",
    "the tables in its file are not those of Deno KV",
  ],
  [
    "Database is closed.",
    "corrupt_store",
    "unknown",
    "the engine of Deno KV stopped, as it does on a damaged file",
  ],
  [
    "db not found",
    "corrupt_store",
    "unknown",
    "the engine of Deno KV stopped, as it does on a damaged file",
  ],
  ["fetch failed", "store_io", "unknown", "its server cannot be reached"],
  [
    "Could not open Deno KV database: failed to connect to 'http://127.0.0.1:1/': error sending request",
    "store_io",
    "unknown",
    "its server cannot be reached",
  ],
  [
    "Unexpected response status: 401 no",
    "store_io",
    "none",
    "the server refused the access token in DENO_KV_ACCESS_TOKEN",
  ],
  [
    "KV Connect failed to call 'https://x/atomic_write' (status=403): no",
    "store_io",
    "none",
    "the server refused the access token in DENO_KV_ACCESS_TOKEN",
  ],
  [
    "Unexpected response status: 400 no",
    "store_io",
    "unknown",
    "Unexpected response status: 400 no",
  ],
  [
    "its server answered with status 401",
    "store_io",
    "none",
    "the server refused the access token in DENO_KV_ACCESS_TOKEN",
  ],
  [
    "its server answered with status 502: upstream status 401",
    "store_io",
    "unknown",
    "its server answered with status 502: upstream status 401",
  ],
  [
    "error reading a body from connection",
    "store_io",
    "unknown",
    "its server broke off its answer",
  ],
  ["terminated", "store_io", "unknown", "its server broke off its answer"],
  [
    'Bad DatabaseMetadata: {"version":9}',
    "store_io",
    "unknown",
    "its server does not speak KV Connect",
  ],
  [
    "commit failed with status: AW_UNSPECIFIED",
    "store_io",
    "unknown",
    "its server does not speak KV Connect",
  ],
  [
    "Missing DENO_KV_ACCESS_TOKEN environment variable",
    "store_io",
    "none",
    "the environment variable DENO_KV_ACCESS_TOKEN must hold its access token",
  ],
  ["Something new", "store_io", "unknown", "Something new"],
];

Deno.test("storageError() knows what it cannot bring about by the first line alone", () => {
  for (const [line, code, outcome, shown] of said) {
    for (
      const rest of [
        "",
        "\n\nCaused by:\n    Error code 5",
        "\n\nStack backtrace:\n  0: x",
      ]
    ) {
      const cause = new TypeError(line + rest);
      const error = storageError(cause, { location: "mem", during: "write" });
      assert.equal(error.message, `Cannot write to store "mem": ${shown}`);
      assert.equal(error.code, code, line);
      assert.equal(error.outcome, outcome, line);
      assert.equal(error.cause, cause);
      const read = storageError(cause, { location: "mem", during: "read" });
      assert.equal(read.outcome, "none");
      assert(read.message.startsWith('Cannot read store "mem": '));
    }
  }
});

Deno.test("storageError() says why the addon is missing", () => {
  const raw = new Error(
    "No default napi interface, provide one via the 'napi' option.",
    {
      cause: new Error("Cannot find module '@deno/kv-x'\nRequire stack:\n- x"),
    },
  );
  const error = storageError(raw, { location: "mem", during: "open" });
  assert.equal(error.code, "store_io");
  assert.match(
    error.message,
    /--unstable-kv.*: Cannot find module '@deno\/kv-x'$/,
  );
});

Deno.test("storageError() leaves out an access token that a client quotes", () => {
  const raw = new TypeError(
    'Headers.append: "Bearer s3cret\n" is an invalid header value.',
  );
  const error = storageError(raw, { location: "https://kv", during: "open" });
  assert.equal(
    error.message,
    'Cannot open store "https://kv": Headers.append: "Bearer ***',
  );
});

Deno.test("storageError() returns an error of ours as it is", () => {
  const ours = new MnemError("busy", "later", { outcome: "unknown" });
  assert.equal(storageError(ours, { location: "mem", during: "read" }), ours);
});

Deno.test("isLocked() holds for a lock only", () => {
  assert.equal(isLocked(new TypeError("database is locked")), true);
  assert.equal(isLocked(new MnemError("busy", "database is locked")), false);
  assert.equal(isLocked(new Error("the database is locked")), false);
  assert.equal(isLocked(undefined), false);
});

Deno.test("isStopped() holds for a stopped engine only", () => {
  assert.equal(isStopped(new TypeError("Database is closed.")), true);
  assert.equal(isStopped(new TypeError("database is locked")), false);
});
