/**
 * A store whose calls can fail.
 *
 * @module
 */

import type { Store } from "@mnem/core";
import { openStoreOn } from "../../core/store/open_store.ts";
import { ClientErrors } from "./client_errors.ts";
import { FaultDriver } from "./fault_driver.ts";
import { MemoryKv } from "./memory_kv.ts";

/** A store with the nodes a and b, the handle on it whose calls can fail, and one whose calls do not. */
export async function faultStore(): Promise<
  { kv: MemoryKv; driver: FaultDriver; store: Store; other: Store }
> {
  const kv = new MemoryKv();
  const other = await openStoreOn(kv.open(), { create: true });
  await other.write([{ id: "a", content: 0 }, { id: "b", content: 0 }], {
    message: "seed",
  });
  const driver = new FaultDriver(kv.open());
  const store = await openStoreOn(new ClientErrors(driver));
  return { kv, driver, store, other };
}
