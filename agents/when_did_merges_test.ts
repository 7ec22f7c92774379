import assert from "node:assert/strict";
import type { Branch, MergeOptions, Store } from "@mnem/core";
import { type TempStore, tempStore } from "../tests/support/temp_store.ts";
import { forget, remember } from "./remember.ts";
import { type Question, whenDid } from "./when_did.ts";

/** Sets node "n" on a branch, or removes it; the commit. */
async function set(branch: Branch, value?: string): Promise<string> {
  const { commit } = value === undefined
    ? await forget(branch, "n")
    : await remember(branch, "n", value);
  return commit ?? "";
}

/** A commit that leaves "n" alone. */
async function beside(branch: Branch, value: number): Promise<string> {
  return (await remember(branch, "beside", value)).commit ?? "";
}

async function merge(
  branch: Branch,
  theirs: string,
  options?: MergeOptions,
): Promise<string> {
  const { status, commit } = await branch.merge(theirs, options);
  assert.equal(status, "merged");
  return commit ?? "";
}

async function fork(store: Store, name: string, at = "main"): Promise<Branch> {
  await store.createBranch(name, { at });
  return store.on(name);
}

/** Where it became so, who wrote it, whom to blame, and the flips. */
async function answer(store: Branch, question: Question): Promise<unknown> {
  const found = await whenDid(store, "n", question);
  assert.equal(found.flipsComplete, true);
  return {
    commit: found.commit.id,
    writtenIn: found.writtenIn.id,
    blame: found.blame?.commit.id ?? null,
    flips: found.flips,
  };
}

/** Side writes "a" and then "b"; main brings it in and goes on. */
async function broughtIn(): Promise<
  TempStore & Record<"c0" | "c1" | "s0" | "s1" | "s2" | "m", string>
> {
  const temp = await tempStore();
  const { store } = temp;
  const c0 = await beside(store, 0);
  const side = await fork(store, "side");
  const { commit } = await remember(side, "other", 1);
  const s1 = await set(side, "a");
  const s2 = await set(side, "b");
  const c1 = await beside(store, 1);
  const m = await merge(store, "side");
  await beside(store, 2);
  return { ...temp, c0, c1, s0: commit ?? "", s1, s2, m };
}

Deno.test("whenDid() names the merge that brought a belief in, and the commit that wrote it", async () => {
  await using line = await broughtIn();
  const { store, m, s1, s2 } = line;
  const flips = [m];
  assert.deepEqual(await answer(store, { equals: "b" }), {
    commit: m,
    writtenIn: s2,
    blame: s2,
    flips,
  });
  assert.deepEqual(await answer(store, { present: true }), {
    commit: m,
    writtenIn: s1,
    blame: s2,
    flips,
  });
  assert.deepEqual(await answer(store, { equals: "a", bad: s1 }), {
    commit: s1,
    writtenIn: s1,
    blame: s1,
    flips: [s1],
  });
});

Deno.test("whenDid() looks between good and bad of one line of first parents", async () => {
  await using line = await broughtIn();
  const { store, c0, c1, s0, s1, s2, m } = line;
  for (const good of [c0, c1]) {
    assert.deepEqual(await answer(store, { equals: "b", good }), {
      commit: m,
      writtenIn: s2,
      blame: s2,
      flips: [m],
    });
  }
  const refused: [Question, string, RegExp][] = [
    // It was "a" on the side only, never on the line of the head.
    [{ equals: "a" }, "not_found", /not so at .*; bad must be a commit where/],
    [{ equals: "b", bad: c1 }, "not_found", /never in memory up to /],
    [{ equals: "b", good: m }, "invalid_ref", /already was at /],
    [{ equals: "b", good: s2 }, "invalid_ref", /already was at /],
    [{ equals: "b", good: s0 }, "invalid_ref", /must come before /],
    [{ equals: "b", good: s1 }, "invalid_ref", /must come before /],
    [{ absent: true }, "not_found", /not so at /],
  ];
  for (const [question, code, message] of refused) {
    const what = JSON.stringify(question);
    await assert.rejects(answer(store, question), { code, message }, what);
  }
});

Deno.test("whenDid() finds a removal that a merge brought in", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  await set(store, "a");
  const side = await fork(store, "side");
  const s1 = await set(side);
  await remember(side, "other", 1);
  await beside(store, 1);
  const m = await merge(store, "side");
  await beside(store, 2);
  const gone = { commit: m, writtenIn: s1, blame: null, flips: [m] };
  assert.deepEqual(await answer(store, { absent: true }), gone);
  assert.deepEqual(
    await answer(store, { matches: (node) => node === null, good: "HEAD~2" }),
    gone,
  );
  const back = await set(store, "a");
  assert.deepEqual(await answer(store, { equals: "a", good: m }), {
    commit: back,
    writtenIn: back,
    blame: back,
    flips: [back],
  });
});

Deno.test("whenDid() lists the flips along first parents, merges among them", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const c0 = await set(store, "a");
  const one = await fork(store, "one");
  const b1 = await set(one, "b");
  await beside(store, 1);
  const m1 = await merge(store, "one");
  const a2 = await set(store, "a");
  const two = await fork(store, "two");
  await set(two, "x");
  const b2 = await set(two, "b");
  await beside(store, 2);
  const m2 = await merge(store, "two");
  assert.deepEqual(await answer(store, { equals: "b" }), {
    commit: m1,
    writtenIn: b1,
    blame: b1,
    flips: [m1, a2, m2],
  });
  assert.deepEqual(await answer(store, { equals: "b", good: a2 }), {
    commit: m2,
    writtenIn: b2,
    blame: b2,
    flips: [m2],
  });
  assert.deepEqual(await answer(store, { equals: "a", bad: a2 }), {
    commit: c0,
    writtenIn: c0,
    blame: c0,
    flips: [c0, m1, a2],
  });
});

Deno.test("whenDid() takes a merge that decided for where it was written", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const c0 = await set(store, "base");
  const side = await fork(store, "side");
  await set(side, "theirs");
  const ours = await set(store, "ours");
  const m = await merge(store, "side", {
    resolutions: { n: { content: "both", provenance: { note: "asked" } } },
  });
  assert.deepEqual(await answer(store, { equals: "both" }), {
    commit: m,
    writtenIn: m,
    blame: m,
    flips: [m],
  });
  const kept = await fork(store, "kept", ours);
  await merge(kept, "side", { strategy: "ours" });
  const stays = { commit: ours, writtenIn: ours, blame: ours, flips: [ours] };
  assert.deepEqual(await answer(kept, { equals: "ours" }), stays);
  assert.deepEqual(await answer(kept, { equals: "base", bad: c0 }), {
    commit: c0,
    writtenIn: c0,
    blame: c0,
    flips: [c0],
  });
});

Deno.test("whenDid() follows a merge of merges to the commit that wrote it", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  await beside(store, 0);
  const side = await fork(store, "side");
  const deep = await fork(store, "deep");
  const written = await set(deep, "b");
  await remember(deep, "deep", 1);
  await remember(side, "side", 1);
  await merge(side, "deep");
  await beside(store, 1);
  const m = await merge(store, "side");
  assert.deepEqual(await answer(store, { equals: "b" }), {
    commit: m,
    writtenIn: written,
    blame: written,
    flips: [m],
  });
});
