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
  assert.match(output, new RegExp(`past stays plan = pro at ${head}$`));
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
