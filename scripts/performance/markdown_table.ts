/**
 * Tables and numbers of a page.
 *
 * @module
 */

import { round } from "../../tests/bench/figure.ts";

/** A table as lines; cells are escaped, and a formatter pads them. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const rule = head.map((_, i) => i === 0 ? "---" : "--:");
  return [head, rule, ...rows].map((cells) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`
  ).join("\n");
}

/** A number for a reader; a dash where there is none. */
export function shown(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return "-";
  const short = Number(round(value));
  return Math.abs(short) >= 1_000
    ? Math.round(short).toLocaleString("en")
    : String(short);
}

/** Bytes for a reader. */
export function shownBytes(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return "-";
  if (value < 1_000) return `${Math.round(value)} B`;
  const kb = value / 1_000;
  return kb < 10 ? `${kb.toFixed(1)} kB` : `${shown(Math.round(kb))} kB`;
}

/** A size for a reader. */
export function shownSize(size: number): string {
  return size.toLocaleString("en");
}
