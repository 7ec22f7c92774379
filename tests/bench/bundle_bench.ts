/**
 * Moving a whole store: export and import beside a bare KV that reads and writes the same rows.
 *
 * @module
 */

import { exportBundle, importBundle, openStore } from "@mnem/core";
import { streamOf } from "../support/bundles.ts";
import { tempFolder } from "../support/temp_folder.ts";
import { readRows, writeRows } from "./bare_rows.ts";
import { type BenchContext, type Figure, median, timed } from "./figure.ts";

/** A bundle of more is read no other way; the largest runs read more even so. */
const NODES_MAX = 10_000;
const SHORT_NODES = 2_000;
const LARGEST_RUN_NODES = 100_000;
/** The fourth export and import of a process take half of the time of the first, and later ones no less. */
const RUNS_FOR_NOTHING = 3;

/** Measures a history of as many nodes as the scale's largest, a hundred in each commit. */
export async function bundleBench({ scale }: BenchContext): Promise<Figure[]> {
  const nodes = nodesOf(scale);
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
  // What the engine has yet to compile is not in the ratios.
  for (let run = -RUNS_FOR_NOTHING; run < scale.runs; run++) {
    const keep = (name: string, ms: number) => {
      if (run >= 0) times[name]?.push(ms);
    };
    keep("read", await timed(() => readRows(source.path)));
    let bundle: Uint8Array = new Uint8Array();
    keep(
      "export",
      await timed(async () => {
        await using store = await openStore(source.path);
        bundle = await new Response(exportBundle(store)).bytes();
      }),
    );
    bytes = bundle.length;
    await using target = await tempFolder();
    keep(
      "import",
      await timed(async () => {
        await using _ = await importBundle(target.path, streamOf(bundle));
      }),
    );
    const imported = await readRows(target.path);
    rows = imported.length;
    await using bare = await tempFolder();
    keep("write", await timed(() => writeRows(bare.path, imported)));
  }
  const of = (name: string) => median(times[name] ?? []);
  const ratios = {
    export_ratio: of("export") / of("read"),
    import_ratio: of("import") / of("write"),
  };
  return [{
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
}

function nodesOf({ short, nodes }: BenchContext["scale"]): number {
  if (short) return SHORT_NODES;
  return Math.max(...nodes) > LARGEST_RUN_NODES ? LARGEST_RUN_NODES : NODES_MAX;
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
