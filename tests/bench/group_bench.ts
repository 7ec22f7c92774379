/**
 * A hundred calls at once against a hundred one after the other, in one process.
 *
 * @module
 */

import { type BenchContext, type Figure, median, timed } from "./figure.ts";

const CALLS = 100;

/** Measures what it brings that writes which wait travel together. */
export async function groupBench(
  { scale, stores }: BenchContext,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const nodes of scale.nodes) {
    const { store, driver, ids } = await stores.of(nodes);
    const write = (round: number, i: number) =>
      store.write(
        [{ id: ids[(i * 97) % nodes]!, content: `round ${round}-${i}` }],
        { message: `call ${i}` },
      );
    // What was never read costs a read once, whoever comes first.
    for (let i = 0; i < CALLS; i++) await store.node(ids[(i * 97) % nodes]!);
    const single: number[] = [];
    const together: number[] = [];
    let atomics = 0;
    for (let run = 0; run < scale.runs; run++) {
      const turn = 2 * run;
      const oneByOne = async () => {
        for (let i = 0; i < CALLS; i++) await write(turn, i);
      };
      const atOnce = () =>
        Promise.all(
          Array.from({ length: CALLS }, (_, i) => write(turn + 1, i)),
        );
      single.push(await timed(oneByOne));
      driver.reset();
      together.push(await timed(atOnce));
      atomics = Math.max(atomics, driver.counts.commits);
    }
    figures.push({
      bench: "group",
      size: nodes,
      values: {
        one_by_one_ms: median(single),
        at_once_ms: median(together),
        speedup: median(single) / median(together),
        atomics,
      },
    });
  }
  return figures;
}
