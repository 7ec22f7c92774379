/**
 * How the cost of one change grows with the memory, as a picture: both axes by powers of ten. Colours
 * are readable on white and on black, and follow the reader's choice where the viewer tells it.
 *
 * @module
 */

import type { Figure } from "../../tests/bench/figure.ts";

/** One line of a plot. */
interface Series {
  readonly name: string;
  readonly style: Style;
  readonly points: readonly (readonly [size: number, value: number])[];
}

interface Style {
  readonly color: string;
  readonly dash?: string;
  readonly width?: number;
}

const OURS = "#e03131";
const GIT = "#2f9e44";
const STYLES: { readonly [name: string]: Style } = {
  mnemosyne: { color: OURS, width: 3 },
  "mnemosyne, MCP": { color: OURS, dash: "7 4" },
  "the reference": { color: "#1c7ed6" },
  "server-memory, MCP": { color: "#ae3ec9", dash: "7 4" },
  git: { color: GIT },
  "isomorphic-git": { color: GIT, dash: "7 4" },
  "git fast-import": { color: GIT, dash: "2 4" },
  "JSON Lines file": { color: "#868e96" },
  SQLite: { color: "#e8890c" },
  "bare KV set": { color: "#868e96", dash: "2 4" },
};

const PLOT = { width: 330, height: 270, left: 66, top: 46, gap: 100 };
/** Half of the last size's text. */
const MARGIN = 34;
const LEGEND_LINE = 20;
const LEGEND_COLUMNS = 3;

/** Draws what a change takes, and what it leaves behind. */
export function growthPlot(figures: readonly Figure[]): string {
  const peers = figures.filter(({ bench }) => bench === "peers");
  const names = [...new Set(peers.map(({ of = "" }) => of))];
  const seriesOf = (value: string): Series[] =>
    names.map((name) => ({
      name,
      style: STYLES[name] ?? { color: "#868e96" },
      points: peers.filter(({ of }) => of === name).map((
        { size, values },
      ) => [size, values[value] ?? NaN] as const).filter(([, y]) => y > 0),
    })).filter(({ points }) => points.length > 0);
  const floor: Series = {
    name: "bare KV set",
    style: STYLES["bare KV set"] ?? { color: "#868e96" },
    points: peers.filter(({ of }) => of === "mnemosyne").map((
      { size },
    ) => [size, 1] as const),
  };
  const times = [...seriesOf("change_ratio"), floor];
  const below = PLOT.top + PLOT.height + 62;
  const lines = Math.ceil(times.length / LEGEND_COLUMNS);
  const height = below + lines * LEGEND_LINE;
  const right = PLOT.left + PLOT.width + PLOT.gap;
  const width = right + PLOT.width + MARGIN;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="The cost of one change by the number of nodes">`,
    `<style>text{font:12px system-ui,sans-serif;fill:#57606a}.title{font-weight:600;font-size:13px}.grid{stroke:#8c959f;stroke-opacity:.3}@media(prefers-color-scheme:dark){text{fill:#adbac7}}</style>`,
    panel("One change, in bare KV sets", times, PLOT.left),
    panel("Kept on disk a change, bytes", seriesOf("kept_bytes"), right),
    ...times.map((series, i) => legend(series, i, below)),
    "</svg>\n",
  ].join("\n");
}

interface Scale {
  readonly low: number;
  readonly high: number;
  readonly at: (value: number) => number;
}

/** A scale by powers of ten, from one below all values to one above them. */
function logScale(
  values: readonly number[],
  [from, to]: readonly [number, number],
): Scale {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
  const at = (value: number) =>
    from + (to - from) * (Math.log10(value) - low) / (high - low);
  return { low, high, at };
}

function panel(
  title: string,
  series: readonly Series[],
  left: number,
): string {
  const { width, height, top } = PLOT;
  const points = series.flatMap((one) => one.points);
  const x = logScale(points.map(([size]) => size), [left, left + width]);
  const y = logScale(points.map(([, value]) => value), [top + height, top]);
  const rules = powers(y).map((value) => {
    const at = y.at(value).toFixed(1);
    return `<path class="grid" d="M${left} ${at}H${left + width}"/>` +
      `<text x="${left - 8}" y="${at}" dy="4" text-anchor="end">${
        value.toLocaleString("en", { maximumFractionDigits: 4 })
      }</text>`;
  });
  const marks = powers(x).map((value) => {
    const at = x.at(value).toFixed(1);
    return `<path class="grid" d="M${at} ${top}V${top + height}"/>` +
      `<text x="${at}" y="${top + height + 18}" text-anchor="middle">${
        value.toLocaleString("en")
      }</text>`;
  });
  const middle = left + width / 2;
  return [
    `<text class="title" x="${left}" y="${top - 18}">${title}</text>`,
    ...rules,
    ...marks,
    `<text x="${middle}" y="${
      top + height + 38
    }" text-anchor="middle">nodes in memory</text>`,
    ...series.map((one) => line(one, x, y)),
  ].join("\n");
}

function powers({ low, high }: Scale): number[] {
  return Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i));
}

function line({ style, points }: Series, x: Scale, y: Scale): string {
  const places = points.map(([size, value]) =>
    `${x.at(size).toFixed(1)},${y.at(value).toFixed(1)}`
  );
  const dots = places.map((place) => {
    const [cx, cy] = place.split(",");
    return `<circle cx="${cx}" cy="${cy}" r="3" fill="${style.color}"/>`;
  });
  return `<polyline points="${places.join(" ")}" ${strokeOf(style)}/>${
    dots.join("")
  }`;
}

function legend({ name, style }: Series, i: number, top: number): string {
  const x = PLOT.left + (i % LEGEND_COLUMNS) * 270;
  const y = top + Math.floor(i / LEGEND_COLUMNS) * LEGEND_LINE;
  return `<path d="M${x} ${y}h34" ${strokeOf(style)}/>` +
    `<text x="${x + 42}" y="${y}" dy="4">${name}</text>`;
}

function strokeOf({ color, dash, width = 2 }: Style): string {
  const dashes = dash === undefined ? "" : ` stroke-dasharray="${dash}"`;
  return `fill="none" stroke="${color}" stroke-width="${width}"${dashes}`;
}
