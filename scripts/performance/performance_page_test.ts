/**
 * The page of figures says what the lines say.
 *
 * @module
 */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import type { Figure } from "../../tests/bench/figure.ts";
import { type Machine, parseLines } from "../../tests/bench/json_lines.ts";
import { formatted } from "./formatted.ts";
import { growthPlot } from "./growth_plot.ts";
import { losses, peerTables } from "./peer_tables.ts";
import { performancePage } from "./performance_page.ts";

const peer = (
  of: string,
  size: number,
  values: Figure["values"],
): Figure => ({ bench: "peers", of, size, values });

const FIGURES: readonly Figure[] = [
  peer("mnemosyne", 100, {
    change_ms: 1,
    change_ratio: 2,
    bare_set_ms: 0.5,
    kept_bytes: 5_000,
  }),
  peer("mnemosyne", 10_000, {
    change_ms: 2,
    change_ratio: 4,
    bare_set_ms: 0.5,
    kept_bytes: 9_000,
  }),
  peer("git", 100, { change_ms: 10, change_ratio: 20, kept_bytes: 7_000 }),
  peer("JSON Lines file", 100, {
    change_ms: 0.25,
    change_ratio: 0.5,
    read_ms: 0.1,
  }),
  peer("JSON Lines file", 10_000, { change_ms: 8, change_ratio: 16 }),
];

const document = (name: string) =>
  readFile(new URL(`../../docs/${name}`, import.meta.url), "utf8");

Deno.test("performancePage() makes the page that is there of the lines that are there", async () => {
  const run = parseLines(await document("performance.jsonl"));
  assert.ok(run.figures.length > 20);
  const again = "deno task performance --from=docs/performance.jsonl";
  assert.equal(
    await formatted(performancePage(run), "md"),
    await document("PERFORMANCE.md"),
    again,
  );
  const plot = await formatted(growthPlot(run.figures), "svg");
  assert.equal(plot, await document("performance.svg"), again);
});

Deno.test("performancePage() says whether others were at work", () => {
  const machine: Machine = {
    time: "2026-01-02T03:04:05.000Z",
    cpus: 2,
    cpu: "some cpu",
    system: "linux x86_64",
    deno: "2.9.6",
    load: 0.4,
  };
  const page = (load: number) =>
    performancePage({ machines: [machine, { ...machine, load }], figures: [] });
  assert.match(page(2.5), /2026-01-02: 2 processors \(some cpu\)/);
  assert.match(page(2.5), /0\.4 processes .* and 2\.5 in the last one\.\n/);
  assert.doesNotMatch(page(2.5), /others were at work/);
  assert.match(page(9), /9 in the last one: \*\*others were at work/);
});

Deno.test("losses() names every peer and kind of work that is better, and no other", () => {
  assert.equal(
    losses(FIGURES),
    "- **JSON Lines file**, a change, in bare sets: 0.5 against 2 at 100",
  );
});

Deno.test("peerTables() has a table for each size, and a dash where nothing was measured", () => {
  const [small = "", large = "", ...rest] = peerTables(FIGURES).split("\n\n");
  assert.deepEqual(rest, []);
  assert.match(small, /^\| 100 nodes \|/);
  assert.match(small, /\| git \| 10 \| 20 \| - \| - \| 7\.0 kB \| {2}\|/);
  assert.match(large, /^\| 10,000 nodes \|/);
  assert.doesNotMatch(large, /git/);
});

Deno.test("growthPlot() puts powers of ten at equal distances", () => {
  const svg = growthPlot(FIGURES);
  const points = [...svg.matchAll(/polyline points="([^"]+)"/g)].map(
    ([, text = ""]) =>
      text.split(" ").map((place) => place.split(",").map(Number)),
  );
  // By hand: the panel is 330 wide from 66, from 100 to 10,000; and 270 high from 46, from 0.1 to 100.
  const at = (ratio: number) => 316 - 270 * (Math.log10(ratio) + 1) / 3;
  const near = (place: readonly number[] | undefined, x: number, y: number) => {
    assert.ok(Math.abs((place?.[0] ?? NaN) - x) < 0.1, `${place}, ${x}`);
    assert.ok(Math.abs((place?.[1] ?? NaN) - y) < 0.1, `${place}, ${y}`);
  };
  near(points[0]?.[0], 66, at(2));
  near(points[0]?.[1], 396, at(4));
  near(points[2]?.[0], 66, at(0.5));
  // The floor is one of itself.
  near(points[3]?.[0], 66, at(1));
  // A series for each peer and the floor on the left; two have bytes on the right.
  assert.equal(points.length, 4 + 2);
});
