/**
 * A store whose storage calls are counted.
 *
 * @module
 */

import type { Store } from "@mnem/core";
import type { Driver } from "../../core/storage/driver.ts";
import { openStoreOn } from "../../core/store/open_store.ts";
import { CountingDriver, type StorageCounts } from "./counting_driver.ts";

/** Opens a handle with empty caches and counts of its own, which start at zero. */
export async function countedStore(
  driver: Driver,
  options: Parameters<typeof openStoreOn>[1] = {},
): Promise<{ store: Store; driver: CountingDriver }> {
  const counting = new CountingDriver(driver);
  const store = await openStoreOn(counting, options);
  counting.reset();
  return { store, driver: counting };
}

/** The counts of one call alone. */
export async function countsOf(
  driver: CountingDriver,
  call: () => Promise<unknown>,
): Promise<Readonly<StorageCounts>> {
  driver.reset();
  await call();
  return driver.counts;
}
