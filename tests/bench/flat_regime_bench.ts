/**
 * Commits in memories small enough to be one flat object, beside the same work just above that size:
 * the reference's ids may cost a little, not more.
 *
 * @module
 */

import type { Store } from "@mnem/core";
import { type BenchStore, benchStore, hotIds } from "./bench_store.ts";
import {
  type BenchContext,
  type Figure,
  inTurns,
  median,
  timed,
} from "./figure.ts";

const FLAT_NODES = [250, 500, 1_000];
/** A little more than a flat object may hold, so that it is a tree. */
const TREE_NODES = 1_100;

/** Measures warm and cold commits, in turns with those of a tree. */
export async function flatRegimeBench(
  { scale }: BenchContext,
): Promise<Figure[]> {
  // Stores of their own: what other benches add would make trees of them.
  await using tree = await benchStore(TREE_NODES);
  const figures: Figure[] = [];
  for (const size of FLAT_NODES) {
    await using flat = await benchStore(size);
    const [warm, treeWarm] = await inTurns(
      scale.commits,
      (turn) => revise(flat.store, flat, `${size} warm`, turn),
      (turn) => revise(tree.store, tree, `${size} warm`, turn),
    );
    const [cold, treeCold] = await inTurns(
      scale.questions,
      (turn) => reviseCold(flat, `${size} cold`, turn),
      (turn) => reviseCold(tree, `${size} cold`, turn),
    );
    figures.push({
      bench: "flat-regime",
      size,
      values: {
        warm_ms: median(warm),
        tree_warm_ms: median(treeWarm),
        warm_ratio: median(warm) / median(treeWarm),
        cold_ms: median(cold),
        tree_cold_ms: median(treeCold),
        cold_ratio: median(cold) / median(treeCold),
      },
    });
  }
  return figures;
}

function revise(
  store: Store,
  { ids }: BenchStore,
  what: string,
  turn: number,
): Promise<number> {
  const hot = hotIds(ids);
  const edit = { id: hot[turn % hot.length]!, content: `${what} ${turn}` };
  return timed(() => store.write([edit], { message: what }));
}

async function reviseCold(
  bench: BenchStore,
  what: string,
  turn: number,
): Promise<number> {
  await using handle = await bench.reopen();
  return await revise(handle.store, bench, what, turn);
}
