/**
 * What writers may do while a store is verified, between any two of its reads.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Store } from "@mnem/core";
import { openStoreOn } from "../../core/store/open_store.ts";
import { checkVerified } from "./check_verified.ts";
import { FaultDriver } from "./fault_driver.ts";
import type { MemoryKv } from "./memory_kv.ts";

const put = (id: string, content: number) => ({ id, content });

/** The place of the one that takes several atomic writes. */
export const MANY = 3;

/** What another handle may do while a store is verified. */
export const MEANWHILE:
  readonly ((store: Store, turn: number) => Promise<unknown>)[] = [
    (store, turn) => store.write([put("a", turn)], { message: `m${turn}` }),
    (store, turn) =>
      store.write([{ id: "é", remove: true }, put("new", turn)], {
        message: "r",
      }),
    (store, turn) => store.write([put("é", turn)], { message: "back" }),
    (store, turn) =>
      store.write(
        Array.from({ length: 720 }, (_, i) => put(`many${i}`, turn)),
        { message: "many" },
      ),
    (store) => store.merge("side", { strategy: "ours" }),
    (store, turn) =>
      store.on("side").write([put("a", -turn)], { message: "s" }),
    (store) => store.on("side").merge("main", { strategy: "ours" }),
    (store, turn) => store.createBranch(`b${turn}`, { at: "HEAD" }),
    (store, turn) => store.deleteBranch(`b${turn - 1}`),
    async (store, turn) => {
      await store.createBranch(`now${turn}`);
      await store.switchTo(`now${turn}`);
      await store.switchTo("main");
      await store.deleteBranch(`now${turn}`);
    },
    (store, turn) => store.stage.put("staged", { content: turn }),
    (store) => store.stage.unstage("k"),
    (store, turn) =>
      store.stage.put("long", { content: "x".repeat(70_000 + turn) }),
    (store) => store.stage.commit({ message: "staged" }),
  ];

/** Verifies a rich store so many times while others write, and fails over a false alarm. */
export async function verifyBesideWriters(
  kv: MemoryKv,
  { rounds }: { readonly rounds: number },
): Promise<void> {
  const others = await openStoreOn(kv.open());
  const driver = new FaultDriver(kv.open());
  await using store = await openStoreOn(driver);
  let turn = 0;
  for (let round = 0; round < rounds; round++) {
    driver.arm(() => {
      const meddle = MEANWHILE[turn % MEANWHILE.length]!;
      return { slow: meddle(others, turn++) };
    });
    await checkVerified(store);
  }
  assert.ok(turn > rounds * MEANWHILE.length, `${turn} turns`);
  driver.arm(() => undefined);
  await checkVerified(store);
  await others.close();
}
