/**
 * `mnem watch` as a real program on a real folder: each step waits for what the program says of the one
 * before it.
 *
 * @module
 */

import assert from "node:assert/strict";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { PROGRAM, type Session, storeSession } from "./session.ts";

/** A watch that runs, and the lines that it prints. */
interface Running extends AsyncDisposable {
  /** The next line, as JSON. */
  next(): Promise<{ readonly [name: string]: unknown }>;
  /** Sends a signal, and returns the exit status and what stood on standard error. */
  stop(signal: "SIGINT" | "SIGTERM"): Promise<[number | null, string]>;
}

function start(mnem: Session, ...args: string[]): Running {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", PROGRAM, "watch", "--json", ...args],
    cwd: mnem.path,
    stdout: "piped",
    stderr: "piped",
    env: { MNEM_STORE: "", MNEM_AUTHOR: "" },
  }).spawn();
  const errors = new Response(child.stderr).text();
  const lines = createInterface(Readable.fromWeb(child.stdout))
    [Symbol.asyncIterator]();
  let isEnded = false;
  const end = async (signal: Deno.Signal) => {
    if (!isEnded) child.kill(signal);
    isEnded = true;
    const { code } = await child.status;
    await lines.return?.();
    return code;
  };
  return {
    async next() {
      const { value, done } = await lines.next();
      assert.ok(!done, "it ended");
      return JSON.parse(value);
    },
    stop: async (signal) => [await end(signal), await errors],
    async [Symbol.asyncDispose]() {
      await end("SIGKILL");
      await errors;
    },
  };
}

function put(mnem: Session, name: string, text: string): void {
  writeFileSync(join(mnem.path, name), text);
}

Deno.test({
  name: "mnem watch makes one commit of each save, and why names the line",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    await using mnem = await storeSession();
    const at = (name: string) => join(mnem.path, name);
    mkdirSync(at("notes"));
    put(mnem, "notes/a.md", "# Acme\n- plan: team\n- seats: 3\n");
    await using running = start(mnem, "notes");
    const begun = await running.next();
    assert.deepEqual([begun["event"], begun["changes"]], ["import", {
      "a.md#acme/plan": "added",
      "a.md#acme/seats": "added",
    }]);
    assert.equal((await running.next())["event"], "watching");

    // Truncated and written, beside what an editor leaves in the folder.
    put(mnem, "notes/.a.md.swp", "x");
    put(mnem, "notes/4913", "");
    put(mnem, "notes/a.md~", "- plan: old\n");
    put(mnem, "notes/a.md", "");
    put(mnem, "notes/a.md", "# Acme\n\n- plan: pro\n- seats: 3\n");
    const saved = await running.next();
    assert.deepEqual([saved["files"], saved["changes"]], [["notes/a.md"], {
      "a.md#acme/plan": "modified",
    }]);
    const why = Object(await mnem.json("why", "a.md#acme/plan"));
    assert.deepEqual(
      [why.commit, why.node.provenance.source, why.node.provenance.agent_step],
      [saved["commit"], "notes/a.md", "line 3"],
    );

    // Written beside it, and renamed over it.
    put(mnem, "notes/.tmp", "# Acme\n- plan: pro\n- seats: 4\n");
    renameSync(at("notes/.tmp"), at("notes/a.md"));
    assert.deepEqual((await running.next())["changes"], {
      "a.md#acme/seats": "modified",
    });

    mkdirSync(at("notes/new/deep"), { recursive: true });
    put(mnem, "notes/new/deep/b.md", "Tea is green.\n");
    assert.deepEqual((await running.next())["changes"], {
      "new/deep/b.md#tea-is-green": "added",
    });
    renameSync(at("notes/new/deep/b.md"), at("notes/c.md"));
    assert.deepEqual((await running.next())["changes"], {
      "c.md#tea-is-green": "added",
      "new/deep/b.md#tea-is-green": "removed",
    });
    rmSync(at("notes/c.md"));
    assert.deepEqual((await running.next())["changes"], {
      "c.md#tea-is-green": "removed",
    });

    // What was saved last is not lost with the signal.
    put(mnem, "notes/a.md", "# Acme\n- plan: free\n- seats: 4\n");
    assert.deepEqual(await running.stop("SIGINT"), [0, ""]);
    const { result } = Object(await mnem.json("log"));
    assert.deepEqual(
      result.map(({ message }: { readonly message: string }) => message)
        .reverse(),
      [
        "import markdown notes",
        "save notes/a.md",
        "save notes/a.md",
        "save notes/new/deep/b.md",
        "save notes/c.md, remove notes/new/deep/b.md",
        "remove notes/c.md",
        "save notes/a.md",
      ],
    );
  },
});

Deno.test({
  name: "mnem watch watches the folder of the store itself, and not the store",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    await using mnem = await storeSession();
    await using running = start(mnem, ".");
    assert.equal((await running.next())["event"], "import");
    assert.equal((await running.next())["event"], "watching");
    put(mnem, "a.md", "one\n");
    assert.deepEqual((await running.next())["files"], ["a.md"]);
    assert.deepEqual(await running.stop("SIGTERM"), [0, ""]);
    assert.equal(Object(await mnem.json("log")).result.length, 1);
  },
});

Deno.test("mnem watch refuses what is no folder", async () => {
  await using mnem = await storeSession();
  put(mnem, "a.md", "one\n");
  for (const name of ["a.md", "missing"]) {
    const ran = await mnem.mnem("watch", name);
    assert.deepEqual([ran.status, ran.out], [2, ""]);
    assert.match(ran.err, /^mnem: cannot watch .*: it must be a folder\n/);
  }
});

Deno.test("mnem watch that is ended while it begins writes nothing, and that is no failure", async () => {
  await using mnem = await storeSession();
  mkdirSync(join(mnem.path, "notes"));
  put(mnem, "notes/a.md", "one\n");
  const ending = new AbortController();
  const interruption = ending.signal;
  interruption.throwIfAborted = () => {
    ending.abort();
    throw interruption.reason;
  };
  const ran = await mnem.mnemIn({ interruption }, "watch", "notes");
  assert.deepEqual(ran, { status: 0, out: "", err: "" });
  assert.deepEqual(Object(await mnem.json("log")).result, []);
});

Deno.test("mnem watch ends where it cannot say what it does", async () => {
  await using mnem = await storeSession();
  mkdirSync(join(mnem.path, "notes"));
  put(mnem, "notes/a.md", "one\n");
  const write = () => Promise.reject(new Error("no space left"));
  const ran = await mnem.mnemIn({ write }, "watch", "notes");
  assert.deepEqual([ran.status, ran.out], [7, ""]);
  assert.match(ran.err, /no space left/);
});
