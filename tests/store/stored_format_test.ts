/**
 * Stores that a released version wrote: each later version opens them, finds them in order, gives the
 * answers that were given then, and goes on with them. What they hold: `scripts/make_format_store.ts`.
 *
 * @module
 */

import assert from "node:assert/strict";
import { copyFile, mkdir, readdir, readFile } from "node:fs/promises";
import { importBundle, openStore, type Store } from "@mnem/core";
import {
  IMPORTED,
  LARGE,
  makeStores,
  PLAYED,
  PREFIX,
} from "../../scripts/make_format_store.ts";
import { askTrace } from "../support/ask_trace.ts";
import { exported, streamOf } from "../support/bundles.ts";
import { checkVerified } from "../support/check_verified.ts";
import { treeStateId } from "../support/flat_state.ts";
import { tempFolder } from "../support/temp_folder.ts";
import type { Trace } from "../support/trace_run.ts";

const DATA = new URL("../data/", import.meta.url);
const STORES = new URL("stores/format-1/", DATA);
interface Bundle {
  readonly refs: { readonly [branch: string]: string };
  readonly objects: {
    readonly [id: string]: { readonly kind: string; readonly state: string };
  };
}

/** Opens a copy: to open a store is to write beside its file. */
async function opened(
  form: "tree" | "flat",
): Promise<AsyncDisposable & { readonly store: Store }> {
  const folder = await tempFolder();
  await mkdir(`${folder.path}/.mnem`);
  const file = new URL(`${form}/.mnem/kv.db`, STORES);
  await copyFile(file, `${folder.path}/.mnem/kv.db`);
  const store = await openStore(folder.path, { author: "later" });
  return {
    store,
    async [Symbol.asyncDispose]() {
      await store.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function readJson<T>(name: string): Promise<T> {
  return JSON.parse(await readFile(new URL(name, DATA), "utf8"));
}

Deno.test("a stored folder was closed: its log is in its file", async () => {
  for (const form of ["tree", "flat"]) {
    const files = await readdir(new URL(`${form}/.mnem/`, STORES));
    assert.deepEqual(files, ["kv.db"]);
  }
});

Deno.test("verify() finds a stored folder of format 1 in order", async () => {
  for (const [form, rows] of [["tree", 2_053], ["flat", 1_511]] as const) {
    await using copy = await opened(form);
    assert.equal(copy.store.formatVersion, 1);
    const checked = await checkVerified(copy.store);
    // Rows of a stage and of pieces are looked at too.
    assert.ok(checked > rows * 0.9, `${checked} of ${rows}`);
  }
});

Deno.test("a stored folder has the commits and the answers of the reference", async () => {
  const trace: Trace = await readJson(`traces/${PLAYED}`);
  const played: Bundle = await readJson(
    `traces/${PLAYED.replace(".json", ".bundle.json")}`,
  );
  const imported: Bundle = await readJson(`traces/${IMPORTED}`);
  await using copy = await opened("tree");
  const { store } = copy;
  const { [LARGE]: large, ...branches } = Object.fromEntries(
    await store.branches(),
  );
  assert.ok(large !== undefined);
  assert.deepEqual(branches, {
    ...trace.final.branches,
    ...Object.fromEntries(
      Object.entries(imported.refs).map(([name, id]) => [PREFIX + name, id]),
    ),
  });
  let merges = 0;
  for (const { objects } of [played, imported]) {
    for (const [id, { kind, state }] of Object.entries(objects)) {
      if (kind !== "commit") continue;
      const commit = await store.readCommit(id);
      assert.deepEqual([commit.id, commit.state], [id, state]);
      if (commit.parents.length > 1) merges++;
    }
  }
  assert.ok(merges > 1, `${merges} merges`);
  assert.ok(await askTrace(store, trace) > 80);
});

Deno.test("a stored folder has the large commits, whole", async () => {
  await using copy = await opened("tree");
  const large = copy.store.on(LARGE);
  const [removal, tree, pieces] = await Array.fromAsync(
    large.log({ limit: 3 }),
  );
  assert.ok(removal !== undefined && tree !== undefined);
  assert.deepEqual(
    [removal.message, tree.message, pieces?.message],
    [
      "removals in a pack",
      "a tree, in a pack",
      "a node of more than one row",
    ],
  );
  const past = await copy.store.at(tree.id);
  assert.equal(tree.state, await treeStateId(past));
  const then = await past.memory();
  const now = await large.memory();
  for (let i = 0; i < 1_100; i++) {
    const id = `n${String(i).padStart(4, "0")}`;
    assert.equal(then.get(id)?.content, i);
    assert.equal(now.get(id)?.content, i < 750 ? undefined : i);
  }
  assert.equal(then.size - now.size, 750);
  assert.equal(now.get("pieces")?.content, "piece ".repeat(11_000));
  const [gone] = await Array.fromAsync(large.versions("n0007"));
  assert.deepEqual([gone?.commit.id, gone?.node], [removal.id, null]);
});

Deno.test("a stored folder has its stage", async () => {
  await using copy = await opened("tree");
  const { nodes, removals } = await copy.store.stage.list();
  assert.deepEqual([[...nodes.keys()], removals.length], [["staged"], 1]);
  const { changes } = await copy.store.stage.commit({ message: "at last" });
  assert.deepEqual(changes.get("staged"), "added");
  assert.deepEqual(changes.get(removals[0] ?? ""), "removed");
  assert.equal((await copy.store.stage.list()).nodes.size, 0);
  await checkVerified(copy.store);
});

Deno.test("a stored folder of flat states has the commits of the reference", async () => {
  const { histories }: {
    readonly histories: {
      readonly flat_1500: {
        readonly commits: readonly string[];
        readonly states: readonly string[];
      };
    };
  } = await readJson("vectors.json");
  await using copy = await opened("flat");
  const log = await Array.fromAsync(copy.store.log());
  const known = histories.flat_1500;
  assert.deepEqual(
    log.map(({ id, state }) => [id, state]).toReversed(),
    known.commits.map((id, i) => [id, known.states[i]]),
  );
  assert.equal((await copy.store.node("n0700"))?.content, "changed");
  assert.equal((await copy.store.memory()).size, 1_500);
});

Deno.test("a stored folder can be gone on with", async () => {
  for (const form of ["tree", "flat"] as const) {
    await using copy = await opened(form);
    const { store } = copy;
    const before = await store.head();
    const said = (message: string) => ({ message, timeMs: 1_800_000_000_000 });
    await store.createBranch("later");
    const later = store.on("later");
    const many = Array.from({ length: 800 }, (_, i) => ({
      id: `later ${i}`,
      content: [i],
    }));
    await later.write(many, said("more than one atomic write"));
    await store.write([{ id: "here", content: 1 }], said("meanwhile"));
    const merged = await store.merge("later", said("bring it in"));
    assert.equal(merged.status, "merged");
    assert.equal(merged.changes.size, 800);
    const [written] = await Array.fromAsync(later.log({ limit: 1 }));
    assert.equal((await store.blame("later 7")).commit.id, written?.id);
    const taken = await store.revert(written?.id ?? "", said("and out again"));
    assert.equal(taken.changes.size, 800);
    const kinds = await Array.fromAsync(store.diff(before.commit ?? ""));
    assert.deepEqual(kinds.map(({ id, kind }) => [id, kind]), [
      ["here", "added"],
    ]);
    await checkVerified(store);
    await using place = await tempFolder();
    await using moved = await importBundle(
      place.path,
      streamOf(await exported(store)),
    );
    assert.deepEqual(await moved.branches(), await store.branches());
    await checkVerified(moved);
  }
});

Deno.test("makeStores() makes the histories that are stored", async () => {
  await using folder = await tempFolder();
  await makeStores(folder.path);
  for (const form of ["tree", "flat"] as const) {
    await using copy = await opened(form);
    await using made = await openStore(`${folder.path}/${form}`);
    assert.equal(await exported(made), await exported(copy.store), form);
  }
});
