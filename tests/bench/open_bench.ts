/**
 * What a program pays that opens a store, does one thing and ends, beside a bare KV that does likewise
 * on the same file.
 *
 * @module
 */

import { openStore } from "@mnem/core";
import type { BenchStore } from "./bench_store.ts";
import {
  type BenchContext,
  type Figure,
  inTurns,
  median,
  timed,
  type Values,
} from "./figure.ts";

const VALUE_BYTES = 8_000;

/** Measures three short lives at every size. */
export async function openBench(
  { scale, stores }: BenchContext,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const size of scale.nodes) {
    const bench = await stores.of(size);
    const values = {
      ...await head(bench, scale.questions),
      ...await recall(bench, scale.questions),
      ...await commit(bench, scale.questions),
    };
    figures.push({ bench: "open", size, values });
  }
  return figures;
}

async function head({ folder }: BenchStore, turns: number): Promise<Values> {
  const [ours, bare] = await inTurns(turns, async () => {
    const startMs = performance.now();
    await using store = await openStore(folder);
    await store.head();
    return performance.now() - startMs;
  }, async () => {
    const startMs = performance.now();
    const kv = await openBare(folder);
    await kv.get(["HEAD"]);
    const tookMs = performance.now() - startMs;
    kv.close();
    return tookMs;
  });
  return named("head", ours, bare);
}

async function recall(
  { folder, ids }: BenchStore,
  turns: number,
): Promise<Values> {
  const [ours, bare] = await inTurns(turns, (turn) =>
    timed(async () => {
      await using store = await openStore(folder);
      await store.node(ids[(turn * 7919) % ids.length]!);
    }), () =>
    timed(async () => {
      const kv = await openBare(folder);
      await kv.get(["HEAD"]);
      kv.close();
    }));
  return named("recall_close", ours, bare);
}

async function commit(
  { folder, ids }: BenchStore,
  turns: number,
): Promise<Values> {
  const [ours, bare] = await inTurns(turns, (turn) =>
    timed(async () => {
      const id = ids[(turn * 7919) % ids.length]!;
      await using store = await openStore(folder);
      await store.write([{ id, content: `open ${turn}` }], { message: "open" });
    }), (turn) =>
    timed(async () => {
      const kv = await openBare(folder);
      await kv.set(["zz-open", `${turn}`], new Uint8Array(VALUE_BYTES));
      kv.close();
    }));
  return named("commit_close", ours, bare);
}

function openBare(folder: string): Promise<Deno.Kv> {
  return Deno.openKv(`${folder}/.mnem/kv.db`);
}

function named(
  name: string,
  ours: readonly number[],
  bare: readonly number[],
): Values {
  const [ms, bareMs] = [median(ours), median(bare)];
  return {
    [`${name}_ms`]: ms,
    [`bare_${name}_ms`]: bareMs,
    [`${name}_ratio`]: ms / bareMs,
  };
}
