/**
 * How fast the programs are there, beside programs that do nothing: bounds on ratios of medians, taken
 * in turn in one run.
 *
 * @module
 */

export const SECONDS = 12;

import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median, timed } from "../bench/figure.ts";
import { answersOf, INITIALIZE, startServer } from "../mcp/server_process.ts";
import { type Program, runProgram } from "../support/program.ts";
import { tempFolder } from "../support/temp_folder.ts";

const RUNS = 9;
const VERSION_RATIO_MAX = 2;
const ANSWER_RATIO_MAX = 2.5;
const DENO: Program = [Deno.execPath(), "run", "-A"];
const BARE = pathOf("./bare_program.ts");
const MNEM = pathOf("../../cli/mod.ts");
const ECHO = pathOf("../bench/echo_server.ts");

/** The median of each of two, run by turns after once for nothing. */
async function medians(
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<readonly [number, number]> {
  const times: [number[], number[]] = [[], []];
  for (let i = 0; i <= RUNS; i++) {
    const took = [await timed(first), await timed(second)] as const;
    if (i === 0) continue;
    times[0].push(took[0]);
    times[1].push(took[1]);
  }
  return [median(times[0]), median(times[1])];
}

function checkRatio(
  what: string,
  [ours, floor]: readonly [number, number],
  most: number,
): void {
  const ratio = ours / floor;
  const said = `${what}: ${ours.toFixed(0)} ms, floor ${
    floor.toFixed(0)
  } ms, ratio ${ratio.toFixed(2)}, at most ${most}`;
  console.log(said);
  assert.ok(ratio <= most, said);
}

/** From the start of a server to its first answer. */
async function firstAnswer(program: Program, flags: string[]): Promise<void> {
  const server = startServer(flags, { program });
  const writer = server.stdin.getWriter();
  await writer.write(new TextEncoder().encode(INITIALIZE));
  const answers = answersOf(server.stdout);
  const { value } = await answers.next();
  assert.equal(value?.id, "init");
  ending.push((async () => {
    await writer.close();
    await answers.return(undefined);
    await server.stderr.cancel();
    await server.status;
  })());
}

/** Servers that have answered and end meanwhile. */
const ending: Promise<void>[] = [];

Deno.test("the first answer of the server comes not much later than that of an empty one", async () => {
  await using temp = await tempFolder();
  const ours = [...DENO, pathOf("../../mcp/mod.ts")] as const;
  const times = await medians(
    () => firstAnswer(ours, [`--store=${join(temp.path, "mem")}`]),
    () => firstAnswer([...DENO, ECHO], []),
  );
  await Promise.all(ending);
  checkRatio("first answer", times, ANSWER_RATIO_MAX);
});

Deno.test("mnem --version takes not much longer than a program that prints a line", async () => {
  const run = async (...args: string[]) => {
    const { code, stdout } = await runProgram(DENO, args);
    assert.equal(code, 0);
    assert.match(stdout, /^mnem \d+\.\d+\.\d+\n$/);
  };
  const times = await medians(
    () => run(MNEM, "--version"),
    () => run(BARE),
  );
  checkRatio("mnem --version", times, VERSION_RATIO_MAX);
});

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}
