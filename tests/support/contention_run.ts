/**
 * Several programs on one store, through several doors: each acknowledged commit is in history, once.
 *
 * @module
 */

import assert from "node:assert/strict";
import { openStore } from "@mnem/core";
import {
  answersOf,
  call,
  type CallResult,
  INITIALIZE,
  startServer,
} from "../mcp/server_process.ts";
import { checkHistory } from "./check_history.ts";
import { checkVerified } from "./check_verified.ts";
import { type Acknowledged, startWriter } from "./contending_writer.ts";
import { startLines } from "./line_child.ts";
import { type Program, runProgram } from "./program.ts";
import type { Figures } from "./report_figures.ts";

/** A commit that a program was told of. */
export interface Landed {
  /** Its id. */
  readonly commit: string;
  /** How long the call took, in milliseconds. */
  readonly ms: number;
  /** Attempts of the call beyond the first; undefined where nobody counts them. */
  readonly retries?: number;
}

/** One program that writes. */
export interface Contender {
  /** Through which door, on which runtime. */
  readonly door: string;
  /** Makes commits, and returns those that were acknowledged. */
  readonly run: (folder: string, label: string) => Promise<Landed[]>;
}

const LIBRARY_COMMITS = 60;
const SERVER_COMMITS = 40;
const CLI_COMMITS = 4;

/** The library on Deno, which counts attempts. */
export const libraryOnDeno: Contender = {
  door: "library",
  async run(folder, label) {
    const writer = startWriter({
      folder,
      label,
      commits: LIBRARY_COMMITS,
      counted: true,
    });
    const landed = await Array.fromAsync(writer.acknowledged);
    assert.equal(await writer.ended, 0);
    assert.equal(landed.length, LIBRARY_COMMITS);
    return landed;
  },
};

/** The library in a program of another runtime. */
export function libraryOn(
  runtime: string,
  program: Program,
  file: string,
): Contender {
  return {
    door: `library on ${runtime}`,
    async run(folder, label) {
      const task = { folder, label, commits: LIBRARY_COMMITS };
      const child = startLines<Acknowledged>(file, task, { program });
      const landed = await Array.fromAsync(child.lines);
      assert.equal((await child.ended).code, 0);
      assert.equal(landed.length, LIBRARY_COMMITS);
      return landed;
    },
  };
}

/** The command line, a process for each commit. */
export function commandLine(door: string, program: Program): Contender {
  return {
    door,
    async run(folder, label) {
      const landed: Landed[] = [];
      for (let turn = 0; turn < CLI_COMMITS; turn++) {
        const began = performance.now();
        const args = ["remember", `${label} ${turn}`, "x", "--json"];
        const { code, stdout, stderr } = await runProgram(program, args, {
          env: { MNEM_STORE: folder, MNEM_AUTHOR: label },
        });
        assert.equal(code, 0, stderr);
        const { commit } = JSON.parse(stdout);
        landed.push({ commit, ms: performance.now() - began });
      }
      return landed;
    },
  };
}

/** A server, with a client that waits for each answer. */
export function mcpServer(door: string, program?: Program): Contender {
  return {
    door,
    async run(folder, label) {
      const options = program === undefined ? {} : { program };
      const server = startServer([`--store=${folder}`], options);
      const answers = await callInTurn(server, SERVER_COMMITS, (turn) => [
        "remember",
        { id: `${label} ${turn % 20}`, content: turn },
      ]);
      return answers.map(({ result, ms }) => {
        const { commit } = Object(result?.structuredContent);
        assert.equal(typeof commit, "string", JSON.stringify(result));
        return { commit, ms };
      });
    },
  };
}

/** Makes tool calls of any MCP server, one after the other, and ends it. */
export async function callInTurn(
  server: Deno.ChildProcess,
  count: number,
  callOf: (turn: number) => readonly [tool: string, args: unknown],
): Promise<{ readonly result: CallResult | undefined; readonly ms: number }[]> {
  const said = new Response(server.stderr).text();
  const writer = server.stdin.getWriter();
  const send = (text: string) => writer.write(new TextEncoder().encode(text));
  const answers = answersOf(server.stdout);
  await send(INITIALIZE);
  await answers.next();
  const results = [];
  for (let turn = 0; turn < count; turn++) {
    const began = performance.now();
    await send(call(turn, ...callOf(turn)));
    const { value } = await answers.next();
    results.push({ result: value?.result, ms: performance.now() - began });
  }
  await writer.close();
  await server.status;
  await said;
  return results;
}

/** Lets them all write at once to the store in a folder, which has one commit. Returns what is reported. */
export async function contend(
  folder: string,
  contenders: readonly Contender[],
): Promise<Figures> {
  const landed = (await Promise.all(
    contenders.map(({ run }, i) => run(folder, `w${i}`)),
  )).flat();
  await using store = await openStore(folder);
  await checkVerified(store);
  const { commits } = await checkHistory(store);
  const found = commits.slice(1).map(({ id }) => id);
  const known = landed.map(({ commit }) => commit);
  assert.deepEqual(found.toSorted(), known.toSorted());
  const doors = Map.groupBy(contenders, ({ door }) => door);
  return {
    processes: contenders.length,
    doors: [...doors].map(([door, { length }]) => `${length} ${door}`).join(
      ", ",
    ),
    acknowledged: known.length,
    lost: known.filter((id) => !found.includes(id)).length,
    twice: found.length - new Set(known).size,
    "worst wait, ms": Math.round(Math.max(...landed.map(({ ms }) => ms))),
    retries: landed.reduce((sum, { retries = 0 }) => sum + retries, 0),
  };
}
