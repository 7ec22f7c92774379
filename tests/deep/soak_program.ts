/**
 * Makes many thousand commits and prints, as JSON, what that took of memory and of the file. The
 * arguments: how many writes, and how many of them are made before anything is measured. Needs
 * `--v8-flags=--expose-gc`: what is looked at is what stays, not what waits to be collected.
 *
 * @module
 */

import assert from "node:assert/strict";
import { benchStore } from "../bench/bench_store.ts";

/** What a look at memory shows, in bytes; of several looks, the least. */
export interface Memory {
  /** Resident. */
  readonly rss: number;
  /** In use by objects and by the buffers that they hold. */
  readonly live: number;
}

/** What was measured. */
export interface Soaked {
  /** Memory in the first quarter of what was measured. */
  readonly early: Memory;
  /** Memory in the last quarter. */
  readonly late: Memory;
  /** Bytes that the file grew by a commit. */
  readonly grown: number;
  /** Bytes of values that a commit stored. */
  readonly stored: number;
}

/** Above the largest flat state, so that every commit makes chunks of a tree. */
const NODES = 2_000;
/** Writes under way at once, which share an atomic write. */
const AT_ONCE = 50;
const LOOKS = 40;

/** Fills all caches, then writes on and measures. */
async function soak(writes: number, before: number): Promise<Soaked> {
  await using bench = await benchStore(NODES);
  const { store, driver, folder, ids } = bench;
  const idOf = (i: number) => ids[(i * 7919) % NODES]!;
  const write = async (from: number, to: number) => {
    for (let at = from; at < to; at += AT_ONCE) {
      const numbers = Array.from({ length: AT_ONCE }, (_, i) => at + i);
      await Promise.all(
        numbers.map((i) =>
          store.write([{ id: idOf(i), content: `${i} `.padEnd(2_000, ".") }], {
            message: `write ${i}`,
          })
        ),
      );
    }
  };
  const fileBytes = async () => (await Deno.stat(`${folder}/.mnem/kv.db`)).size;
  const start = (await store.head()).commit;
  await write(0, before);
  driver.reset();
  const filled = await fileBytes();
  const looks: Memory[] = [];
  const step = Math.ceil((writes - before) / LOOKS / AT_ONCE) * AT_ONCE;
  for (let at = before; at < writes; at += step) {
    await write(at, Math.min(writes, at + step));
    looks.push(look());
  }
  const grown = await fileBytes() - filled;
  // Every write is one commit of the chain, and the last one is what is read.
  assert.equal(await store.resolve(`HEAD~${writes}`), start);
  const last = await store.node(idOf(writes - 1));
  assert.match(String(last?.content), RegExp(`^${writes - 1} `));
  const quarter = looks.length >> 2;
  return {
    early: leastOf(looks.slice(0, quarter)),
    late: leastOf(looks.slice(-quarter)),
    grown: grown / (writes - before),
    stored: driver.counts.bytesSet / (writes - before),
  };
}

function look(): Memory {
  const { gc }: typeof globalThis & { readonly gc?: () => void } = globalThis;
  assert.ok(gc !== undefined, "run with --v8-flags=--expose-gc");
  gc();
  const { rss, heapUsed, external } = Deno.memoryUsage();
  return { rss, live: heapUsed + external };
}

function leastOf(looks: readonly Memory[]): Memory {
  const least = (name: keyof Memory) =>
    Math.min(...looks.map((one) => one[name]));
  return { rss: least("rss"), live: least("live") };
}

if (import.meta.main) {
  const [writes = 0, before = 0] = Deno.args.map(Number);
  console.log(JSON.stringify(await soak(writes, before)));
}
