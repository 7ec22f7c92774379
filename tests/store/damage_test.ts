/**
 * A store on a disk that lies: any bit of any row may flip, and no answer changes in silence.
 *
 * @module
 */

import assert from "node:assert/strict";
import { isMnemError, type Store } from "@mnem/core";
import { openStoreOn } from "../../core/store/open_store.ts";
import { MemoryKv } from "../support/memory_kv.ts";
import { Chance } from "../support/tree_cases.ts";

const SEED = 61;
const FLIPS = 400;

/** A store with rows of every kind: small and bulk commits, long values, removals, branches, a stage. */
async function build(): Promise<MemoryKv> {
  const kv = new MemoryKv();
  await using store = await openStoreOn(kv.open(), { create: true });
  let timeMs = 0;
  const options = () => ({ message: `m ${++timeMs}`, timeMs, author: "me" });
  await store.write([{ id: "a", content: 1 }, {
    id: "é",
    content: { deep: ["x"] },
  }], options());
  await store.write(
    [{ id: "long", content: "long ".repeat(20_000) }],
    options(),
  );
  await store.createBranch("side");
  const many = Array.from(
    { length: 1_100 },
    (_, i) => ({ id: `n${i}`, content: i }),
  );
  await store.on("side").write(many, options());
  await store.on("side").write([{ id: "n5", content: "five" }, {
    id: "n6",
    remove: true,
  }], options());
  await store.on("side").write([{ id: "a", remove: true }], {
    ...options(),
    message: "w".repeat(70_000 / 2),
  });
  for (let i = 0; i < 12; i++) {
    await store.write([{
      id: `k${i % 4}`,
      content: { i },
      provenance: { source: `s${i}` },
    }], options());
  }
  await store.write([{ id: "k1", remove: true }], options());
  await store.write([{ id: "k1", content: "back" }], options());
  await store.stage.put("staged", { content: 1 });
  await store.stage.remove("k2");
  return kv;
}

/** Everything that a store can be asked of a few nodes and all commits, as one text. */
async function answersOf(store: Store): Promise<string> {
  const answers: unknown[] = [await store.head(), [...await store.branches()], [
    ...(await store.stage.list()).nodes,
  ]];
  for (const branch of ["main", "side"]) {
    const view = store.on(branch);
    answers.push(await view.head());
    for await (const commit of view.log()) {
      answers.push(commit, await store.changes(commit.id));
      const at = await store.at(commit.id);
      for (const id of ["a", "é", "k1", "n5", "n6"]) {
        answers.push(await at.node(id));
        answers.push(
          await at.blame(id).catch((error) =>
            error.code === "not_found" ? null : Promise.reject(error)
          ),
        );
      }
    }
    answers.push([...await view.memory()]);
    for (const id of ["a", "k1", "n6"]) {
      answers.push(await Array.fromAsync(view.versions(id)));
    }
    answers.push(await Array.fromAsync(store.diff("main", "side")));
  }
  answers.push(await Array.fromAsync(store.stage.diff()));
  return JSON.stringify(answers);
}

Deno.test("no flipped bit of any row changes an answer in silence", async () => {
  const kv = await build();
  const rows = kv.rows();
  const kinds = new Set(rows.map(({ key }) => key[0]));
  assert.deepEqual([...kinds].sort(), [
    "HEAD",
    "S",
    "c",
    "d",
    "meta",
    "n",
    "p",
    "r",
    "s",
    "x",
  ]);
  const ask = async () => {
    await using store = await openStoreOn(kv.open());
    return await answersOf(store);
  };
  const before = await ask();
  assert.equal(await ask(), before);
  const chance = new Chance(SEED);
  const hit = new Map<unknown, number>();
  const valued = rows.filter(({ value }) => value.length > 0);
  const byKind = [...kinds].map((kind) =>
    valued.filter(({ key }) => key[0] === kind)
  ).filter(({ length }) => length > 0);
  for (let i = 0; i < FLIPS; i++) {
    const { key, value } = chance.pick(chance.pick(byKind));
    const bit = chance.below(value.length * 8);
    const flipped = value.slice();
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    kv.put(key, flipped);
    const answer = await ask().catch((error: unknown) => {
      assert.ok(
        isMnemError(error),
        `seed ${SEED}, flip ${i} of ${String(key[0])}: ${error}`,
      );
      assert.equal(error.code, "corrupt_store", error.message);
      return undefined;
    });
    if (answer === undefined) hit.set(key[0], (hit.get(key[0]) ?? 0) + 1);
    else {assert.ok(
        answer === before,
        `seed ${SEED}, flip ${i}: bit ${bit} of a row ${String(key[0])}`,
      );}
    kv.put(key, value);
  }
  assert.equal(await ask(), before);
  for (const kind of ["HEAD", "c", "meta", "n", "p", "r", "s", "x"]) {
    assert.ok((hit.get(kind) ?? 0) > 0, `no flip was found in rows ${kind}`);
  }
});
