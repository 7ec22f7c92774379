/**
 * Stores by their number of nodes, each made once in a run: to fill a large one takes longer than to
 * measure it.
 *
 * @module
 */

import { type BenchStore, benchStore, type Wrap } from "./bench_store.ts";

/** Makes stores when they are first asked for; `await using` removes them. */
export class StorePool implements AsyncDisposable {
  readonly #stores = new Map<number, Promise<BenchStore>>();
  readonly #wrap: Wrap | undefined;

  /** A wrap is put between each store and its storage: how a test plants a fault. */
  constructor(wrap?: Wrap) {
    this.#wrap = wrap;
  }

  /** The store of so many nodes. What a bench adds to it the next one finds there. */
  of(nodes: number): Promise<BenchStore> {
    const known = this.#stores.get(nodes);
    if (known !== undefined) return known;
    const made = benchStore(nodes, { wrap: this.#wrap });
    this.#stores.set(nodes, made);
    return made;
  }

  /** Closes and removes them all. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const made of this.#stores.values()) {
      const store = await made.catch(() => undefined);
      await store?.[Symbol.asyncDispose]();
    }
    this.#stores.clear();
  }
}
