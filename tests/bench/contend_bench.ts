/**
 * Processes that write to one branch at once, beside one that writes alone. Mixed clients, kills and
 * faults are the work of `tests/contention` and `tests/deep`.
 *
 * @module
 */

import { initStore, openStore } from "@mnem/core";
import { startWriter } from "../support/contending_writer.ts";
import { tempFolder } from "../support/temp_folder.ts";
import type { BenchContext, Figure, Values } from "./figure.ts";

/** They are ended when enough is known. */
const ENDLESS_COMMITS = 1_000_000;

/** Measures one process alone, then each number of processes together. */
export async function contendBench({ scale }: BenchContext): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const size of [1, ...scale.processes]) {
    const values = await contend(size, scale.short ? 100 : 500);
    const alone = figures[0]?.values["commits_per_s"] ?? NaN;
    const of_alone = figures.length === 0
      ? 1
      : (values["commits_per_s"] ?? NaN) / alone;
    figures.push({ bench: "contend", size, values: { ...values, of_alone } });
  }
  return figures;
}

/** Lets processes write until each of them has been answered so often since the last one began. */
async function contend(writers: number, answers: number): Promise<Values> {
  await using folder = await tempFolder();
  await (await initStore(folder.path)).close();
  const running = Array.from({ length: writers }, (_, i) =>
    startWriter({
      folder: folder.path,
      label: `w${i}`,
      commits: ENDLESS_COMMITS,
    }));
  const times = running.map((): number[] => []);
  const written: string[] = [];
  let fromMs = Infinity;
  let sinceMs = 0;
  await Promise.all(running.map(async (writer, i) => {
    for await (const { message } of writer.acknowledged) {
      times[i]?.push(performance.now());
      written.push(message);
      if (times.every(({ length }) => length > 0)) {
        fromMs = Math.min(fromMs, performance.now());
      }
      const enough = times.every((own) => (own.at(-answers) ?? 0) > fromMs);
      if (!enough || sinceMs > 0) continue;
      sinceMs = performance.now() - fromMs;
      for (const one of running) one.kill();
    }
  }));
  await Promise.all(running.map(({ ended }) => ended));
  const together = times.map((own) =>
    own.filter((at) => at > fromMs && at <= fromMs + sinceMs)
  );
  const waits = together.flatMap((own) =>
    own.slice(1).map((at, i) => at - (own[i] ?? at))
  );
  return {
    commits: written.length,
    ...await check(folder.path, written),
    commits_per_s: together.flat().length / sinceMs * 1_000,
    worst_wait_ms: Math.max(...waits),
  };
}

/** How many acknowledged commits are not in history, or more than once. */
async function check(
  folder: string,
  written: readonly string[],
): Promise<{ lost: number; twice: number }> {
  await using store = await openStore(folder);
  const messages = new Map<string, number>();
  for await (const { message } of store.log()) {
    messages.set(message, (messages.get(message) ?? 0) + 1);
  }
  return {
    lost: written.filter((message) => !messages.has(message)).length,
    twice: [...messages.values()].filter((times) => times > 1).length,
  };
}
