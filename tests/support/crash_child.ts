/**
 * Does one thing to a store again and again in a process of its own, and says on its output, line by
 * line, what was acknowledged: run by the tests of crashes, which kill it. Its argument is a
 * {@linkcode CrashTask} as JSON.
 *
 * @module
 */

import { importBundle, initStore, openStore, type Store } from "@mnem/core";
import { type LineChild, startLines } from "./line_child.ts";

/** What is done again and again. */
export type CrashKind = "write" | "merge" | "branch" | "init" | "import";

/** What the process is to do. */
export interface CrashTask {
  /** What. */
  readonly kind: CrashKind;
  /** The folder of the store, which is there; others are made in it. */
  readonly folder: string;
  /** Begins the names of all that it makes. */
  readonly label: string;
  /** The bundle to import. */
  readonly bundle: string;
}

/** One thing that was acknowledged. */
export interface CrashAck {
  /** Its number. */
  readonly turn: number;
  /** The commit that it made, if it made one. */
  readonly commit: string | null;
}

/** Starts it. */
export function startCrashChild(task: CrashTask): LineChild<CrashAck> {
  return startLines(new URL(import.meta.url), task);
}

/** The node that a turn writes. */
export function nodeOf({ label }: CrashTask, turn: number): string {
  return `${label} ${turn % 20}`;
}

/** The branch, or folder, or prefix of a turn. */
export function nameOf({ label }: CrashTask, turn: number): string {
  return `${label}-${turn}`;
}

type Turn = (store: Store, turn: number) => Promise<string | null>;

function turnsOf(task: CrashTask): Turn {
  const name = (turn: number) => nameOf(task, turn);
  switch (task.kind) {
    case "write":
      return (store, turn) => write(store, task, turn);
    case "merge":
      return (store, turn) => merge(store, task, turn);
    case "branch":
      return async (store, turn) => {
        await store.createBranch(name(turn));
        if (turn % 3 === 2) await store.deleteBranch(name(turn - 1));
        return null;
      };
    case "init":
      return async (_, turn) => {
        const made = await initStore(`${task.folder}/${name(turn)}`);
        const commit = await write(made, task, turn);
        await made.close();
        return commit;
      };
    case "import":
      return async (_, turn) => {
        const { readable } = await Deno.open(task.bundle);
        const copy = turn % 2 === 0
          ? await importBundle(`${task.folder}/${name(turn)}`, readable)
          : await importBundle(task.folder, readable, {
            prefix: `${name(turn)}/`,
          });
        await copy.close();
        return null;
      };
  }
}

/** Single nodes, values in pieces and whole batches. */
async function write(
  store: Store,
  task: CrashTask,
  turn: number,
): Promise<string | null> {
  const id = nodeOf(task, turn);
  const edits = turn % 10 === 3
    ? Array.from({ length: 750 }, (_, i) => ({
      id: i === 0 ? id : `${id} part ${i}`,
      content: turn,
    }))
    : [{ id, content: turn % 10 === 7 ? [turn, "x".repeat(130_000)] : turn }];
  const message = nameOf(task, turn);
  return (await store.write(edits, { message })).commit;
}

async function merge(
  store: Store,
  task: CrashTask,
  turn: number,
): Promise<string | null> {
  const name = nameOf(task, turn);
  await store.createBranch(name);
  await store.on(name).write([{ id: `${name} theirs`, content: turn }], {
    message: `${name} theirs`,
  });
  await store.write([{ id: nodeOf(task, turn), content: turn }], {
    message: `${name} ours`,
  });
  return (await store.merge(name, { message: name })).commit;
}

if (import.meta.main) {
  const task: CrashTask = JSON.parse(Deno.args[0] ?? "");
  const store = await openStore(task.folder);
  const doTurn = turnsOf(task);
  for (let turn = 0;; turn++) {
    const line = JSON.stringify({ turn, commit: await doTurn(store, turn) });
    Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
  }
}
