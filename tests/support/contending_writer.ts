/**
 * Writes to a store from a process of its own, and says on its output, line by line, what was
 * acknowledged: run by the tests of contention and crashes. Its argument is a {@linkcode WriterTask}
 * as JSON.
 *
 * @module
 */

import { isMnemError, openStore, type Store } from "@mnem/core";
import { parseLocation } from "../../core/storage/location.ts";
import { chooseClient, openDriver } from "../../core/storage/open_driver.ts";
import { acquireHandle } from "../../core/storage/shared_handle.ts";
import { CountingDriver } from "./counting_driver.ts";
import { startLines } from "./line_child.ts";

/** What the process is to do. */
export interface WriterTask {
  /** The folder of the store, or its URL. */
  readonly folder: string;
  /** Begins its node ids and messages. */
  readonly label: string;
  /** How many commits; it may be ended before. */
  readonly commits: number;
  /** The branch to write to; else HEAD's. */
  readonly branch?: string;
  /** The wait after each commit, in milliseconds. */
  readonly pauseMs?: number;
  /** Writes long values and whole batches too. */
  readonly mixed?: boolean;
  /** Writes under keys, which are the messages. */
  readonly keyed?: boolean;
  /** Tries again while the server of the store is away: what landed unnoticed is no change then. */
  readonly patient?: boolean;
  /** Counts the attempts of each commit. */
  readonly counted?: boolean;
}

/** One acknowledged commit. */
export interface Acknowledged {
  /** Its id. */
  readonly commit: string;
  /** Its message. */
  readonly message: string;
  /** One node that it wrote. */
  readonly id: string;
  /** Its content, or the length of it for a long text. */
  readonly value: number;
  /** How long the call took, in milliseconds. */
  readonly ms: number;
  /** Atomic writes of the call beyond the first, where they are counted. */
  readonly retries?: number;
}

/** A writer in a process of its own. */
export interface Writer {
  /** What it acknowledged; ends with the process. */
  readonly acknowledged: AsyncIterable<Acknowledged>;
  /** Ends it at once, as a power cut would. */
  kill(): void;
  /** Its exit code, once it has ended. */
  readonly ended: Promise<number>;
}

/** Starts a writer. */
export function startWriter(task: WriterTask): Writer {
  const child = startLines<Acknowledged>(new URL(import.meta.url), task);
  return {
    acknowledged: child.lines,
    kill: () => child.kill(),
    ended: child.ended.then(({ code }) => code),
  };
}

async function write(
  store: Store,
  { label, mixed = false, keyed = false }: WriterTask,
  turn: number,
): Promise<Omit<Acknowledged, "ms">> {
  const message = `${label} ${turn}`;
  const options = { message, key: keyed ? message : undefined };
  const kind = mixed ? turn % 10 : 0;
  if (kind === 3) {
    const id = `${label} batch ${turn}`;
    const batch = Array.from({ length: 750 }, (_, i) => ({
      id: i === 0 ? id : `${label} part ${i}`,
      content: turn,
    }));
    const { commit } = await store.write(batch, options);
    return { commit: commit!, message, id, value: turn };
  }
  if (kind === 7) {
    const id = `${label} long`;
    const content = "x".repeat(130_000 + turn);
    const { commit } = await store.write([{ id, content }], options);
    return { commit: commit!, message, id, value: content.length };
  }
  const id = `${label} ${turn % 20}`;
  const { commit } = await store.write([{ id, content: turn }], options);
  return { commit: commit!, message, id, value: turn };
}

async function writeAtLast(
  store: Store,
  task: WriterTask,
  turn: number,
): Promise<Omit<Acknowledged, "ms">> {
  while (true) {
    try {
      return await write(store, task, turn);
    } catch (error) {
      if (!task.patient || !isMnemError(error, "store_io")) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** Opens the store's handle before the store does, so that its calls are counted. */
async function countedHandle(folder: string): Promise<CountingDriver> {
  const at = parseLocation(folder);
  const { driver } = await acquireHandle(at, {
    client: chooseClient(at),
    open: async () => new CountingDriver(await openDriver(at)),
  });
  if (driver instanceof CountingDriver) return driver;
  throw new Error("the handle was opened before");
}

if (import.meta.main) {
  const task: WriterTask = JSON.parse(Deno.args[0] ?? "");
  const counting = task.counted ? await countedHandle(task.folder) : undefined;
  const store = await openStore(task.folder, { branch: task.branch });
  for (let turn = 0; turn < task.commits; turn++) {
    const began = performance.now();
    counting?.reset();
    const landed = await writeAtLast(store, task, turn);
    const ms = performance.now() - began;
    const retries = counting === undefined ? {} : {
      retries: counting.counts.commits - 1,
    };
    const line = JSON.stringify({ ...landed, ms, ...retries });
    Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
    if (task.pauseMs !== undefined) {
      await new Promise((resolve) => setTimeout(resolve, task.pauseMs));
    }
  }
  await store.close();
}
