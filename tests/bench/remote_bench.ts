/**
 * A store whose storage answers 30 ms late, as a server far away would: what a call takes is its
 * rounds, and hardly more.
 *
 * @module
 */

import type { Store } from "@mnem/core";
import { openStoreOn } from "../../core/store/open_store.ts";
import { countsOf } from "../support/counted_store.ts";
import { LockstepDriver } from "../support/lockstep_driver.ts";
import { DelayedDriver } from "./delayed_driver.ts";
import {
  type BenchContext,
  type Figure,
  median,
  timed,
  type Values,
} from "./figure.ts";

const NODES = 10_000;
const DELAY_MS = 30;

/** What is called, about a node. */
const CALLS: Readonly<
  Record<string, (store: Store, node: string) => Promise<unknown>>
> = {
  commit: (store, node) =>
    store.write([{ id: node, content: crypto.randomUUID() }], {
      message: "far",
    }),
  recall: (store, node) => store.node(node),
  blame: (store, node) => store.blame(node),
  "diff-1": (store) => Array.fromAsync(store.diff("HEAD~1")),
};

/** Measures what an agent does most. */
export async function remoteBench(
  { scale, stores }: BenchContext,
): Promise<Figure[]> {
  const bench = await stores.of(NODES);
  let turn = 0;
  // Never the same: what the head itself wrote lies nearer than the rest.
  const nextId = () => bench.ids[turn++ * 4_711 % NODES]!;
  const figures: Figure[] = [];
  for (const [of, call] of Object.entries(CALLS)) {
    const cold: Cost[] = [];
    const warm: Cost[] = [];
    for (let run = 0; run < scale.runs; run++) {
      // The rounds are counted near, and in step: what a call waits for does not hang on its speed.
      await using near = await bench.reopen((driver) =>
        new LockstepDriver(driver)
      );
      const first = nextId();
      const rounds = async () =>
        (await countsOf(near.driver, () => call(near.store, first))).rounds;
      const counted = { cold: await rounds(), warm: await rounds() };
      const driver = new DelayedDriver(await bench.reopenBare(), DELAY_MS);
      await using far = await openStoreOn(driver);
      const second = nextId();
      const ms = () => timed(() => call(far, second));
      cold.push({ ms: await ms(), rounds: counted.cold });
      warm.push({ ms: await ms(), rounds: counted.warm });
    }
    const values = { ...named("cold", cold), ...named("warm", warm) };
    figures.push({ bench: "remote-30ms", of, size: NODES, values });
  }
  return figures;
}

interface Cost {
  readonly ms: number;
  readonly rounds: number;
}

function named(name: string, costs: readonly Cost[]): Values {
  return {
    [`${name}_ms`]: median(costs.map(({ ms }) => ms)),
    [`${name}_rounds`]: Math.max(...costs.map(({ rounds }) => rounds)),
    [`${name}_ratio`]: median(
      costs.map(({ ms, rounds }) => ms / (rounds * DELAY_MS)),
    ),
  };
}
