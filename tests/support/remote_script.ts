/**
 * Sixty operations as an agent makes them, always the same, and how often each waited for its server:
 * on a handle that has just been opened, and on one that knows the way.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  forget,
  recall,
  recallAll,
  remember,
  rememberMany,
  whatsNew,
  why,
} from "@mnem/agents";
import type { Store } from "@mnem/core";
import { CountingDriver } from "./counting_driver.ts";
import type { KvConnectServer } from "./kv_connect_server.ts";
import { type RemoteOptions, remoteStore } from "./remote_store.ts";

/** The nodes of a store that the script is for: a flat state, or a tree. */
export type ScriptSize = 1_000 | 10_000;

interface Handle {
  readonly store: Store;
  readonly driver: CountingDriver;
}

/** What one operation of the script cost. */
export interface ScriptLine {
  /** The operation. */
  readonly name: string;
  /** How often it was made. */
  readonly times: number;
  /** Waits for the server, at most; the first time can be one more than the others. */
  readonly rounds: number;
  /** How many the design allows. */
  readonly designed: number;
  /** Requests to the server; several may share a round. */
  readonly requests: number;
  /** The median of its times, in milliseconds. */
  readonly ms: number;
  /** Bytes of the values that it read, at most. */
  readonly bytesRead: number;
  /** Bytes of the values that it wrote, at most. */
  readonly bytesSet: number;
}

/** How often it is made, and its rounds by the design: on a flat state, and on a tree. */
type Plan = readonly [times: number, flat: number, tree: number];

interface Operation {
  readonly name: string;
  /** On a handle that knows the way. */
  readonly warm: Plan;
  /** On a handle that has just been opened. */
  readonly cold?: Plan;
  /** What comes before it and is not counted. */
  readonly before?: (store: Store, turn: number) => Promise<unknown>;
  readonly call: (store: Store, turn: number) => Promise<unknown>;
}

const idOf = (i: number) => `customer-${String(i).padStart(8, "0")}-plan`;

const MOST = /^(remember|remember ten|forget|recall one), warm$/;

/** Revised once: one of many versions costs a round more. */
const RECALLED = idOf(10);
/** So many nodes on each side of a merge. */
const SIDE = 10;

const SCRIPT: readonly Operation[] = [
  {
    name: "remember",
    warm: [15, 1, 1],
    cold: [2, 6, 4],
    call: (store, turn) => remember(store, idOf(37), `now ${turn}`),
  },
  {
    name: "remember ten",
    warm: [3, 1, 1],
    call: (store, turn) => rememberMany(store, itemsOf(37, `ten ${turn}`)),
  },
  {
    name: "forget",
    warm: [3, 1, 1],
    before: (store) => remember(store, "passing", 1),
    call: (store) => forget(store, "passing"),
  },
  {
    name: "recall one",
    warm: [10, 1, 1],
    cold: [2, 3, 3],
    call: (store) => recall(store, RECALLED),
  },
  {
    name: "recall a page",
    warm: [1, 2, 2],
    cold: [1, 4, 4],
    call: (store) => recallAll(store, { limit: 50 }),
  },
  {
    name: "why",
    warm: [4, 2, 2],
    cold: [1, 4, 4],
    call: (store) => why(store, RECALLED),
  },
  {
    name: "what is new",
    warm: [3, 1, 1],
    cold: [1, 2, 2],
    call: (store) => whatsNew(store),
  },
  {
    name: "diff with the parent",
    warm: [3, 1, 1],
    cold: [1, 3, 4],
    call: (store) => Array.fromAsync(store.diff("HEAD~1")),
  },
  {
    name: "log of 20",
    warm: [3, 1, 1],
    cold: [1, 6, 6],
    call: (store) => Array.fromAsync(store.log({ limit: 20 })),
  },
  {
    name: "branch",
    warm: [2, 2, 2],
    call: (store, turn) => store.createBranch(`branch-${turn}`),
  },
  {
    name: "switch",
    warm: [2, 2, 2],
    call: (store, turn) => store.switchTo(turn === 0 ? "branch-0" : "main"),
  },
  {
    name: "merge of 10 and 10",
    warm: [1, 4, 4],
    cold: [1, 13, 14],
    // What it merges was written on the handle that knows the way.
    before: (store) => writeSides(store),
    call: (store) => mergeSide(store),
  },
];

/** Where the script is played. */
export interface ScriptPlace {
  /** An empty place. */
  readonly server: KvConnectServer;
  /** How many nodes are put there first. */
  readonly size: ScriptSize;
  /** How far away it is then, in milliseconds. */
  readonly latencyMs: number;
}

/** Fills a place, plays the script there, and holds every operation to its rounds. */
export async function playScript(
  { server, size, latencyMs }: ScriptPlace,
): Promise<readonly ScriptLine[]> {
  const filled = await remoteStore(server.url, { create: true });
  await fill(filled, size);
  await filled.close();
  server.setLatency(latencyMs);
  const lines: ScriptLine[] = [];
  const meter = { server, size };
  const warm = await open(server);
  await Array.fromAsync(warm.store.nodes({ limit: 100 }));
  await remember(warm.store, idOf(37), "known");
  for (const operation of SCRIPT) {
    lines.push(await measure(operation, { ...meter, warm, state: "warm" }));
  }
  for (const operation of SCRIPT) {
    if (operation.cold === undefined) continue;
    lines.push(await measure(operation, { ...meter, warm, state: "cold" }));
  }
  await warm.store.close();
  server.setLatency(0);
  assert.equal(lines.reduce((sum, { times }) => sum + times, 0), 60);
  return lines;
}

async function open({ url }: KvConnectServer): Promise<Handle> {
  const drivers: CountingDriver[] = [];
  const wrap: RemoteOptions["wrap"] = (driver) => {
    drivers.push(new CountingDriver(driver));
    return drivers[0]!;
  };
  const store = await remoteStore(url, { wrap });
  return { store, driver: drivers[0]! };
}

async function fill(store: Store, size: ScriptSize): Promise<void> {
  const edits = Array.from(
    { length: size },
    (_, i) => ({ id: idOf(i), content: i }),
  );
  await store.write(edits, { message: "fill" });
  for (let i = 0; i < 25; i++) await remember(store, idOf(i), `revised ${i}`);
}

/** Makes an operation as often as it says: on the handle that is warm, or each time on a new one. */
async function measure(
  operation: Operation,
  { server, size, warm, state }: {
    readonly server: KvConnectServer;
    readonly size: ScriptSize;
    readonly warm: Handle;
    readonly state: "warm" | "cold";
  },
): Promise<ScriptLine> {
  const { before, call } = operation;
  const name = `${operation.name}, ${state}`;
  const [times, flat, tree] = operation[state] ?? [0, 0, 0];
  const designed = size === 1_000 ? flat : tree;
  const costs: Omit<ScriptLine, "name" | "times" | "designed">[] = [];
  for (let turn = 0; turn < times; turn++) {
    await before?.(warm.store, turn);
    const { store, driver } = state === "warm" ? warm : await open(server);
    driver.reset();
    const asked = server.requests;
    const start = performance.now();
    await call(store, turn);
    const ms = performance.now() - start;
    const requests = server.requests - asked;
    const { rounds, bytesRead, bytesSet } = driver.counts;
    costs.push({ rounds, requests, ms, bytesRead, bytesSet });
    if (state === "cold") await store.close();
  }
  const most = (count: "rounds" | "requests" | "bytesRead" | "bytesSet") =>
    Math.max(...costs.map((cost) => cost[count]));
  const rounds = most("rounds");
  const requests = most("requests");
  assert.ok(rounds >= 1 && requests >= rounds, `${name} asked nothing`);
  assert.ok(rounds <= designed, `${name}: ${rounds} rounds, not ${designed}`);
  // What an agent does most: nothing beside the one request.
  if (MOST.test(name)) assert.equal(requests, 1, name);
  const sorted = costs.map(({ ms }) => ms).sort((a, b) => a - b);
  const ms = Math.round(sorted[times >> 1] ?? NaN);
  const [bytesRead, bytesSet] = [most("bytesRead"), most("bytesSet")];
  return { name, times, rounds, designed, requests, ms, bytesRead, bytesSet };
}

const SIDE_BRANCH = "side";

/** Changes some nodes on another branch, and others on the current one. */
async function writeSides(store: Store): Promise<void> {
  await store.deleteBranch(SIDE_BRANCH);
  await store.createBranch(SIDE_BRANCH);
  const now = String((await store.head()).commit);
  await rememberMany(store.on(SIDE_BRANCH), itemsOf(500, `theirs ${now}`));
  await rememberMany(store, itemsOf(300, `ours ${now}`));
}

async function mergeSide(store: Store): Promise<void> {
  const { status, changes } = await store.merge(SIDE_BRANCH);
  assert.deepEqual([status, changes.size], ["merged", SIDE]);
}

function itemsOf(first: number, content: string) {
  return Array.from(
    { length: SIDE },
    (_, i) => ({ id: idOf(first + i), content }),
  );
}
