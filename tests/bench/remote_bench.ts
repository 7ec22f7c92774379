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

/** Measures what an agent does most. */
export async function remoteBench(
  { scale, stores }: BenchContext,
): Promise<Figure[]> {
  const bench = await stores.of(NODES);
  const node = bench.ids[4_711]!;
  let turn = 0;
  const write = (store: Store) =>
    store.write([{ id: node, content: `far ${turn++}` }], { message: "far" });
  const calls: { readonly [name: string]: (store: Store) => Promise<unknown> } =
    {
      commit: write,
      recall: (store) => store.node(node),
      blame: (store) => store.blame(node),
      "diff-1": (store) => Array.fromAsync(store.diff("HEAD~1")),
    };
  const figures: Figure[] = [];
  for (const [of, call] of Object.entries(calls)) {
    const cold: Cost[] = [];
    const warm: Cost[] = [];
    for (let run = 0; run < scale.runs; run++) {
      // The rounds are counted near, and in step: what a call waits for does not hang on its speed.
      await using near = await bench.reopen((driver) =>
        new LockstepDriver(driver)
      );
      const first = await countsOf(near.driver, () => call(near.store));
      const second = await countsOf(near.driver, () => call(near.store));
      const driver = new DelayedDriver(await bench.reopenBare(), DELAY_MS);
      await using far = await openStoreOn(driver);
      cold.push({ ms: await timed(() => call(far)), rounds: first.rounds });
      warm.push({ ms: await timed(() => call(far)), rounds: second.rounds });
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
  const rounds = Math.max(...costs.map((one) => one.rounds));
  const ms = median(costs.map((one) => one.ms));
  return {
    [`${name}_ms`]: ms,
    [`${name}_rounds`]: rounds,
    [`${name}_ratio`]: ms / (rounds * DELAY_MS),
  };
}
