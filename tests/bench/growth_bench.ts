/**
 * What a one-node commit leaves behind: bytes of the file, and bytes written on the way there, beside
 * the bytes of its state as one object.
 *
 * @module
 */

import { readFile, stat } from "node:fs/promises";
import { encode } from "cborg";
import { openStore } from "@mnem/core";
import { type BenchStore, benchStore, hotIds } from "./bench_store.ts";
import type { BenchContext, Figure, Values } from "./figure.ts";

const NODES_MAX = 100_000;
const COMMITS = 200;
const ID_BYTES = 32;

/** Measures at every size. */
export async function growthBench({ scale }: BenchContext): Promise<Figure[]> {
  const figures: Figure[] = [];
  const commits = scale.short ? COMMITS / 4 : COMMITS;
  for (const size of scale.nodes.filter((nodes) => nodes <= NODES_MAX)) {
    await using bench = await benchStore(size);
    const values = await grow(bench, commits);
    const flat_bytes = flatStateBytes(bench.ids);
    figures.push({ bench: "growth", size, values: { ...values, flat_bytes } });
  }
  return figures;
}

/** A state as one object, which a commit of the reference writes anew. */
function flatStateBytes(ids: readonly string[]): number {
  const id = new Uint8Array(ID_BYTES);
  const nodes = new Map(ids.map((name) => [name, id]));
  return encode({ kind: "state", nodes }).length;
}

async function grow(bench: BenchStore, commits: number): Promise<Values> {
  // Closing moves the log into the file, so that the file is all there is.
  await bench.store.close();
  const before = await kept(bench.folder);
  const writtenBefore = await written();
  const hot = hotIds(bench.ids);
  const store = await openStore(bench.folder);
  for (let i = 0; i < commits; i++) {
    const edit = { id: hot[i % hot.length]!, content: `grown ${i}` };
    await store.write([edit], { message: `grow ${i}` });
  }
  await store.close();
  return {
    commits,
    file_bytes: (await kept(bench.folder) - before) / commits,
    written_bytes: (await written() - writtenBefore) / commits,
  };
}

async function kept(folder: string): Promise<number> {
  return (await stat(`${folder}/.mnem/kv.db`)).size;
}

/** Bytes that this process wrote so far, where /proc tells it; else 0. */
async function written(): Promise<number> {
  const io = await readFile("/proc/self/io", "utf8").catch(() => "");
  return Number(/^wchar: (\d+)$/m.exec(io)?.[1] ?? 0);
}
