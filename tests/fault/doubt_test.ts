import assert from "node:assert/strict";
import type { Store } from "@mnem/core";
import { commitKey } from "../../core/storage/keys.ts";
import { openStoreOn } from "../../core/store/open_store.ts";
import { checkHistory, valuesOf } from "../support/check_history.ts";
import { ClientErrors } from "../support/client_errors.ts";
import { FaultDriver, type FaultPlan } from "../support/fault_driver.ts";
import { faultStore } from "../support/fault_store.ts";
import { mergeCommit } from "../support/merge_commit.ts";

const same = { message: "the call", author: "tester", timeMs: 5 };

/** The first commit loses its answer; what `meanwhile` does is done before the next call is. */
function lostThen(meanwhile: () => Promise<unknown>): FaultPlan {
  let lost = false;
  return ({ operation, nth }) => {
    if (operation === "commit" && nth === 1) {
      lost = true;
      return "lose";
    }
    if (!lost) return undefined;
    lost = false;
    return { slow: meanwhile() };
  };
}

async function messagesOf(store: Store): Promise<string[]> {
  const commits = await Array.fromAsync(store.log());
  return commits.map(({ message }) => message).reverse();
}

Deno.test("a lost answer: a newer value, written after it, stays", async () => {
  const { driver, store, other } = await faultStore();
  driver.arm(
    lostThen(() =>
      other.write([{ id: "a", content: "newer" }], { message: "newer" })
    ),
  );
  const { commit } = await store.write([{ id: "a", content: 1 }], same);
  assert.equal(driver.fired, 2);
  const { messages, memory, commits } = await checkHistory(other);
  assert.deepEqual(messages, ["seed", "the call", "newer"]);
  assert.equal(memory.get("a")?.content, "newer");
  assert.equal(commits[1]?.id, commit);
  assert.deepEqual(await valuesOf(other, "a"), ["newer", 1, 0]);
});

Deno.test("a lost answer: found behind a merge, where it is no first-parent ancestor", async () => {
  const { kv, driver, store, other } = await faultStore();
  await other.createBranch("dev");
  await other.on("dev").write([{ id: "b", content: 1 }], { message: "dev" });
  driver.arm(lostThen(async () => {
    const theirs = await other.resolve("dev");
    const ours = await other.resolve("main");
    await mergeCommit(kv.open(), { branch: "main", theirs, ours });
    await other.write([{ id: "a", content: "newer" }], { message: "newer" });
  }));
  const { commit } = await store.write([{ id: "a", content: 1 }], same);
  assert.equal((await other.node("a"))?.content, "newer");
  assert.equal(await other.resolve("main~1^2"), commit);
  const messages = await messagesOf(other);
  assert.equal(messages.filter((one) => one === "the call").length, 1);
  assert.equal(messages.length, 5);
});

Deno.test("a lost answer: decided before a conflict with what came after it", async () => {
  const { driver, store, other } = await faultStore();
  const { commit: base } = await other.head();
  driver.arm(
    lostThen(() =>
      other.write([{ id: "a", content: "newer" }], { message: "newer" })
    ),
  );
  const { commit } = await store.write([{ id: "a", content: 1 }], {
    ...same,
    base,
  });
  assert.equal(await other.resolve("HEAD~1"), commit);
});

Deno.test("a client that asks twice: its own write refuses it, and is found", async () => {
  const { driver, store, other } = await faultStore();
  driver.arm(({ operation, nth }) =>
    operation === "commit" && nth === 1 ? "twice" : undefined
  );
  const { commit } = await store.write([{ id: "a", content: 1 }], same);
  assert.equal(await other.resolve("main"), commit);
  assert.deepEqual(await messagesOf(other), ["seed", "the call"]);
});

Deno.test("a client that asks twice, and then nobody can look: it is in doubt", async () => {
  const { driver, store, other } = await faultStore();
  let done = false;
  driver.arm(({ operation }) => {
    if (done) return "refuse";
    done = operation === "commit";
    return done ? "twice" : undefined;
  });
  await assert.rejects(store.write([{ id: "a", content: 1 }], same), {
    code: "store_io",
    outcome: "unknown",
  });
  assert.deepEqual(await messagesOf(other), ["seed", "the call"]);
});

Deno.test("an answer lost before anything was done: a conflict is a conflict", async () => {
  const { driver, store, other } = await faultStore();
  const { commit: base } = await other.head();
  driver.arm(({ operation, nth }) =>
    operation === "commit" && nth === 1
      ? {
        slow: other.write([{ id: "a", content: "newer" }], {
          message: "newer",
        }),
      }
      : undefined
  );
  await assert.rejects(
    store.write([{ id: "a", content: 1 }], { ...same, base }),
    { code: "conflict", outcome: "none" },
  );
  assert.deepEqual(await messagesOf(other), ["seed", "newer"]);
});

Deno.test("a lost answer: HEAD was switched meanwhile, and the other branch stays as it was", async () => {
  const { driver, store, other } = await faultStore();
  await other.createBranch("dev");
  const dev = await other.resolve("dev");
  driver.arm(lostThen(() => other.switchTo("dev")));
  const { commit } = await store.write([{ id: "a", content: 1 }], same);
  assert.equal(await other.resolve("main"), commit);
  assert.equal(await other.resolve("dev"), dev);
});

Deno.test("a late write of a branch that HEAD left cannot land on it any more", async () => {
  const { driver, store, other } = await faultStore();
  await other.createBranch("dev");
  const main = await other.resolve("main");
  let refused = false;
  driver.arm(({ operation, nth }) => {
    if (operation === "commit" && nth === 1) {
      refused = true;
      return "refuse";
    }
    if (!refused) return undefined;
    refused = false;
    return { slow: other.switchTo("dev") };
  });
  const { commit } = await store.write([{ id: "a", content: 1 }], same);
  assert.equal(await other.resolve("main"), main);
  assert.equal(await other.resolve("dev"), commit);
});

Deno.test("the very same write on two branches at one commit is one commit", async () => {
  const { kv, store, other } = await faultStore();
  await other.createBranch("dev");
  const bound = await openStoreOn(kv.open(), { branch: "dev" });
  const edit = [{ id: "a", content: 1 }];
  const here = await store.write(edit, same);
  const row = kv.row(commitKey(here.commit!));
  const there = await bound.write(edit, same);
  // The row is the only copy of a state: it is never written again.
  assert.deepEqual(kv.row(commitKey(here.commit!)), row);
  assert.equal(there.commit, here.commit);
  assert.deepEqual([...there.changes], [["a", "modified"]]);
  assert.equal(await other.resolve("dev"), here.commit);
  assert.equal(await other.resolve("main"), here.commit);
  await bound.write([{ id: "b", content: 1 }], { message: "on dev" });
  assert.equal(await other.resolve("dev~1"), here.commit);
  assert.equal(await other.resolve("main"), here.commit);
});

Deno.test("the very same write exists elsewhere, and HEAD is switched meanwhile", async () => {
  const { driver, store, other } = await faultStore();
  for (const name of ["dev", "elsewhere"]) await other.createBranch(name);
  const main = await other.resolve("main");
  const edit = [{ id: "a", content: 1 }];
  const { commit } = await other.on("elsewhere").write(edit, same);
  driver.arm(({ operation, nth }) =>
    operation === "commit" && nth === 1
      ? { slow: other.switchTo("dev") }
      : undefined
  );
  assert.equal((await store.write(edit, same)).commit, commit);
  assert.equal(await other.resolve("dev"), commit);
  assert.equal(await other.resolve("main"), main);
});

Deno.test("the very same chain, of which another process landed the first part only", async () => {
  const { store, other } = await faultStore();
  // Both know the head from a write of their own.
  await store.write([{ id: "c", content: 0 }], { message: "known" });
  const first = [{ id: "a", content: 1 }];
  const { commit } = await other.write(first, same);
  const answers = await Promise.all([
    store.write(first, same),
    store.write([{ id: "b", content: 1 }], { message: "second" }),
    store.write([{ id: "c", content: 1 }], { message: "third" }),
  ]);
  assert.equal(answers[0]?.commit, commit);
  const { messages, commits } = await checkHistory(other);
  assert.deepEqual(messages, ["seed", "known", "the call", "second", "third"]);
  assert.deepEqual(
    answers.map((answer) => answer.commit),
    commits.slice(2).map(({ id }) => id),
  );
});

Deno.test("answers without a commit never rest on a head from before", async () => {
  const { store, other } = await faultStore();
  const { commit: base } = await store.write([{ id: "a", content: 1 }], {
    message: "first",
  });
  await other.write([{ id: "a", content: 2 }], { message: "other" });
  const again = await store.write([{ id: "a", content: 1 }], {
    message: "again",
  });
  assert.deepEqual([...again.changes], [["a", "modified"]]);
  // In conflict with the head that this handle wrote, but not with the one that is there.
  await other.write([{ id: "a", content: 3 }], { message: "other" });
  const { commit } = await store.write([{ id: "a", content: 4 }], {
    message: "known",
  });
  await mergeless(other, base!);
  assert.notEqual(commit, null);
  await store.write([{ id: "a", content: 5 }], { message: "based", base });
  assert.deepEqual(await valuesOf(other, "a"), [5, 1, 4, 3, 1, 2, 1, 0]);
});

/** Gives the node a the value it had at a commit. */
async function mergeless(store: Store, commit: string): Promise<void> {
  const node = await (await store.at(commit)).node("a");
  await store.write([{ id: "a", content: node?.content ?? null }], {
    message: "back",
  });
}

Deno.test("very late writes land nowhere once the call is answered", async () => {
  for (
    const call of [
      (store: Store) => store.write([{ id: "a", content: 1 }], same),
      (store: Store) => store.createBranch("new"),
      (store: Store) => store.deleteBranch("dev"),
      (store: Store) => store.switchTo("dev"),
    ]
  ) {
    const { kv, store, other } = await faultStore();
    await other.createBranch("dev");
    const late: Parameters<FaultDriver["commit"]>[0][] = [];
    const driver = new FaultDriver(kv.open());
    driver.arm(({ operation, nth, write }) => {
      if (operation !== "commit" || nth !== 1 || write === undefined) {
        return undefined;
      }
      late.push(write);
      return "refuse";
    });
    await call(await openStoreOn(new ClientErrors(driver)));
    assert.equal(late.length, 1);
    // What the others do then must stay.
    await other.on("main").write([{ id: "a", content: 2 }], {
      message: "newer",
    });
    await other.switchTo("main");
    await other.createBranch("dev").catch(() => undefined);
    const before = kv.rows().map((
      { key, versionstamp },
    ) => [key, versionstamp]);
    const answers = await Promise.all(
      late.map((write) => kv.open().commit(write)),
    );
    assert.deepEqual(answers, [{ ok: false }]);
    const after = kv.rows().map(({ key, versionstamp }) => [key, versionstamp]);
    assert.deepEqual(after, before);
    await checkHistory(store.on("main"));
  }
});
