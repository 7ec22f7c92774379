/**
 * Bundles that must not come in: each is refused with its code, and leaves nothing behind.
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
const bytes = new TextEncoder().encode(GOOD);
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const twice = (text: string, member: string) =>
  text.replace(member, `${member},${member}`);

const BAD: { readonly [what: string]: string | Uint8Array } = {
  "nothing": "",
  "no JSON": "a text",
  "an array": "[]",
  "null": "null",
  "text after its end": `${GOOD}{}`,
  "bytes that are no UTF-8": bytes.map((byte, at) =>
    at === GOOD.indexOf("made by hand") ? 0xff : byte
  ),
  "a lone surrogate": GOOD.replace("ada", "\\ud800"),
  "another hash": forged(() => ({ hash_algo: "sha256" })),
  "no version": GOOD.replace('"format_version":1,', ""),
  "a version that is text": forged(() => ({ format_version: "1" })),
  "no head": GOOD.replace('"head":"ref: main",', ""),
  "a head that is a number": forged(() => ({ head: 1 })),
  "a head that is no commit id": forged(() => ({ head: "main" })),
  "refs that are a list": forged(() => ({ refs: [] })),
  "a member twice": twice(GOOD, '"hash_algo":"blake3"'),
  "a branch twice": GOOD.replace(
    /"main":("[0-9a-f]{64}")/,
    '"main":$1,"main":$1',
  ),
  "an object twice": GOOD.replace(
    /("[0-9a-f]{64}":\{"kind":"memory_node"[^}]*\})/,
    "$1,$1",
  ),
  "changed content": GOOD.replace('"pro"', '"team"'),
  "1 that became 1.0": GOOD.replace("[1,1.5]", "[1.0,1.5]"),
  "a changed message": GOOD.replace("made by hand", "made by head"),
  "an id that is too short": GOOD.replace(/"[0-9a-f]{64}":\{/, '"abcd":{'),
  "an object without a kind": GOOD.replace('"kind":"memory_node",', ""),
  "a commit without a time": GOOD.replace(/,"time":1000/, ""),
  "a time that is a fraction": GOOD.replace('"time":1000', '"time":1000.5'),
  "a node without content": GOOD.replace(/"content":"pro",/, ""),
  "content that is too deep": GOOD.replace('"pro"', nested(128)),
  "a hundred thousand brackets": GOOD.replace('"pro"', nested(100_000)),
  "a number beyond a double": GOOD.replace("1.5", "1e400"),
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
  bundle: string | Uint8Array,
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

Deno.test("importBundle() refuses a bundle that is cut at any byte", async () => {
  for (let end = 1; end < bytes.length; end += 37) {
    await assertRefused(bytes.subarray(0, end), "corrupt_store");
  }
});

Deno.test("importBundle() names a format that is newer", async () => {
  for (
    const bundle of [
      forged(() => ({ format_version: 2 })),
      GOOD.replace('"state","nodes"', '"tag","nodes"'),
    ]
  ) {
    assert.notEqual(bundle, GOOD);
    await assertRefused(bundle, "format_version");
  }
});

Deno.test("importBundle() says which object is wrong", async () => {
  await using folder = await tempFolder();
  const { node } = parts();
  await assert.rejects(
    importBundle(folder.path, streamOf(GOOD.replace('"pro"', '"team"'))),
    (error) => `${error}`.includes(node),
  );
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

Deno.test("importBundle() ends with the reason of its signal, and with what its stream throws", async () => {
  await using folder = await tempFolder();
  const reason = new Error("enough");
  await assert.rejects(
    importBundle(folder.path, streamOf(GOOD), {
      signal: AbortSignal.abort(reason),
    }),
    reason,
  );
  const broken = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(bytes.slice(0, 300));
      controller.error(reason);
    },
  });
  await assert.rejects(importBundle(folder.path, broken), reason);
  for (const bundle of [GOOD, bytes, null, undefined, {}]) {
    await assert.rejects(
      Reflect.apply(importBundle, undefined, [folder.path, bundle]),
      TypeError,
    );
  }
  assert.deepEqual(await readdir(folder.path), []);
});
