/**
 * Several processes on one store: every acknowledged commit is in history exactly once.
 *
 * @module
 */

import assert from "node:assert/strict";
import { initStore, openStore } from "@mnem/core";
import { checkHistory } from "../support/check_history.ts";
import { checkVerified } from "../support/check_verified.ts";
import {
  type Acknowledged,
  startWriter,
  type WriterTask,
} from "../support/contending_writer.ts";
import { tempFolder } from "../support/temp_folder.ts";

/** Runs a writer to its end. */
async function run(task: WriterTask): Promise<Acknowledged[]> {
  const writer = startWriter(task);
  const acknowledged = await Array.fromAsync(writer.acknowledged);
  assert.equal(await writer.ended, 0);
  assert.equal(acknowledged.length, task.commits);
  return acknowledged;
}

Deno.test("two processes with 200 writes each, and a hundred calls at once in a third", async () => {
  await using folder = await tempFolder();
  await using store = await initStore(folder.path);
  await store.write([{ id: "seed", content: 0 }], { message: "seed" });
  const [one, two, here] = await Promise.all([
    run({ folder: folder.path, label: "one", commits: 200 }),
    run({ folder: folder.path, label: "two", commits: 200 }),
    Promise.all(
      Array.from({ length: 100 }, async (_, i) => {
        // In five bursts, so that some of them meet the others.
        await new Promise((resolve) => setTimeout(resolve, (i % 5) * 300));
        const id = `here ${i % 20}`;
        const message = `here ${i}`;
        const { commit } = await store.write([{ id, content: i }], { message });
        return { commit: commit!, message, id, value: i, ms: 0 };
      }),
    ),
  ]);
  const acknowledged = [...one, ...two, ...here];
  const fresh = await checkHistory(store);
  assert.equal(fresh.commits.length, 501);
  assert.deepEqual(
    fresh.messages.toSorted(),
    ["seed", ...acknowledged.map(({ message }) => message)].toSorted(),
  );
  const ids = new Map(fresh.commits.map(({ id, message }) => [message, id]));
  for (const { commit, message } of acknowledged) {
    assert.equal(ids.get(message), commit);
  }
  // Of the calls at once nobody knows the order; of the processes each wrote one after the other.
  for (const { id, value } of [...one.slice(-20), ...two.slice(-20)]) {
    assert.equal(fresh.memory.get(id)?.content, value);
    assert.equal((await store.node(id))?.content, value);
  }
});

Deno.test("two processes on two branches do not disturb each other", async () => {
  await using folder = await tempFolder();
  await using store = await initStore(folder.path);
  await store.write([{ id: "seed", content: 0 }], { message: "seed" });
  await store.createBranch("theirs");
  await store.createBranch("ours");
  await using ours = await openStore(folder.path, { branch: "ours" });
  const writer = run({
    folder: folder.path,
    label: "them",
    commits: 100,
    branch: "theirs",
  });
  for (let i = 0; i < 100; i++) {
    await ours.write([{ id: "us", content: i }], { message: `us ${i}` });
  }
  const theirs = await writer;
  const there = await checkHistory(store.on("theirs"));
  assert.deepEqual(
    there.messages,
    ["seed", ...theirs.map(({ message }) => message)],
  );
  const here = await checkHistory(ours);
  assert.equal(here.commits.length, 101);
  assert.deepEqual([...here.memory.keys()], ["seed", "us"]);
  assert.equal((await checkHistory(store)).commits.length, 1);
});

Deno.test("a bulk write lands while another process writes every 50 ms", async () => {
  await using folder = await tempFolder();
  await using store = await initStore(folder.path);
  await store.write([{ id: "seed", content: 0 }], { message: "seed" });
  const writer = startWriter({
    folder: folder.path,
    label: "them",
    commits: 100_000,
    pauseMs: 50,
  });
  const acknowledged: Acknowledged[] = [];
  let written: Promise<unknown> | undefined;
  let after = 0;
  const edits = Array.from({ length: 20_000 }, (_, i) => ({
    id: i < 10 ? `them ${i}` : `n${i}`,
    content: `bulk ${i}`,
  }));
  for await (const one of writer.acknowledged) {
    acknowledged.push(one);
    written ??= store.write(edits, { message: "bulk" }).then(() => {
      after = acknowledged.length;
    });
    // Until it went on for a while after the bulk write.
    if (after > 0 && acknowledged.length > after + 5) writer.kill();
  }
  await written;
  await writer.ended;
  const { messages, memory } = await checkHistory(store);
  const others = messages.filter((message) => message.startsWith("them"));
  const known = acknowledged.map(({ message }) => message);
  // The last one may be stored without having been acknowledged.
  assert.deepEqual(others.slice(0, known.length), known);
  assert.ok(others.length - known.length <= 1);
  assert.equal(messages.filter((message) => message === "bulk").length, 1);
  assert.ok(messages.indexOf("bulk") > 1 && messages.at(-1) !== "bulk");
  const theirs = [...memory.keys()].filter((id) => id.startsWith("them"));
  assert.equal(memory.size, 20_000 - 10 + 1 + theirs.length);
  for (const { id, message, value } of acknowledged.slice(after)) {
    const blame = await store.blame(id);
    if (blame.commit.message === message) {
      assert.equal(blame.node.content, value);
    }
  }
});

Deno.test("a store is verified again and again while another process writes to it", async () => {
  await using folder = await tempFolder();
  await using store = await initStore(folder.path);
  await store.write([{ id: "seed", content: 0 }], { message: "seed" });
  const writer = startWriter({
    folder: folder.path,
    label: "them",
    commits: 100_000,
    mixed: true,
  });
  const checked: number[] = [];
  let seen = 0;
  const verify = async () => {
    try {
      while (seen < 60) checked.push(await checkVerified(store));
    } finally {
      writer.kill();
    }
  };
  let verified: Promise<void> | undefined;
  for await (const _ of writer.acknowledged) {
    seen++;
    verified ??= verify();
  }
  await verified;
  assert.notEqual(await writer.ended, 0, "it was killed");
  // Nodes by hundreds, values in pieces, one node alone: all came while it was looked at.
  assert.ok(checked.length > 2 && checked.at(-1)! > checked[0]! + 750);
  await checkVerified(store);
});
