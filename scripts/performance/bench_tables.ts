/**
 * The tables of all benches.
 *
 * @module
 */

import { type BenchTable, TABLES } from "./table_list.ts";
import type { Figure } from "../../tests/bench/figure.ts";
import {
  markdownTable,
  shown,
  shownBytes,
  shownSize,
} from "./markdown_table.ts";

/** The tables of all benches that figures are there of. */
export function benchTables(
  figures: readonly Figure[],
  nameOf: (figure: Figure) => string,
): string {
  return TABLES.flatMap((table) => {
    const lines = table.rows.flatMap(({ bench, as }) =>
      figures.filter((figure) => nameOf(figure) === bench)
        .map((figure) => rowOf(table, figure, as))
    );
    if (lines.length === 0) return [];
    const named = table.rows.some(({ as }) => as !== undefined);
    const head = [
      ...(named ? [""] : []),
      table.size,
      ...Object.keys(table.columns).map((name) => name.trim()),
    ];
    return [
      `### ${table.title}\n\n${table.what}\n\n${markdownTable(head, lines)}`,
    ];
  }).join("\n\n");
}

function rowOf(
  { columns }: BenchTable,
  { size, values }: Figure,
  as: string | undefined,
): string[] {
  const cells = Object.entries(columns).map(([head, name]) =>
    /kept|written/.test(head) ? shownBytes(values[name]) : shown(values[name])
  );
  return [...(as === undefined ? [] : [as]), shownSize(size), ...cells];
}
