/**
 * More programs at once than the quick tests have, and one that does not let go of the lock.
 *
 * @module
 */

import assert from "node:assert/strict";
import { initStore, openStore } from "@mnem/core";
import { PROGRAM } from "../cli/session.ts";
import { checkVerified } from "../support/check_verified.ts";
import { startWriter } from "../support/contending_writer.ts";
import {
  commandLine,
  contend,
  libraryOnDeno,
  mcpServer,
} from "../support/contention_run.ts";
import { holdLock } from "../support/hold_lock.ts";
import { type Program, runProgram } from "../support/program.ts";
import { reportFigures } from "../support/report_figures.ts";
import { tempFolder } from "../support/temp_folder.ts";

/** How long it takes on two busy cores. */
export const SECONDS = 30;

const DENO: Program = [Deno.execPath(), "run", "-A"];
const CLI = commandLine("mnem", [...DENO, PROGRAM]);
const MCP = mcpServer("mnem-mcp");

Deno.test("2, 4 and 8 processes, through the library, MCP and the command line: every acknowledged commit once", async () => {
  const rows = [];
  for (
    const contenders of [
      [libraryOnDeno, MCP],
      [libraryOnDeno, libraryOnDeno, MCP, CLI],
      [...Array.from({ length: 4 }, () => libraryOnDeno), MCP, MCP, CLI, CLI],
    ]
  ) {
    await using folder = await tempFolder();
    const store = await initStore(folder.path);
    await store.write([{ id: "seed", content: 0 }], { message: "seed" });
    await store.close();
    rows.push(await contend(folder.path, contenders));
  }
  reportFigures("contention", rows);
});

Deno.test("a process that holds the write lock: busy in bounded time, and nothing hangs at close", async () => {
  await using folder = await tempFolder();
  const store = await initStore(folder.path);
  await store.write([{ id: "a", content: 1 }], { message: "one" });
  const began = performance.now();
  const since = () => Math.round(performance.now() - began);
  const waits = { write: 0, "open and read": 0 };
  {
    await using _lock = await holdLock(`${folder.path}/.mnem/kv.db`);
    assert.equal((await store.node("a"))?.content, 1, "reading goes on");
    const command = runProgram([...DENO, PROGRAM], ["log"], {
      env: { MNEM_STORE: folder.path },
    });
    await assert.rejects(
      store.write([{ id: "a", content: 2 }], { message: "two" }),
      { code: "busy", outcome: "none" },
    );
    waits.write = since();
    // The command ends while the lock is held still.
    const { code, stdout, stderr } = await command;
    waits["open and read"] = since();
    assert.equal(code, 5, `busy, and not ${stdout}${stderr}`);
    assert.match(stderr, /^mnem: busy: /m);
    assert.ok(since() >= 10_000, "it was held for ten seconds");
    const closing = performance.now();
    await store.close();
    assert.ok(performance.now() - closing < 1_000, "closing does not wait");
  }
  // Five seconds and ten are the bounds; the rest is for a busy machine.
  assert.ok(waits.write < 12_000, `${waits.write} ms`);
  assert.ok(waits["open and read"] < 20_000, `${waits["open and read"]} ms`);
  await using again = await openStore(folder.path);
  await again.write([{ id: "a", content: 3 }], { message: "three" });
  await checkVerified(again);
  const log = await Array.fromAsync(again.log());
  assert.deepEqual(log.map(({ message }) => message), ["three", "one"]);
  reportFigures("held-lock", {
    "busy after, write, ms": waits.write,
    "busy after, open, ms": waits["open and read"],
    hangs: 0,
    lost: 0,
  });
});

Deno.test("a hundred thousand nodes against a writer that hardly pauses", async () => {
  await using folder = await tempFolder();
  await using store = await initStore(folder.path);
  const writer = startWriter({
    folder: folder.path,
    label: "them",
    commits: 1_000_000,
    pauseMs: 10,
  });
  const known: string[] = [];
  let bulk: Promise<void> | undefined;
  const edits = Array.from({ length: 100_000 }, (_, i) => ({
    id: i < 10 ? `them ${i}` : `n${i}`,
    content: i,
  }));
  for await (const { message } of writer.acknowledged) {
    known.push(message);
    bulk ??= store.write(edits, { message: "bulk" })
      .then(() => {}).finally(() => writer.kill());
  }
  await bulk;
  await writer.ended;
  const log = await Array.fromAsync(store.log());
  const messages = log.map(({ message }) => message).reverse();
  const others = messages.filter((message) => message !== "bulk");
  assert.deepEqual(others.slice(0, known.length), known);
  assert.equal(messages.length, others.length + 1);
});
