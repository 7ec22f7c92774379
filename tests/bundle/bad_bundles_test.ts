/**
 * Bundles whose objects are what their ids say, by another encoder and another hash, and that must not
 * come in: each is refused with its code, and leaves nothing behind.
 *
 * @module
 */

import assert from "node:assert/strict";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import {
  importBundle,
  isMnemError,
  type MnemErrorCode,
  openStore,
} from "@mnem/core";
import { exported, streamOf } from "../support/bundles.ts";
import {
  addCommit,
  addNode,
  addState,
  type BundleFrame,
  type BundleObjects,
  bundleText,
} from "../support/forged_bundle.ts";
import { tempFolder } from "../support/temp_folder.ts";
import { tempStore } from "../support/temp_store.ts";

const NOBODY = "ab".repeat(32);

interface Parts {
  readonly objects: BundleObjects;
  readonly node: string;
  readonly state: string;
  readonly root: string;
  readonly head: string;
}

/** Two commits of one node each, and what they are made of. */
function parts(): Parts {
  const objects: BundleObjects = {};
  const node = addNode(objects, { id: "plan", content: "pro" });
  const state = addState(objects, { plan: node });
  const root = addCommit(objects, { state });
  const next = addNode(objects, { id: "plan", content: { seats: [1, 1.5] } });
  const head = addCommit(objects, {
    parents: [root],
    state: addState(objects, { plan: next }),
    time: 2_000,
  });
  return { objects, node, state, root, head };
}

/** A bundle of {@linkcode parts} that something is done to. */
function forged(
  change: (parts: Parts) => BundleFrame | void = () => {},
): string {
  const made = parts();
  const frame = change(made) ?? {};
  return bundleText(made.objects, { refs: { main: made.head }, ...frame });
}

/** A bundle whose branch is at a commit that is made of what `make` returns. */
function withCommit(
  make: (parts: Parts) => { parents?: string[]; state: string },
): string {
  return forged((made) => ({
    refs: { main: addCommit(made.objects, make(made)) },
  }));
}

const GOOD = forged();

/** Every object in them hashes to its id; what is wrong is what they name. */
const BAD: { readonly [what: string]: string } = {
  "a parent that is not there": withCommit(({ state }) => ({
    parents: [NOBODY],
    state,
  })),
  "a state that is not there": withCommit(() => ({ state: NOBODY })),
  "a node that is not there": withCommit(({ objects }) => ({
    state: addState(objects, { plan: NOBODY }),
  })),
  "a branch at a commit that is not there": forged(() => ({
    refs: { main: NOBODY },
  })),
  "a detached head that is not there": forged(() => ({ head: NOBODY })),
  "a parent that is a state": withCommit(({ state }) => ({
    parents: [state],
    state,
  })),
  "a state that is a node": withCommit(({ node }) => ({ state: node })),
  "a state that is a commit": withCommit(({ root }) => ({ state: root })),
  "a node that is a state": withCommit(({ objects, state }) => ({
    state: addState(objects, { plan: state }),
  })),
  "a branch at a node": forged(({ node }) => ({ refs: { main: node } })),
  "a detached head at a state": forged(({ state }) => ({ head: state })),
  "a state's key unlike its node's id": withCommit(({ objects, node }) => ({
    state: addState(objects, { tier: node }),
  })),
};

/** Imports into a folder that is to be made, and into an empty one; both must be as they were. */
async function assertRefused(
  bundle: string,
  code: MnemErrorCode,
): Promise<void> {
  await using folder = await tempFolder();
  const empty = join(folder.path, "empty");
  await mkdir(empty);
  for (const target of [empty, join(folder.path, "new", "mem")]) {
    await assert.rejects(importBundle(target, streamOf(bundle)), (error) => {
      assert.ok(isMnemError(error), `${error}`);
      assert.equal(error.code, code, error.message);
      assert.equal(error.outcome, "none");
      assert.ok(error.message.length < 1_000, "it quotes no bundle");
      return true;
    });
  }
  assert.deepEqual(await readdir(folder.path, { recursive: true }), ["empty"]);
}

Deno.test("importBundle() takes a bundle that is right, and nothing that is not", async (t) => {
  await using folder = await tempFolder();
  await using store = await importBundle(folder.path, streamOf(GOOD));
  assert.deepEqual((await store.node("plan"))?.content, { seats: [1, 1.5] });
  assert.deepEqual((await store.verify()).faults, []);
  for (const [what, bundle] of Object.entries(BAD)) {
    assert.notEqual(bundle, GOOD, `${what} is planted`);
    await t.step(what, () => assertRefused(bundle, "corrupt_store"));
  }
});

Deno.test("importBundle() leaves a store that is there as it was", async () => {
  await using used = await tempStore();
  await used.store.write([{ id: "plan", content: 1 }], { message: "mine" });
  const before = await exported(used.store);
  await assert.rejects(importBundle(used.path, streamOf(GOOD)), {
    code: "store_exists",
  });
  for (
    const [bundle, prefix, code] of [
      [GOOD.replace('"pro"', '"team"'), "their/", "corrupt_store"],
      [forged(() => ({ format_version: 9 })), "their/", "format_version"],
      [GOOD, "..", "invalid_ref"],
      [GOOD, "a b/", "invalid_ref"],
    ] as const
  ) {
    await assert.rejects(
      importBundle(used.path, streamOf(bundle), { prefix }),
      { code },
      prefix,
    );
    assert.deepEqual([...(await used.store.branches()).keys()], ["main"]);
  }
  assert.equal(await exported(used.store), before);
  assert.deepEqual((await used.store.verify()).faults, []);

  await using merged = await importBundle(used.path, streamOf(GOOD), {
    prefix: "their/",
  });
  const { head } = parts();
  assert.equal((await merged.branches()).get("their/main"), head);
  assert.equal((await used.store.node("plan"))?.content, 1);
  assert.equal(
    (await (await used.store.at("their/main")).blame("plan")).commit.id,
    head,
  );
  assert.deepEqual((await used.store.verify()).faults, []);
});

Deno.test("importBundle() with a prefix needs a store, and a branch that is free", async () => {
  await using folder = await tempFolder();
  await assert.rejects(
    importBundle(folder.path, streamOf(GOOD), { prefix: "a/" }),
    { code: "no_store" },
  );
  assert.deepEqual(await readdir(folder.path), []);
  await using store = await openStore(folder.path, { create: true });
  await store.write([{ id: "plan", content: 1 }], { message: "mine" });
  await store.createBranch("a/main");
  await assert.rejects(
    importBundle(folder.path, streamOf(GOOD), { prefix: "a/" }),
    { code: "conflict" },
  );
  assert.equal(
    (await store.branches()).get("a/main"),
    (await store.head()).commit,
  );
  // Again where it already is: a success, as a repeated fetch of git.
  for (let again = 0; again < 2; again++) {
    await using _ = await importBundle(folder.path, streamOf(GOOD), {
      prefix: "b/",
    });
  }
  assert.deepEqual((await store.verify()).faults, []);
});
