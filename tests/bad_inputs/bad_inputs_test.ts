/**
 * One table of bad inputs through all four doors: the same code at each, and nothing is written.
 *
 * @module
 */

import assert from "node:assert/strict";
import { isBadArgument, isMnemError, openStore, type Store } from "@mnem/core";
import { InvalidNamespaceError } from "@langchain/langgraph-checkpoint";
import { MnemosyneStore } from "@mnem/langgraph";
import { openStoreOn } from "../../core/store/open_store.ts";
import { storeSession } from "../cli/session.ts";
import { tryTool } from "../mcp/tool_calls.ts";
import { MemoryKv } from "../support/memory_kv.ts";
import { reportFigures } from "../support/report_figures.ts";
import type { BadInput } from "./bad_input.ts";
import { BAD_BRANCHES } from "./branches.ts";
import { BAD_CONTENTS } from "./contents.ts";
import { BAD_EVIDENCE } from "./evidence.ts";
import { BAD_IDS } from "./ids.ts";
import { BAD_REQUEST_KEYS } from "./keys.ts";
import { BAD_ITEMS } from "./langgraph_inputs.ts";
import { BAD_REVISIONS_AND_PAGES } from "./revisions.ts";
import { setScene } from "./scene.ts";

const ROWS: readonly BadInput[] = [
  ...BAD_IDS,
  ...BAD_CONTENTS,
  ...BAD_EVIDENCE,
  ...BAD_REVISIONS_AND_PAGES,
  ...BAD_BRANCHES,
  ...BAD_ITEMS,
  ...BAD_REQUEST_KEYS,
];

/** What a call answered: a code, or that it went well. */
type Answer = string;

function codeOf(error: unknown): Answer {
  if (isMnemError(error)) return error.code;
  const isBad = isBadArgument(error) || error instanceof InvalidNamespaceError;
  return isBad ? "invalid_argument" : `a defect: ${error}`;
}

async function answerOf(call: () => unknown): Promise<Answer> {
  try {
    await call();
    return "went well";
  } catch (error) {
    return codeOf(error);
  }
}

/** Tries every row that can be said at a door; fails with all that differ at once. */
async function tryAll(
  said: (row: BadInput) => (() => Promise<Answer>) | undefined,
  rows: () => Promise<unknown>,
): Promise<number> {
  const before = await rows();
  const wrong: string[] = [];
  let tried = 0;
  for (const row of ROWS) {
    const call = said(row);
    if (call === undefined) continue;
    tried++;
    const answer = await call();
    if (answer !== row.code) {
      wrong.push(`${row.name}: ${answer}, must be ${row.code}`);
    }
    // Reported here, for the row that did it.
    assert.deepEqual(
      await rows(),
      before,
      `${row.name}: something was written`,
    );
  }
  assert.deepEqual(wrong, []);
  return tried;
}

/** A store in memory with the scene, and its rows as they are. */
async function scene(): Promise<
  { store: Store; rows: () => Promise<unknown> }
> {
  const kv = new MemoryKv();
  const store = await openStoreOn(kv.open(), { create: true });
  await setScene(store);
  return { store, rows: () => Promise.resolve(kv.rows()) };
}

/** Tries every row at one door; returns how many could be said there. */
const DOORS: { readonly [door: string]: () => Promise<number> } = {
  async library() {
    const { store, rows } = await scene();
    const tried = await tryAll(
      ({ library }) => library && (() => answerOf(() => library(store))),
      rows,
    );
    await store.close();
    return tried;
  },

  async mcp() {
    const { store, rows } = await scene();
    const tried = await tryAll(
      ({ mcp }) =>
        mcp &&
        (async () =>
          String((await tryTool(store, ...mcp))["code"] ?? "went well")),
      rows,
    );
    await store.close();
    return tried;
  },

  async langgraph() {
    const { store, rows } = await scene();
    const memory = new MnemosyneStore(store);
    const tried = await tryAll(
      ({ langgraph }) => langgraph && (() => answerOf(() => langgraph(memory))),
      rows,
    );
    await store.close();
    return tried;
  },

  async cli() {
    await using mnem = await storeSession();
    await using store = await openStore(mnem.path);
    await setScene(store);
    const rows = async () => ({
      branches: await store.branches(),
      head: await store.head(),
      staged: await store.stage.list(),
    });
    return await tryAll(({ cli }) =>
      cli && (async () => {
        const { status, err } = await mnem.mnem("--json", ...cli);
        return err === "" ? `status ${status}` : JSON.parse(err).error.code;
      }), rows);
  },
};

Deno.test("bad inputs: every door has the code of the table, and writes nothing", async (t) => {
  const names = ROWS.map(({ name }) => name);
  assert.ok(names.length >= 150, `${names.length} rows`);
  assert.equal(new Set(names).size, names.length);
  const tried: { [door: string]: number } = {};
  for (const [door, tryRows] of Object.entries(DOORS)) {
    await t.step(door, async () => {
      tried[door] = await tryRows();
      assert.ok(tried[door] > 50, `${tried[door]} rows`);
    });
  }
  reportFigures("bad-inputs", { rows: names.length, ...tried, written: 0 });
});
