/**
 * The examples tell what they promise, and compute what they tell.
 *
 * @module
 */

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { main } from "../examples/support_agent.ts";

const file = new URL("./data/vectors.json", import.meta.url);
const vectors: {
  readonly histories: {
    readonly buggy_run: {
      readonly steps: readonly {
        readonly commit: string;
        readonly message: string;
      }[];
      readonly found: string;
    };
  };
} = JSON.parse(await readFile(file, "utf8"));
const run = vectors.histories.buggy_run;

async function play(observation?: string): Promise<string> {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  await main(observation === undefined ? { print } : { observation, print });
  return lines.join("\n");
}

Deno.test("support_agent tells the known history and finds the observation", async () => {
  const output = await play();
  const lines = output.split("\n").map((line) => line.trim());
  const known = run.steps.map(({ commit, message }) =>
    `${commit.slice(0, 12)}  ${message}`
  );
  assert.deepEqual(lines.slice(1, 11), known.toReversed());
  assert.match(output, new RegExp(`since commit +${run.found.slice(0, 12)}`));
  assert.match(output, /it rests on +billing-note-8842\n/);
  assert.match(output, /read at +step-31, 2023-11-14T22:13:20\.000Z\n/);
  assert.match(output, /it changed +plan modified\n/);
  assert.match(output, /believes: plan = pro\n/);
  assert.match(output, /Corrected: plan = enterprise\n/);
  const head = run.steps.at(-1)?.commit.slice(0, 12);
  assert.match(output, new RegExp(`past stays plan = pro at ${head}\n`));
});

Deno.test("support_agent tries a guess on a branch, merges it, and takes a commit back", async () => {
  const output = await play();
  const [, , guess = "", taken = ""] = output.split("\n\n").slice(-4);
  const written =
    /^A guess on branch guess\/second-account, commit ([0-9a-f]{12})\n/
      .exec(guess)?.[1];
  assert.ok(written !== undefined, guess);
  assert.match(guess, /there +second-account = acme-labs\n/);
  assert.match(guess, /meanwhile here +second-account = unknown\n/);
  assert.match(guess, /it holds +merged: second-account added\n/);
  const [, since, message] =
    /here since +([0-9a-f]{12}) {2}(.*)\n/.exec(guess) ??
      [];
  assert.notEqual(since, written);
  assert.equal(message, "merge guess/second-account into main");
  assert.match(guess, new RegExp(`written in +${written}  guess that the `));
  assert.match(guess, /it rests on +two invoices in one month\n/);
  assert.match(guess, /open-tickets = 2$/);
  const wrong = run.steps.find(({ message }) => message.includes("discount"));
  assert.ok(wrong !== undefined);
  const { commit } = wrong;
  assert.ok(
    taken.startsWith(`Taken back: ${commit.slice(0, 12)}  ${wrong.message}\n`),
    taken,
  );
  assert.match(taken, /it changed +discount-band removed\n/);
  assert.match(taken, /now +discount-band = nothing\n/);
  assert.match(taken, /past stays discount-band = pro-tier$/);
});

Deno.test("support_agent computes what it tells: another observation, another story", async () => {
  const output = await play("phone-call-17");
  assert.match(output, /it rests on +phone-call-17\n/);
  assert.match(output, /because +phone-call-17 was misread\n/);
  assert.doesNotMatch(output, /billing-note-8842/);
  assert.doesNotMatch(output, new RegExp(run.found.slice(0, 12)));
  const unaffected = run.steps[4]?.commit.slice(0, 12);
  assert.match(output, new RegExp(`${unaffected}  note the renewal date`));
});

Deno.test("support_agent removes its store, also when the telling fails", async () => {
  const broken = new Error("the terminal is gone");
  const before = demoFolders();
  await play();
  await assert.rejects(
    main({
      print: () => {
        assert.equal(demoFolders().length, before.length + 1);
        throw broken;
      },
    }),
    broken,
  );
  assert.deepEqual(demoFolders(), before);
});

function demoFolders(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith("mnem-demo-"));
}
