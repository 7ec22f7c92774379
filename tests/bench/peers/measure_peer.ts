/**
 * The work that every peer does, and what it costs beside one bare row in turns with it.
 *
 * @module
 */

import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { tempFolder } from "../../support/temp_folder.ts";
import { hotIds, nodeIds } from "../bench_store.ts";
import { median, medians, timed, type Values } from "../figure.ts";
import type { Peer, PeerAnswer, PeerSession } from "./peer.ts";

/** How much to ask. */
export interface PeerWork {
  /** Nodes in the memory. */
  readonly nodes: number;
  /** Calls of a kind in a run, at most. */
  readonly calls: number;
  /** What calls of a kind may take in a run, in milliseconds; some are made even so. */
  readonly budgetMs: number;
  /** Runs, of which the median counts. */
  readonly runs: number;
}

const CALLS_MIN = 5;
const BARE_BYTES = 110;

/** Fills a memory, and measures runs of changes, reads and questions. */
export async function measurePeer(peer: Peer, work: PeerWork): Promise<Values> {
  await using folder = await tempFolder();
  await using floor = await tempFolder();
  const ids = nodeIds(work.nodes);
  const kv = await Deno.openKv(join(floor.path, "kv.db"));
  await peer.fill(folder.path, ids);
  await changeOnce(peer, folder.path, ids[0] ?? "");
  const before = await bytesIn(folder.path);
  const runs: Values[] = [];
  let changes = 0;
  for (let run = 0; run < work.runs; run++) {
    await using session = await peer.open(folder.path);
    const bare = async (turn: number) => {
      const value = new Uint8Array(BARE_BYTES).fill(turn);
      return await timed(() => kv.set(["bare", run, turn], value));
    };
    const { values, count } = await measure(session, { ids, run, work, bare });
    runs.push(values);
    changes += count;
  }
  kv.close();
  const grown = await bytesIn(folder.path) - before;
  return { ...medians(runs), kept_bytes: Math.round(grown / changes), changes };
}

/** What the first change after filling leaves behind is the price of filling. */
async function changeOnce(
  peer: Peer,
  folder: string,
  id: string,
): Promise<void> {
  await using session = await peer.open(folder);
  await session.change(id, "changed once");
}

async function measure(
  session: PeerSession,
  { ids, run, work, bare }: {
    readonly ids: readonly string[];
    readonly run: number;
    readonly work: PeerWork;
    readonly bare: (turn: number) => Promise<number>;
  },
): Promise<{ values: Values; count: number }> {
  const hot = hotIds(ids);
  const idAt = (turn: number) => hot[(turn * 37) % hot.length] ?? "";
  const floors: number[] = [];
  const ask = async (call: (turn: number) => Promise<PeerAnswer>) => {
    const times: number[] = [];
    let spentMs = 0;
    // The first call is that of a program that has just begun: it is not counted.
    await call(work.calls);
    for (let turn = 0; turn < work.calls; turn++) {
      if (turn >= CALLS_MIN && spentMs > work.budgetMs) break;
      const { ms } = await call(turn);
      times.push(ms);
      spentMs += ms;
    }
    return times;
  };
  const changes = await ask(async (turn) => {
    floors.push(await bare(turn));
    return await session.change(idAt(turn), valueAt(run, turn));
  });
  const change_ms = median(changes);
  const bare_set_ms = median(floors);
  const values: Values = {
    change_ms,
    bare_set_ms,
    change_ratio: change_ms / bare_set_ms,
    ...await optional("read_ms", session.read, idAt, ask),
    ...await optional("blame_ms", session.blame, idAt, ask),
  };
  return { values, count: changes.length + 1 };
}

/** The value that a run gives a node in a turn. */
function valueAt(run: number, turn: number): string {
  return `value ${turn} of run ${run}`;
}

async function optional(
  name: string,
  call: ((id: string) => Promise<PeerAnswer>) | undefined,
  idAt: (turn: number) => string,
  ask: (call: (turn: number) => Promise<PeerAnswer>) => Promise<number[]>,
): Promise<Values> {
  if (call === undefined) return {};
  return { [name]: median(await ask((turn) => call(idAt(turn)))) };
}

/** What all files in a folder take on the disk. */
async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true });
  let bytes = 0;
  for (const name of names) {
    const { blocks } = await lstat(join(folder, name));
    bytes += blocks * 512;
  }
  return bytes;
}
