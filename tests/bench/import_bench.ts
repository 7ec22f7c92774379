/**
 * Many nodes written at once into a new store, beside the same rows in bare atomic writes.
 *
 * @module
 */

import { openStore } from "@mnem/core";
import { tempFolder } from "../support/temp_folder.ts";
import { type BareRow, readRows, writeRows } from "./bare_rows.ts";
import { nodeIds } from "./bench_store.ts";
import { type BenchContext, type Figure, median, timed } from "./figure.ts";

/** Below, the price is that of making a store. */
const NODES_MIN = 1_000;
const COMMIT_NODES = 50_000;

/** Measures at every size. */
export async function importBench({ scale }: BenchContext): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const size of scale.nodes.filter((nodes) => nodes >= NODES_MIN)) {
    const edits = nodeIds(size).map((id, i) => ({ id, content: `value ${i}` }));
    const [writes, bares]: [number[], number[]] = [[], []];
    let rows: BareRow[] = [];
    for (let run = 0; run < (size >= 1_000_000 ? 1 : scale.runs); run++) {
      await using folder = await tempFolder();
      await using store = await openStore(folder.path, { create: true });
      writes.push(
        await timed(async () => {
          for (let at = 0; at < size; at += COMMIT_NODES) {
            const part = edits.slice(at, at + COMMIT_NODES);
            await store.write(part, { message: "import" });
          }
        }),
      );
      if (rows.length === 0) rows = await readRows(folder.path);
      await using bare = await tempFolder();
      bares.push(await timed(() => writeRows(bare.path, rows)));
    }
    figures.push({
      bench: "import",
      size,
      values: {
        import_ms: median(writes),
        bare_ms: median(bares),
        ratio: median(writes) / median(bares),
        node_us: median(writes) * 1_000 / size,
        rows: rows.length,
      },
    });
  }
  return figures;
}
