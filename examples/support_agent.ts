/**
 * A support agent learns about a customer, one commit at a time, and gets one thing wrong: it reads a
 * billing note as a change of plan. Later the mistake is found, explained and corrected; a guess is
 * tried on a branch apart and merged; and what was built on the mistake is taken back.
 *
 * Run it with `deno task demo`. Every line it prints is computed from the store.
 *
 * @module
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  history,
  recall,
  remember,
  rememberMany,
  whatsNew,
  whenDid,
  why,
} from "@mnem/agents";
import { openStore, type Store } from "@mnem/core";

/** What a test may change about the story. */
export interface DemoOptions {
  /** The observation that is misread as a change of plan. */
  readonly observation?: string;
  /** Receives each line of output. */
  readonly print?: (line: string) => void;
}

/** Plays the story in a store in a temporary folder, which it removes. */
export async function main(options: DemoOptions = {}): Promise<void> {
  const { observation = "billing-note-8842", print = toTerminal } = options;
  const folder = await mkdtemp(join(tmpdir(), "mnem-demo-"));
  try {
    await using store = await openStore(folder, {
      create: true,
      author: "support-agent",
    });
    await learn(store, observation);
    await showHistory(store, print);
    await explainAndCorrect(store, print);
    await tryAndMerge(store, print);
    await takeBack(store, print);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Ten things learned, ten commits. The times are fixed, so that the commit ids are the same each time. */
async function learn(store: Store, observation: string): Promise<void> {
  await rememberMany(store, [
    { id: "account", content: "acme-corp" },
    { id: "plan", content: "enterprise" },
  ], { summary: "open the account", timeMs: 2_000 });
  await remember(store, "primary-contact", "alice@acme", {
    summary: "learn the primary contact",
    timeMs: 3_000,
  });
  await remember(store, "open-tickets", "2", {
    summary: "count the open tickets",
    timeMs: 4_000,
  });
  await remember(store, "seat-count", "240", {
    summary: "record the seat count",
    timeMs: 5_000,
  });
  await remember(store, "renewal", "2027-01", {
    summary: "note the renewal date",
    timeMs: 6_000,
  });
  // The mistake. Nothing marks it as one: the agent believes what it read.
  await remember(store, "plan", "pro", {
    observation,
    step: "step-31",
    eventTimeMs: 1_700_000_000_000,
    summary: "update the plan tier from billing",
    timeMs: 7_000,
  });
  await remember(store, "discount-band", "pro-tier", {
    summary: "apply the pro-tier discount band",
    timeMs: 8_000,
  });
  await remember(store, "open-tickets", "3", {
    summary: "a new ticket comes in",
    timeMs: 9_000,
  });
  await remember(store, "primary-contact", "alice@acme, bob@acme", {
    summary: "add a second contact",
    timeMs: 10_000,
  });
  await remember(store, "escalation", "billing mismatch flagged", {
    summary: "escalate the billing mismatch",
    timeMs: 11_000,
  });
}

async function showHistory(
  store: Store,
  print: (line: string) => void,
): Promise<void> {
  const { commits } = await history(store);
  print(`${commits.length} commits, newest first:`);
  for (const commit of commits) {
    print(`  ${short(commit.id)}  ${commit.message}`);
  }
}

async function explainAndCorrect(
  store: Store,
  print: (line: string) => void,
): Promise<void> {
  const believed = await recall<string>(store, "plan");
  print(`\nThe agent believes: plan = ${believed?.content}`);

  const { commit } = await whenDid(store, "plan", {
    equals: believed?.content,
  });
  const { node, timeMs } = await why(store, "plan");
  const changed = await whatsNew(store, commit.id);
  const before = await recall<string>(store, "plan", { at: `${commit.id}~1` });
  print(`  since commit   ${short(commit.id)}  ${commit.message}`);
  print(`  it changed     ${changeList(changed)}`);
  print(`  before that    plan = ${before?.content}`);
  print(`  it rests on    ${node.provenance.observation}`);
  print(`  read at        ${node.provenance.agentStep}, ${isoTime(timeMs)}`);

  const wrong = await store.head();
  await remember(store, "plan", before?.content ?? null, {
    source: "customer",
    note: `${node.provenance.observation} was misread`,
    summary: "correct the plan tier",
    timeMs: 12_000,
  });
  const now = await why<string>(store, "plan");
  const then = await recall<string>(store, "plan", {
    at: wrong.commit ?? "HEAD",
  });
  print(`\nCorrected: plan = ${now.node.content}`);
  print(`  by commit      ${short(now.commit.id)}  ${now.commit.message}`);
  print(`  because        ${now.node.provenance.note}`);
  print(`  the past stays plan = ${then?.content} at ${short(wrong.commit)}`);
}

/** A guess is worked out where nobody relies on it, and joins the rest when it holds. */
async function tryAndMerge(
  store: Store,
  print: (line: string) => void,
): Promise<void> {
  const name = "guess/second-account";
  await store.createBranch(name);
  const guess = store.on(name);
  const { commit: guessed } = await remember(
    guess,
    "second-account",
    "acme-labs",
    {
      observation: "two invoices in one month",
      summary: "guess that the customer has a second account",
      timeMs: 13_000,
    },
  );
  await remember(store, "open-tickets", "2", {
    summary: "a ticket is closed meanwhile",
    timeMs: 14_000,
  });
  const apart = await recall<string>(guess, "second-account");
  const meanwhile = await recall<string>(store, "second-account");
  print(`\nA guess on branch ${name}, commit ${short(guessed)}`);
  print(`  there          second-account = ${apart?.content}`);
  print(`  meanwhile here second-account = ${meanwhile?.content ?? "unknown"}`);

  const { status, changes } = await store.merge(name, { timeMs: 15_000 });
  const { commit, writtenIn, blame } = await whenDid(store, "second-account", {
    present: true,
  });
  const tickets = await recall<string>(store, "open-tickets");
  print(`  it holds       ${status}: ${changeList(changes)}`);
  print(`  here since     ${short(commit.id)}  ${commit.message}`);
  print(`  written in     ${short(writtenIn.id)}  ${writtenIn.message}`);
  print(`  it rests on    ${blame?.node.provenance.observation}`);
  print(`  and still here open-tickets = ${tickets?.content}`);
}

/** The discount was given for a plan that the customer never had. */
async function takeBack(
  store: Store,
  print: (line: string) => void,
): Promise<void> {
  const { commit: wrong } = await why(store, "discount-band");
  const { commit, changes } = await store.revert(wrong.id, {
    message: "take back the discount for a plan never had",
    timeMs: 16_000,
  });
  const discount = await recall<string>(store, "discount-band");
  const past = await recall<string>(store, "discount-band", { at: wrong.id });
  const { message } = await store.readCommit(commit ?? "HEAD");
  print(`\nTaken back: ${short(wrong.id)}  ${wrong.message}`);
  print(`  by commit      ${short(commit)}  ${message}`);
  print(`  it changed     ${changeList(changes)}`);
  print(`  now            discount-band = ${discount?.content ?? "nothing"}`);
  print(`  the past stays discount-band = ${past?.content}`);
}

function changeList(changes: ReadonlyMap<string, string>): string {
  return Array.from(changes, (change) => change.join(" ")).join(", ");
}

function short(id: string | null): string {
  return id?.slice(0, 12) ?? "nothing";
}

function isoTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

function toTerminal(line: string): void {
  // deno-lint-ignore no-console -- the demo talks to whoever runs it
  console.log(line);
}

if (import.meta.main) await main();
