/**
 * Kills processes at seeded moments, and looks at what they leave: what was acknowledged is there, of
 * the rest a whole or nothing, and everything goes on.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  importBundle,
  initStore,
  isMnemError,
  openStore,
  type Store,
} from "@mnem/core";
import { exported, largeBundle, streamOf } from "./bundles.ts";
import { checkVerified } from "./check_verified.ts";
import {
  type CrashAck,
  type CrashKind,
  type CrashTask,
  nameOf,
  startCrashChild,
} from "./crash_child.ts";
import { tempFolder } from "./temp_folder.ts";
import { Chance } from "./tree_cases.ts";

/** What is killed, after at most so many turns, and so many milliseconds. */
const KINDS: readonly (readonly [CrashKind, turns: number, ms: number])[] = [
  ["write", 25, 12],
  ["merge", 10, 25],
  ["branch", 20, 8],
  ["init", 4, 40],
  ["import", 2, 150],
];

/** So that an import takes about as long as a kill waits for. */
const BUNDLE_COMMITS = 10;
/** A hundred of the first commit, and 37 more of each later one. */
const BUNDLE_NODES = 433;

/** What came of one kind. */
export interface CrashCounts {
  /** What was being done. */
  readonly while: CrashKind;
  /** How many processes were killed. */
  readonly kills: number;
  /** What they had acknowledged. */
  readonly acknowledged: number;
  /** What was there whole, and not acknowledged. */
  readonly unacknowledged: number;
}

/** Kills one process each round, of writers two, as many rounds of each kind. Throws where anything is lost or half there. */
export async function runCrashes(
  { seed, rounds }: { readonly seed: number; readonly rounds: number },
): Promise<CrashCounts[]> {
  const chance = new Chance(seed);
  await using folder = await tempFolder();
  const text = await largeBundle(BUNDLE_COMMITS);
  const bundle = `${folder.path}/bundle.json`;
  await Deno.writeTextFile(bundle, text);
  const all: CrashCounts[] = [];
  for (const [kind, turns, ms] of KINDS) {
    const home = `${folder.path}/${kind}`;
    const store = await initStore(home);
    await store.write([{ id: "after", content: null }], { message: "seed" });
    await store.close();
    const sum = { kills: 0, acknowledged: 0, unacknowledged: 0 };
    for (let round = 0; round < rounds / KINDS.length; round++) {
      // Two writers, so that one is killed beside another that goes on.
      const labels = kind === "write" ? ["a", "b"] : ["a"];
      const runs = labels.map(async (label) => {
        const name = `${kind}${round}${label}`;
        const task = { kind, folder: home, label: name, bundle };
        const moment = {
          turns: 1 + chance.below(turns),
          ms: chance.below(ms),
        };
        return { task, acks: await killed(task, moment) };
      });
      for (const { task, acks } of await Promise.all(runs)) {
        try {
          sum.unacknowledged += await check(task, acks, text);
        } catch (cause) {
          throw new Error(`MNEM_TEST_SEED=${seed}, ${task.label}`, { cause });
        }
        sum.kills++;
        sum.acknowledged += acks.length;
      }
    }
    all.push({ while: kind, ...sum });
  }
  return all;
}

/** Lets a child do so much, kills it, and returns what it acknowledged. */
async function killed(
  task: CrashTask,
  { turns, ms }: { readonly turns: number; readonly ms: number },
): Promise<CrashAck[]> {
  const child = startCrashChild(task);
  const acks: CrashAck[] = [];
  for await (const ack of child.lines) {
    acks.push(ack);
    if (acks.length === turns) setTimeout(() => child.kill(), ms);
  }
  const { signal } = await child.ended;
  assert.equal(signal, "SIGKILL", `${task.label} ended by itself`);
  assert.ok(acks.length >= turns);
  return acks;
}

/** Returns how many things were there whole that nobody was told of: at most the one that was going on. */
async function check(
  task: CrashTask,
  acks: readonly CrashAck[],
  bundle: string,
): Promise<number> {
  await using store = await openStore(task.folder);
  await checkVerified(store);
  const more = await CHECKS[task.kind](store, task, { acks, bundle });
  assert.ok(more === 0 || more === 1, `${more} more`);
  // It goes on.
  const message = `after ${task.label}`;
  const { commit } = await store.write([{ id: "after", content: message }], {
    message,
  });
  assert.equal(await store.resolve("HEAD"), commit);
  return more;
}

interface Left {
  readonly acks: readonly CrashAck[];
  readonly bundle: string;
}

type Check = (store: Store, task: CrashTask, left: Left) => Promise<number>;

const CHECKS: { readonly [kind in CrashKind]: Check } = {
  write: (store, task, { acks }) => checkCommits(store, task, acks),
  merge: (store, task, { acks }) => checkCommits(store, task, acks),
  async branch(store, task, { acks }) {
    const there = await store.branches();
    const { length } = acks;
    for (let turn = 0; turn < length; turn++) {
      const isGone = turn % 3 === 1 && turn + 1 < length;
      // Whether the last one was deleted was to be said in the next turn.
      if (turn % 3 === 1 && turn + 1 === length) continue;
      assert.equal(there.has(nameOf(task, turn)), !isGone, `turn ${turn}`);
    }
    return there.has(nameOf(task, length)) ? 1 : 0;
  },
  async init(_, task, { acks }) {
    for (const { turn, commit } of acks) {
      await using made = await openStore(
        `${task.folder}/${nameOf(task, turn)}`,
      );
      assert.equal((await made.head()).commit, commit);
    }
    return await checkLast(task, acks.length, initStore);
  },
  async import(store, task, { acks, bundle }) {
    const again = (folder: string) => importBundle(folder, streamOf(bundle));
    const branches = await store.branches();
    for (const { turn } of acks) {
      const name = nameOf(task, turn);
      if (turn % 2 === 0) {
        await using copy = await openStore(`${task.folder}/${name}`);
        assert.equal(await exported(copy), bundle);
      } else assert.ok(branches.has(`${name}/main`), name);
    }
    const turn = acks.length;
    if (turn % 2 === 0) return await checkLast(task, turn, again);
    const prefix = `${nameOf(task, turn)}/`;
    const more = branches.has(`${prefix}main`) ? 1 : 0;
    const copy = await importBundle(task.folder, streamOf(bundle), { prefix });
    await checkVerified(copy);
    assert.equal((await copy.on(`${prefix}main`).memory()).size, BUNDLE_NODES);
    await copy.close();
    return more;
  },
};

/** Each acknowledged commit is in history, and its messages are there once. */
async function checkCommits(
  store: Store,
  task: CrashTask,
  acks: readonly CrashAck[],
): Promise<number> {
  const log = await Array.fromAsync(store.log());
  const ids = new Map(log.map(({ id, message }) => [message, id]));
  assert.equal(ids.size, log.length, "no commit is there twice");
  for (const { turn, commit } of acks) {
    assert.equal(ids.get(nameOf(task, turn)), commit);
  }
  assert.equal(ids.has(nameOf(task, acks.length + 1)), false);
  return ids.has(nameOf(task, acks.length)) ? 1 : 0;
}

/** The store that was being made is whole, or is none and can be made. Returns whether it is. */
async function checkLast(
  task: CrashTask,
  turn: number,
  make: (folder: string) => Promise<Store>,
): Promise<number> {
  const folder = `${task.folder}/${nameOf(task, turn)}`;
  let isThere = 1;
  const store = await openStore(folder).catch(async (error) => {
    if (!isMnemError(error, "no_store")) throw error;
    isThere = 0;
    return await make(folder);
  });
  await checkVerified(store);
  await store.close();
  return isThere;
}
