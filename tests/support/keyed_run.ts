/**
 * Clients that make each request under a key, again and again and through several handles, until it was
 * answered often enough, while storage keeps failing: every request is made once, and has one answer.
 *
 * @module
 */

import assert from "node:assert/strict";
import { type Branch, type Edit, isMnemError, type Store } from "@mnem/core";
import { openStoreOn } from "../../core/store/open_store.ts";
import { checkVerified } from "./check_verified.ts";
import { ClientErrors } from "./client_errors.ts";
import { type Fault, FaultDriver } from "./fault_driver.ts";
import { MemoryKv } from "./memory_kv.ts";
import { Chance } from "./tree_cases.ts";

/** What to run. */
export interface KeyedRunOptions {
  /** Where all chance comes from. */
  readonly seed: number;
  /** How many handles there are. */
  readonly handles: number;
  /** How many requests are made. */
  readonly requests: number;
  /** Of a hundred storage calls so many go wrong. */
  readonly percent: number;
  /** All commits say the same and have the same time: so different requests make the very same commit. */
  readonly twins: boolean;
}

/** What came of it. */
export interface KeyedRunCounts {
  /** Requests that made a commit. */
  committed: number;
  /** Requests that changed nothing. */
  unchanged: number;
  /** Answers beyond the first of a request. */
  repeated: number;
  /** Calls that failed. */
  failed: number;
  /** Of those, how many may have written. */
  unknown: number;
}

/** What a request is answered. */
interface Answer {
  readonly commit: string | null;
  readonly changes: ReadonlyMap<string, unknown>;
}

type Request = (branch: Branch) => Promise<Answer>;

const FAULTS: readonly Fault[] = ["refuse", "lose", "late", "locked", "not_ok"];

/** Runs it, and checks what is left. */
export async function runWithKeys(
  options: KeyedRunOptions,
): Promise<KeyedRunCounts> {
  const { seed, handles, percent } = options;
  const chance = new Chance(seed);
  const kv = new MemoryKv();
  const quiet = await openStoreOn(kv.open(), { create: true });
  await quiet.write([{ id: "n0", content: "seed" }], { message: "seed" });
  await quiet.createBranch("side");
  const drivers: FaultDriver[] = [];
  const branches: Branch[] = [];
  for (let i = 0; i < handles; i++) {
    const driver = new FaultDriver(kv.open());
    drivers.push(driver);
    const store = await openStoreOn(new ClientErrors(driver));
    // Two queues of one process, and two positions.
    branches.push(store, store.on("main"));
    driver.arm(() =>
      chance.below(100) < percent ? chance.pick(FAULTS) : undefined
    );
  }
  const counts = {
    committed: 0,
    unchanged: 0,
    repeated: 0,
    failed: 0,
    unknown: 0,
  };
  const answers: Answer[] = [];
  for (let made = 0; made < options.requests;) {
    // So many clients at the same time.
    const wave = Array.from({ length: 1 + chance.below(5) }, async () => {
      const request = requestOf(chance, `key ${made++}`, options.twins);
      answers.push(await answerOf(request, branches, chance, counts));
    });
    if (chance.below(4) === 0) wave.push(writeBeside(quiet, chance));
    await Promise.all(wave);
  }
  for (const driver of drivers) driver.arm(() => undefined);
  for (const driver of drivers) await driver.flush();
  await checkAnswers(quiet, answers, counts);
  return counts;
}

/** Makes a request until it was answered once, twice or three times: always the same. */
async function answerOf(
  request: Request,
  branches: readonly Branch[],
  chance: Chance,
  counts: KeyedRunCounts,
): Promise<Answer> {
  let first: Answer | undefined;
  for (let wanted = 1 + chance.below(3); wanted > 0;) {
    const calls = Array.from({ length: 1 + chance.below(2) }, async () => {
      try {
        return await request(chance.pick(branches));
      } catch (error) {
        if (!isMnemError(error)) throw error;
        assert.notEqual(error.code, "conflict", error.message);
        counts.failed++;
        if (error.outcome === "unknown") counts.unknown++;
        return undefined;
      }
    });
    for (const answer of await Promise.all(calls)) {
      if (answer === undefined) continue;
      if (first !== undefined) counts.repeated++;
      first ??= answer;
      assert.deepEqual(answer, first, "one request has one answer");
      wanted--;
    }
  }
  assert.ok(first);
  if (first.changes.size > 0) counts.committed++;
  else counts.unchanged++;
  return first;
}

function requestOf(chance: Chance, key: string, twins: boolean): Request {
  const said = twins
    ? { message: "the same", timeMs: 5, author: "one", key }
    : { message: key, key };
  const id = `n${chance.below(4)}`;
  const kind = chance.below(20);
  if (kind === 0) {
    return (branch) => branch.merge("side", { ...said, strategy: "theirs" });
  }
  if (kind === 1) {
    return (branch) =>
      branch.revert("HEAD", { ...said, strategy: "theirs", parent: 1 });
  }
  const edits = editsOf(chance, id, twins ? "twin" : key);
  return (branch) => branch.write(edits, said);
}

function editsOf(chance: Chance, id: string, content: string): Edit[] {
  const kind = chance.below(20);
  if (kind < 3) return [{ id, remove: true }];
  if (kind === 3) return [{ id, content: content + "x".repeat(70_000) }];
  if (kind === 4) {
    return Array.from({ length: 720 }, (_, i) => ({ id: `b${i}`, content }));
  }
  if (kind < 8) return [{ id, content: kind }];
  return [{ id, content: `${content} ${chance.below(3)}` }];
}

/** What others do without keys: a newer value, or a commit on the side. */
async function writeBeside(quiet: Store, chance: Chance): Promise<void> {
  const content = chance.below(1_000);
  const edits = [{ id: `n${chance.below(4)}`, content }];
  const branch = quiet.on(chance.pick(["main", "side"]));
  await branch.write(edits, { message: "beside" });
}

/** Every commit is the answer to a request, and every answer is a commit: so none was made twice. */
async function checkAnswers(
  quiet: Store,
  answers: readonly Answer[],
  counts: KeyedRunCounts,
): Promise<void> {
  await checkVerified(quiet);
  const chain = await Array.fromAsync(quiet.log({ firstParent: true }));
  const made = new Set(
    answers.filter(({ changes }) => changes.size > 0).map((one) => one.commit),
  );
  const others = new Set(["seed", "beside"]);
  for (const { id, message } of chain) {
    assert.ok(made.has(id) || others.has(message), `nobody made ${id}`);
  }
  const all = new Set((await Array.fromAsync(quiet.log())).map(({ id }) => id));
  for (const { commit } of answers) {
    assert.ok(commit === null || all.has(commit));
  }
  assert.ok(made.size <= counts.committed);
}
