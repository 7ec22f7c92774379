/**
 * The store for LangGraph: a batch beside a put, a get beside a bare read of a node, a search of one
 * namespace in a small and in a large memory; and LangGraph's store in PostgreSQL at the same work,
 * where PostgreSQL is there. Both sync every commit to the disk.
 *
 * @module
 */

import type { BaseStore, Operation } from "@langchain/langgraph-checkpoint";
import { MnemosyneStore, toId } from "@mnem/langgraph";
import { postgresMissing, startPostgres } from "../support/postgres_server.ts";
import { type BenchStore, benchStore } from "./bench_store.ts";
import { type BenchContext, type Figure, median, timed } from "./figure.ts";

const SMALL = 1_000;
const NAMESPACE = ["users", "u1"];
const ITEMS = 100;
const BATCHES = 20;

/** Measures in a memory of 1,000 nodes and in the largest of the scale. */
export async function langgraphBench(
  { scale }: BenchContext,
): Promise<Figure[]> {
  const sizes = [SMALL, Math.max(...scale.nodes)];
  const figures: Figure[] = [];
  for (const size of sizes) {
    await using bench = await benchStore(size);
    const values = await measureOurs(bench, scale.commits);
    figures.push({ bench: "langgraph", size, values });
  }
  if (scale.short) return figures;
  const postgres = await measurePostgres(sizes, scale.commits);
  return [...figures, ...postgres];
}

interface Times {
  readonly [name: string]: number;
  readonly put_ms: number;
  readonly batch_ms: number;
  readonly get_ms: number;
  readonly search_ms: number;
}

/**
 * The work that both stores do, taking turns so that the machine's moods cancel out: medians of as many
 * puts, gets and searches, and of batches of 100. `beside` is measured in turns with the gets.
 */
async function measure(
  store: BaseStore,
  options: {
    readonly rounds: number;
    readonly beside?: (key: string) => Promise<unknown>;
  },
): Promise<Times & { readonly beside_ms: number }> {
  const { rounds, beside } = options;
  // Programs begin slowly: these are not counted.
  for (let i = 0; i < BATCHES; i++) await store.batch(puts(-i));
  const put: number[] = [];
  const batch: number[] = [];
  const get: number[] = [];
  const besides: number[] = [];
  const search: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const key = `item-${i % ITEMS}`;
    const value = { text: `put ${i}` };
    put.push(await timed(() => store.put(NAMESPACE, key, value)));
    const reads = [
      async () => get.push(await timed(() => store.get(NAMESPACE, key))),
      async () => {
        if (beside) besides.push(await timed(() => beside(key)));
      },
    ];
    for (const read of i % 2 === 0 ? reads : reads.reverse()) await read();
    const all = { limit: ITEMS };
    search.push(await timed(() => store.search(NAMESPACE, all)));
    if (i % Math.ceil(rounds / BATCHES) === 0) {
      batch.push(await timed(() => store.batch(puts(i + 1))));
    }
  }
  return {
    put_ms: median(put),
    batch_ms: median(batch),
    get_ms: median(get),
    search_ms: median(search),
    beside_ms: median(besides),
  };
}

function puts(round: number): Operation[] {
  return Array.from({ length: ITEMS }, (_, i) => ({
    namespace: NAMESPACE,
    key: `item-${i}`,
    value: { text: `round ${round}, value ${i}` },
  }));
}

async function measureOurs(
  bench: BenchStore,
  rounds: number,
): Promise<{ readonly [name: string]: number }> {
  const memory = new MnemosyneStore(bench.store);
  const { beside_ms, ...times } = await measure(memory, {
    rounds,
    beside: (key) => bench.store.node(toId(NAMESPACE, key)),
  });
  return {
    ...times,
    batch_over_put_ms: times.batch_ms - times.put_ms,
    batch_put: times.batch_ms / times.put_ms,
    node_ms: beside_ms,
    get_node: times.get_ms / beside_ms,
    ...await countsOf(bench, { memory, rounds }),
  };
}

/** What one batch and one search ask of the storage. */
async function countsOf(
  bench: BenchStore,
  { memory, rounds }: {
    readonly memory: MnemosyneStore;
    readonly rounds: number;
  },
): Promise<{ readonly [name: string]: number }> {
  const before = (await bench.store.head()).commit;
  bench.driver.reset();
  await memory.batch(puts(rounds + 1));
  const batch = bench.driver.counts;
  let commits = 0;
  for await (const { id } of bench.store.log()) {
    if (id === before) break;
    commits++;
  }
  await memory.search(NAMESPACE, { limit: ITEMS });
  bench.driver.reset();
  await memory.search(NAMESPACE, { limit: ITEMS });
  const warm = bench.driver.counts;
  await using other = await bench.reopen();
  other.driver.reset();
  await new MnemosyneStore(other.store).search(NAMESPACE, { limit: ITEMS });
  const cold = other.driver.counts;
  return {
    batch_commits: commits,
    batch_atomics: batch.commits,
    batch_rows: batch.rowsSet,
    warm_rows: warm.rowsRead,
    warm_rounds: warm.rounds,
    cold_rows: cold.rowsRead,
    cold_rounds: cold.rounds,
    cold_bytes: cold.bytesRead,
  };
}

/** The same work on PostgreSQL, in tables with as many rows; nothing where there is none. */
async function measurePostgres(
  sizes: readonly number[],
  rounds: number,
): Promise<Figure[]> {
  const missing = await postgresMissing();
  if (missing !== undefined) {
    console.log(`PostgresStore is not measured: ${missing}`);
    return [];
  }
  const figures: Figure[] = [];
  await using server = await startPostgres();
  for (const size of sizes) {
    const store = server.store();
    await store.setup();
    await server.run(
      "insert into store (namespace_path, key, value) " +
        "select 'customers', 'customer-' || i, '{\"content\": \"value\"}' " +
        `from generate_series(1, ${size}) as i; analyze store`,
    );
    const { beside_ms: _, ...values } = await measure(store, { rounds });
    figures.push({ bench: "postgres", size, values });
  }
  return figures;
}
