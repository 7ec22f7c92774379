/**
 * What everything else is made of: hashes, canonical bytes, and the calls of Deno KV.
 *
 * @module
 */

import { blake3 } from "../../core/object/hash.ts";
import { encodeNode } from "../../core/object/memory_node.ts";
import { SELF } from "../../core/state/chunk.ts";
import { makeLeaf } from "../../core/state/make_chunk.ts";
import { tempFolder } from "../support/temp_folder.ts";
import { nodeIds } from "./bench_store.ts";
import { type BenchContext, type Figure, median, timed } from "./figure.ts";

const HASHED_BYTES = [20, 200, 2_048, 4_096, 65_536, 1_048_576];
const VALUE_BYTES = [110, 4_096, 16_384, 65_536];
/** The largest state that is one flat object. */
const STATE_NODES = 1_024;
/** Hashed or encoded in a measurement, so that the clock's steps are small beside it. */
const BATCH_BYTES = 2_000_000;

/** Measures each; nothing here is bounded. */
export async function blocksBench({ scale }: BenchContext): Promise<Figure[]> {
  return [
    ...HASHED_BYTES.map((size) => hash(size, scale.runs)),
    encode(scale.runs),
    ...await kvCalls(scale.questions),
  ];
}

function hash(size: number, runs: number): Figure {
  const bytes = new Uint8Array(size).fill(7);
  const us = perCallUs(runs, size, () => blake3(bytes));
  return { bench: "blocks", of: "hash", size, values: { us } };
}

function encode(runs: number): Figure {
  const node = { content: { plan: "enterprise", seats: 250 } };
  const entries = nodeIds(STATE_NODES).map((id) => ({
    id,
    object: encodeNode(id, { content: id }).id,
    changed: SELF,
    born: SELF,
  }));
  return {
    bench: "blocks",
    of: "encode",
    size: STATE_NODES,
    values: {
      node_us: perCallUs(runs, 1_000, () => encodeNode("a-node", node)),
      state_us: perCallUs(runs, 100_000, () => makeLeaf(entries)),
    },
  };
}

/** The median of runs that each make as many calls as their bytes are worth. */
function perCallUs(runs: number, bytes: number, call: () => unknown): number {
  const calls = Math.max(1, Math.floor(BATCH_BYTES / bytes));
  const times: number[] = [];
  for (let run = 0; run <= runs; run++) {
    const startMs = performance.now();
    for (let i = 0; i < calls; i++) call();
    // What the engine has yet to compile is not counted.
    if (run > 0) times.push((performance.now() - startMs) * 1_000 / calls);
  }
  return median(times);
}

async function kvCalls(times: number): Promise<Figure[]> {
  await using folder = await tempFolder();
  const path = `${folder.path}/kv.db`;
  const figures: Figure[] = [];
  const kv = await Deno.openKv(path);
  for (const size of VALUE_BYTES) {
    const [sets, gets]: [number[], number[]] = [[], []];
    const value = new Uint8Array(size - 1).fill(1);
    for (let i = 0; i < times; i++) {
      const key = ["row", size, i];
      sets.push(await timed(() => kv.set(key, value)));
      gets.push(await timed(() => kv.get(key)));
    }
    const values = { set_ms: median(sets), get_ms: median(gets) };
    figures.push({ bench: "blocks", of: "kv", size, values });
  }
  kv.close();
  const opens: number[] = [];
  for (let i = 0; i < times; i++) {
    opens.push(
      await timed(async () => (await Deno.openKv(path)).close()),
    );
  }
  const values = { open_close_ms: median(opens) };
  figures.push({ bench: "blocks", of: "kv-open", size: 1, values });
  return figures;
}
