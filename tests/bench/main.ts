/**
 * The benches: JSON lines, a table, and gates. `deno task bench` measures up to 100,000 nodes and
 * 20,000 commits; `--short` takes small sizes. It ends with 1 when a gate fails.
 *
 * @module
 */

import { appendFile, writeFile } from "node:fs/promises";
import { type BenchArgs, parseBenchArgs, USAGE } from "./bench_args.ts";
import { BENCHES, LONG_ONLY } from "./bench_list.ts";
import { type Figure, round } from "./figure.ts";
import { judge, nameOf } from "./gate_rules.ts";
import { GATES } from "./gates.ts";
import { figureLine, machineLine } from "./json_lines.ts";
import { StorePool } from "./store_pool.ts";

async function main(args: readonly string[]): Promise<number> {
  let asked: BenchArgs;
  try {
    asked = parseBenchArgs(args, Object.keys(BENCHES));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    console.error(`${error.message}\n${USAGE}`);
    return 2;
  }
  const { scale } = asked;
  const say = await sayer(asked.json);
  await say(machineLine());
  await using stores = new StorePool();
  const figures: Figure[] = [];
  for (const name of chosen(asked)) {
    const startMs = performance.now();
    for (const figure of await BENCHES[name]!({ scale, stores })) {
      figures.push(figure);
      await say(figureLine(figure));
    }
    const seconds = (performance.now() - startMs) / 1_000;
    console.error(`== ${name} took ${seconds.toFixed(1)} s`);
  }
  await say(machineLine());
  console.log(`\n${table(figures)}\n`);
  const verdicts = judge(figures, GATES, scale);
  for (const { line } of verdicts) console.log(line);
  return verdicts.every(({ holds }) => holds) ? 0 : 1;
}

function chosen({ only, scale }: BenchArgs): readonly string[] {
  return Object.keys(BENCHES).filter((name) =>
    only?.includes(name) ?? !(scale.short && LONG_ONLY.includes(name))
  );
}

/** Prints lines, and adds them to a file if one is given. */
async function sayer(
  file: string | undefined,
): Promise<(line: string) => Promise<void>> {
  if (file !== undefined) await writeFile(file, "");
  return async (line) => {
    console.log(line);
    if (file !== undefined) await appendFile(file, `${line}\n`);
  };
}

/** A line a figure: what, how large, and every value by name. */
function table(figures: readonly Figure[]): string {
  return figures.map((figure) => {
    const cells = Object.entries(figure.values).map(([name, value]) =>
      `${name} ${round(value)}`
    );
    return `${nameOf(figure).padEnd(20)} ${String(figure.size).padStart(7)}  ${
      cells.join("  ")
    }`;
  }).join("\n");
}

if (import.meta.main) Deno.exit(await main(Deno.args));
