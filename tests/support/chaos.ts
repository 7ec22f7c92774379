/**
 * Random merges, held to what must be true of any merge: nothing lost, nothing invented, both sides
 * alike.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Branch, MergeResult, Store } from "@mnem/core";
import { openStoreOn } from "../../core/store/open_store.ts";
import { checkVerified } from "./check_verified.ts";
import { MemoryKv } from "./memory_kv.ts";
import { Chance } from "./tree_cases.ts";

const IDS = ["alpha", "beta", "delta", "epsilon", "gamma", "zeta"];
const OTHER = { left: "right", right: "left" } as const;

type Memory = ReadonlyMap<string, string>;

/** One trial: two branches that went on from one memory, sometimes after having merged each other. */
export async function chaosTrial(seed: number): Promise<void> {
  const chance = new Chance(seed);
  const store = await openStoreOn(new MemoryKv().open(), {
    create: true,
    clock: () => 1_000,
  });
  await diverge(chance, store, 6);
  await store.createBranch("left");
  await store.createBranch("right");
  const base = await memoryOf(store);
  for (const name of ["left", "right"]) {
    await diverge(chance, store.on(name), chance.below(4));
  }
  await checkSides(store, base);
  await checkConvergence(store, chance);
  await checkVerified(store);
  await store.close();
}

async function diverge(
  chance: Chance,
  branch: Branch,
  operations: number,
): Promise<void> {
  const edits = Array.from({ length: operations }, () => {
    const id = chance.pick(IDS);
    return chance.below(3) === 0
      ? { id, remove: true as const }
      : { id, content: `v${chance.below(4)}` };
  });
  await branch.write(edits, {
    message: `change ${chance.below(1_000)}`,
    allowEmpty: true,
  });
}

async function memoryOf(branch: Pick<Branch, "memory">): Promise<Memory> {
  const memory = await branch.memory();
  return new Map([...memory].map(([id, node]) => [id, String(node.content)]));
}

/** No lost writes, no invented ids, order, symmetry. */
async function checkSides(store: Store, base: Memory): Promise<void> {
  const dry = { dryRun: true };
  const [left, right] = [store.on("left"), store.on("right")];
  const ours = await memoryOf(left);
  const theirs = await memoryOf(right);
  const one = await left.merge("right", dry);
  const other = await right.merge("left", dry);
  assert.deepEqual(mirrored(one), other.conflicts);
  const ids = one.conflicts.map(({ id }) => id);
  assert.deepEqual(ids, ids.toSorted());
  const expected = IDS.filter((id) => {
    const [b, o, t] = [base, ours, theirs].map((memory) => memory.get(id));
    return o !== t && o !== b && t !== b;
  });
  assert.deepEqual(ids, expected);
  if (one.status === "conflicts") return;
  const after = new Map(ours);
  for (const id of IDS) {
    const untouched = ours.get(id) === base.get(id);
    const value = untouched ? theirs.get(id) : ours.get(id);
    if (value === undefined) after.delete(id);
    else after.set(id, value);
  }
  const changed = IDS.filter((id) => after.get(id) !== ours.get(id));
  assert.deepEqual([...one.changes.keys()], changed);
}

/** The conflicts as the other side must see them. */
function mirrored({ conflicts }: MergeResult): MergeResult["conflicts"] {
  return conflicts.map(({ ours, theirs, kind, ...rest }) => ({
    ...rest,
    kind: kind === "edit/delete"
      ? "delete/edit"
      : kind === "delete/edit"
      ? "edit/delete"
      : kind,
    ours: theirs,
    theirs: ours,
  }));
}

/** The strategy leaves no conflict, ours comes first, merging back converges, once more is nothing. */
async function checkConvergence(store: Store, chance: Chance): Promise<void> {
  const name = chance.pick(["left", "right"] as const);
  const other = OTHER[name];
  const [side, back] = [store.on(name), store.on(other)];
  const [{ commit: ours }, { commit: theirs }] = [
    await side.head(),
    await back.head(),
  ];
  const before = await memoryOf(side);
  const free = await side.merge(other, { dryRun: true });
  const merged = await side.merge(other, { strategy: "ours" });
  assert.notEqual(merged.status, "conflicts");
  for (const { id } of free.conflicts) {
    const now = (await memoryOf(side)).get(id);
    assert.equal(now, before.get(id), `${id} stays ours`);
  }
  if (merged.status === "merged") {
    const { parents } = await store.readCommit(name);
    assert.deepEqual(parents, [ours, theirs]);
  }
  assert.equal((await side.merge(other)).status, "up-to-date");
  const returned = await back.merge(name);
  assert.ok(["fast-forwarded", "up-to-date"].includes(returned.status));
  assert.deepEqual(await memoryOf(back), await memoryOf(side));
}

/** A trial over branches that merge each other: what one side sees is what the other does, mirrored. */
export async function crissCrossTrial(seed: number): Promise<number> {
  const chance = new Chance(seed);
  const store = await openStoreOn(new MemoryKv().open(), { create: true });
  let several = 0;
  await diverge(chance, store, 6);
  await store.createBranch("left");
  await store.createBranch("right");
  for (let round = 0; round < 6; round++) {
    const heads = [];
    for (const name of ["left", "right"] as const) {
      await diverge(chance, store.on(name), 1 + chance.below(3));
      heads.push((await store.on(name).head()).commit!);
    }
    several += await checkMirror(store);
    for (const [i, name] of (["left", "right"] as const).entries()) {
      if (chance.below(4) === 0) continue;
      const strategy = chance.pick(["ours", "theirs"] as const);
      await store.on(name).merge(heads[1 - i]!, {
        strategy,
        message: `${name} ${round}`,
      });
    }
  }
  await checkVerified(store);
  await store.close();
  return several;
}

/** Both directions, on branches of their own: mirrored conflicts, or the same memory. */
async function checkMirror(store: Store): Promise<number> {
  const results = [];
  for (const name of ["left", "right"] as const) {
    await store.createBranch("trial", { at: name });
    const result = await store.on("trial").merge(OTHER[name]);
    results.push({ result, memory: await store.on("trial").memory() });
    await store.deleteBranch("trial");
  }
  const [one, other] = results;
  assert.ok(one !== undefined && other !== undefined);
  assert.deepEqual(mirrored(one.result), other.result.conflicts);
  assert.deepEqual(one.result.reconciled, other.result.reconciled);
  if (one.result.status === "conflicts") return 1;
  assert.deepEqual(one.memory, other.memory);
  return 0;
}
