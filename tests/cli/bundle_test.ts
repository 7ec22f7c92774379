/**
 * `mnem export` and `mnem import`: files, pipes, and what goes wrong with them.
 *
 * @module
 */

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import {
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import {
  PROGRAM,
  runShell,
  type Session,
  session,
  storeSession,
} from "./session.ts";

const DATA = new URL("../data/traces/", import.meta.url).pathname;
const BUNDLE = join(DATA, "trace-100.bundle.json");
const bundle = readFileSync(BUNDLE, "utf8");
const { refs, head }: {
  readonly refs: { readonly [name: string]: string };
  readonly head: string;
} = JSON.parse(bundle);

/** Everything that lies in the folder of a session. */
function filesIn(mnem: Session, folder = "."): string[] {
  return readdirSync(join(mnem.path, folder)).sort();
}

Deno.test("a bundle of the reference imports with every id, and exports byte for byte", async () => {
  await using mnem = await session();
  const made = Object(await mnem.json("import", BUNDLE));
  assert.deepEqual(made.branches, refs);
  assert.equal(`ref: ${made.branch}`, head);
  assert.equal(made.store, mnem.path);
  assert.deepEqual(await mnem.json("export", "-o", "copy.json"), {
    file: "copy.json",
    bytes: Buffer.byteLength(bundle),
    renamed: {},
  });
  assert.equal(readFileSync(join(mnem.path, "copy.json"), "utf8"), bundle);
  assert.equal(statSync(join(mnem.path, "copy.json")).mode & 0o777, 0o600);
  assert.equal(await mnem.text("export"), `${bundle}\n`);
  assert.match(
    await mnem.text("export", "-o", "copy.json"),
    /^exported \d+ bytes to copy\.json\n$/,
  );
  assert.deepEqual(filesIn(mnem), [".mnem", "copy.json"]);
});

Deno.test("import reads standard input, and makes the folder that is named", async () => {
  await using mnem = await session();
  const ran = await mnem.mnemIn({ stdin: bundle }, "import", "-", "deep/copy");
  assert.equal(ran.status, 0, ran.err);
  assert.match(
    ran.out,
    /^imported into .*\/deep\/copy\n {2}\S+ [0-9a-f]{12}\n/,
  );
  assert.deepEqual(filesIn(mnem), ["deep"]);
  const flag = ["--store", "other"];
  await mnem.text("import", BUNDLE, ...flag);
  assert.equal(await mnem.text("export", ...flag), `${bundle}\n`);
});

Deno.test("import --prefix takes branches into the store that is there", async () => {
  await using mnem = await storeSession();
  await mnem.text("remember", "mine", "1");
  const before = Object(await mnem.json("branch")).result;
  const taken = Object(
    await mnem.json("import", BUNDLE, "--prefix", "theirs/"),
  );
  const prefixed = Object.fromEntries(
    Object.entries(refs).map(([name, id]) => [`theirs/${name}`, id]),
  );
  assert.deepEqual(taken.branches, prefixed);
  assert.deepEqual(Object(await mnem.json("branch")).result, {
    ...before,
    ...prefixed,
  });
  assert.equal(Object(await mnem.json("recall", "mine")).result.content, "1");
  const elsewhere = await mnem.mnemIn(
    { directory: "/" },
    "import",
    BUNDLE,
    "--prefix=x",
  );
  assert.equal(elsewhere.status, 6);
  assert.match(elsewhere.err, /no_store/);
});

Deno.test("export writes one branch, one commit, or other ids with a map of them", async () => {
  await using mnem = await storeSession();
  const first = Object(await mnem.json("remember", "a", "1")).commit;
  await mnem.text("branch", "side");
  const second = Object(await mnem.json("remember", "a", "2")).commit;
  const exported = async (...args: string[]) =>
    JSON.parse(await mnem.text("export", ...args));
  const side = await exported("--branch", "side");
  assert.deepEqual(side.refs, { side: first });
  const one = await exported("--at", "HEAD~1");
  assert.deepEqual([one.refs, one.head], [{}, first]);
  const all = await exported();
  assert.deepEqual(all.refs, { main: second, side: first });
  const flat = await mnem.mnem(...[
    "export",
    "--flat",
    "--map=ids.json",
    "-o",
    "flat.json",
  ]);
  assert.equal(flat.status, 0, flat.err);
  const ids = JSON.parse(readFileSync(join(mnem.path, "ids.json"), "utf8"));
  const { refs: flatRefs } = JSON.parse(
    readFileSync(join(mnem.path, "flat.json"), "utf8"),
  );
  assert.equal(flatRefs.main, ids[second] ?? second);
  assert.equal((await mnem.mnem("export", "--map=ids.json")).status, 2);
  assert.equal((await mnem.mnem("export", "--branch=a", "--at=b")).status, 2);
  assert.equal((await mnem.mnem("export", "--branch=nope")).status, 3);
});

Deno.test("a failed import leaves nothing, and says what is wrong with the bundle", async () => {
  await using mnem = await session();
  const rows: readonly (readonly [string | Uint8Array, number, RegExp])[] = [
    ["", 7, /corrupt_store/],
    ["{", 7, /corrupt_store/],
    ["not json", 7, /corrupt_store/],
    [Uint8Array.of(0xff, 0xfe), 7, /corrupt_store/],
    [bundle.slice(0, -20), 7, /corrupt_store/],
    [bundle.replace(/"message": "./, '"message": "X'), 7, /corrupt_store/],
    [
      bundle.replace('"format_version": 1', '"format_version": 2'),
      6,
      /format_version/,
    ],
  ];
  for (const [stdin, status, says] of rows) {
    assert.notEqual(stdin, bundle);
    const ran = await mnem.mnemIn({ stdin }, "import", "-", "copy");
    assert.deepEqual([ran.status, ran.out], [status, ""], ran.err);
    assert.match(ran.err, says);
    if (status === 7) assert.match(ran.err, /\nhint: nothing was imported; /);
    assert.deepEqual(filesIn(mnem), []);
  }
  for (const file of ["missing.json", "."]) {
    const ran = await mnem.mnem("import", file);
    assert.equal(ran.status, 2, ran.err);
    assert.match(ran.err, /cannot read /);
  }
  await mnem.text("init");
  const onto = await mnem.mnem("import", BUNDLE);
  assert.equal(onto.status, 6);
  assert.match(onto.err, /store_exists: .*\nhint: --prefix takes /);
  const below = await mnem.mnem("import", BUNDLE, "below");
  assert.equal(below.status, 6);
  assert.deepEqual(filesIn(mnem), [".mnem"]);
});

Deno.test("an export that fails leaves the file that was there", async () => {
  await using mnem = await storeSession();
  await mnem.text("remember", "a", "1");
  writeFileSync(join(mnem.path, "old.json"), "old");
  const lost = await mnem.mnem("export", "--branch=nope", "-o", "old.json");
  assert.equal(lost.status, 3);
  assert.equal(readFileSync(join(mnem.path, "old.json"), "utf8"), "old");
  const nowhere = await mnem.mnem("export", "-o", "no/folder.json");
  assert.equal(nowhere.status, 7);
  assert.match(nowhere.err, /store_io: Cannot write "no\/folder\.json"/);
  assert.deepEqual(filesIn(mnem), [".mnem", "old.json"]);
  const terminal = await mnem.mnemIn({ isTerminal: true }, "export");
  assert.equal(terminal.out, await mnem.text("export"));
});

Deno.test({
  name: "export replaces the file that a link leads to, and writes into a pipe",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    await using mnem = await storeSession();
    await mnem.text("remember", "a", "1");
    const whole = await mnem.text("export");
    writeFileSync(join(mnem.path, "real.json"), "old");
    symlinkSync("real.json", join(mnem.path, "link.json"));
    await mnem.text("export", "-o", "link.json");
    assert.ok(lstatSync(join(mnem.path, "link.json")).isSymbolicLink());
    const real = readFileSync(join(mnem.path, "real.json"), "utf8");
    assert.equal(`${real}\n`, whole);
    const line =
      "mkfifo pipe && { cat pipe > copy.json & mnem export -o pipe; wait; }";
    const ran = await runShell(line, { cwd: mnem.path });
    assert.equal(ran.status, 0, ran.err);
    assert.equal(readFileSync(join(mnem.path, "copy.json"), "utf8"), real);
    assert.deepEqual(filesIn(mnem), [
      ".mnem",
      "copy.json",
      "link.json",
      "pipe",
      "real.json",
    ]);
  },
});

Deno.test({
  name: "import reads a pipe that has a name",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    await using mnem = await session();
    writeFileSync(join(mnem.path, "whole.json"), bundle);
    // Opened a second time, the pipe would be found empty.
    const line = `mkfifo pipe
(cat whole.json > pipe; exec 3> pipe) & writer=$!
mnem import pipe copy; status=$?; kill $writer; exit $status`;
    const ran = await runShell(line, { cwd: mnem.path });
    assert.equal(ran.status, 0, ran.err);
    const again = await mnem.text("export", "--store=copy");
    assert.equal(again, `${bundle}\n`);
  },
});

Deno.test("an export to a terminal shows no control character of what is stored", async () => {
  await using mnem = await storeSession();
  await mnem.text("remember", "a", "\u009b31m\u202e");
  const seen = (await mnem.mnemIn({ isTerminal: true }, "export")).out;
  assert.doesNotMatch(seen, /[\u009b\u202e]/);
  const kept = await mnem.text("export");
  assert.match(kept, /\u009b/);
  assert.deepEqual(JSON.parse(seen), JSON.parse(kept));
});

Deno.test({
  name: "a full disk and a reader that goes away end an export",
  ignore: !(await isWritable("/dev/full")),
  fn: async () => {
    await using mnem = await session();
    await mnem.text("import", BUNDLE);
    const options = { cwd: mnem.path };
    for (
      const line of ["mnem export -o /dev/full", "mnem export > /dev/full"]
    ) {
      const ran = await runShell(line, options);
      assert.equal(ran.status, 7, ran.err);
      assert.match(ran.err, /store_io: Cannot write /);
    }
    const piped = await runShell("mnem export | head -c 20", options);
    assert.deepEqual([piped.out, piped.err], [bundle.slice(0, 20), ""]);
  },
});

const STOPS = [["SIGINT", 130], ["SIGTERM", 143], ["SIGHUP", 129]] as const;

Deno.test("a signal ends an import as a shell says, and leaves nothing", async (t) => {
  for (const [signal, status] of STOPS) {
    await t.step(signal, () => stopImport(signal, status));
  }
});

/** Imports half a bundle, and sends a signal. */
async function stopImport(signal: Deno.Signal, status: number): Promise<void> {
  await using mnem = await session();
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", PROGRAM, "import", "-", "copy"],
    cwd: mnem.path,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(bundle.slice(0, 3_000)));
  // It says how far it is once a second: by then it listens.
  const reader = child.stderr.getReader();
  const first = new TextDecoder().decode((await reader.read()).value);
  assert.match(first, /^mnem: importing, \d+ objects read\n$/);
  child.kill(signal);
  let rest = "";
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    rest += new TextDecoder().decode(step.value);
  }
  const { code } = await child.status;
  await writer.close().catch(() => {});
  await child.stdout.cancel();
  assert.deepEqual([code, rest], [status, "mnem: interrupted\n"]);
  assert.deepEqual(filesIn(mnem), []);
}

async function isWritable(path: string): Promise<boolean> {
  return await Deno.open(path, { write: true }).then(
    (file) => (file.close(), true),
    () => false,
  );
}
