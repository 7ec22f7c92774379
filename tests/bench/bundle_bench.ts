/**
 * Moving a whole store: export and import beside a bare KV that reads and writes the same rows.
 *
 * @module
 */

import { exportBundle, importBundle, openStore } from "@mnem/core";
import { streamOf } from "../support/bundles.ts";
import { tempFolder } from "../support/temp_folder.ts";
import {
  type BenchResult,
  type BenchScale,
  type Figure,
  type Gate,
  median,
  timed,
} from "./figure.ts";

/** One atomic write of the floor: as many rows as KV takes, and bytes well within it. */
const FLOOR_ROWS_MAX = 400;
const FLOOR_BYTES_MAX = 400_000;

/** Measures a history of as many nodes as the scale's largest, a hundred in each commit. */
export async function bundleBench(scale: BenchScale): Promise<BenchResult> {
  const nodes = Math.max(...scale.nodes);
  await using source = await tempFolder();
  await fill(source.path, nodes);
  const times: { [name: string]: number[] } = {
    read: [],
    export: [],
    write: [],
    import: [],
  };
  let bytes = 0;
  let rows = 0;
  for (let run = 0; run < scale.runs; run++) {
    times["read"]?.push(await timed(() => readRows(source.path)));
    let bundle: Uint8Array = new Uint8Array();
    times["export"]?.push(
      await timed(async () => {
        await using store = await openStore(source.path);
        bundle = await new Response(exportBundle(store)).bytes();
      }),
    );
    bytes = bundle.length;
    await using target = await tempFolder();
    times["import"]?.push(
      await timed(async () => {
        await using _ = await importBundle(target.path, streamOf(bundle));
      }),
    );
    const imported = await readRows(target.path);
    rows = imported.length;
    await using bare = await tempFolder();
    times["write"]?.push(await timed(() => writeRows(bare.path, imported)));
  }
  const of = (name: string) => median(times[name] ?? []);
  const ratios = {
    export_ratio: of("export") / of("read"),
    import_ratio: of("import") / of("write"),
  };
  const figures: Figure[] = [{
    bench: "bundle",
    size: nodes,
    values: {
      commits: nodes / 100,
      bytes,
      rows,
      read_ms: of("read"),
      export_ms: of("export"),
      write_ms: of("write"),
      import_ms: of("import"),
      ...ratios,
    },
  }];
  const gates: Gate[] = Object.entries(ratios).map(([name, value]) => ({
    what: `${name} to a bare KV with the same rows, ${nodes} nodes`,
    loose: true,
    value,
    bound: { most: 2 },
  }));
  return { figures, gates };
}

async function fill(folder: string, nodes: number): Promise<void> {
  await using store = await openStore(folder, { create: true });
  for (let at = 0; at < nodes; at += 100) {
    const edits = Array.from({ length: Math.min(100, nodes - at) }, (_, i) => ({
      id: `customer-${String(at + i).padStart(8, "0")}-plan`,
      content: `value ${at + i}`,
    }));
    await store.write(edits, { message: `commit ${at / 100}` });
  }
}

type KvRow = { readonly key: Deno.KvKey; readonly value: unknown };

async function readRows(folder: string): Promise<KvRow[]> {
  const kv = await Deno.openKv(`${folder}/.mnem/kv.db`);
  const rows: KvRow[] = [];
  for await (const { key, value } of kv.list({ prefix: [] })) {
    rows.push({ key, value });
  }
  kv.close();
  return rows;
}

async function writeRows(
  folder: string,
  rows: readonly KvRow[],
): Promise<void> {
  const kv = await Deno.openKv(`${folder}/kv.db`);
  let [atomic, count, bytes] = [kv.atomic(), 0, 0];
  for (const { key, value } of rows) {
    const size = value instanceof Uint8Array ? value.length : 100;
    if (count >= FLOOR_ROWS_MAX || bytes + size > FLOOR_BYTES_MAX) {
      await atomic.commit();
      [atomic, count, bytes] = [kv.atomic(), 0, 0];
    }
    atomic.set(key, value);
    count += 1;
    bytes += size;
  }
  await atomic.commit();
  kv.close();
}
