/**
 * The example of two threads tells what it promises, with ids that a core store gives to the same
 * history by another way.
 *
 * @module
 */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { MemoryNode } from "@mnem/core";
import { main } from "../../examples/langgraph_two_threads.ts";
import { tempStore } from "../support/temp_store.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

async function play(observation: string): Promise<string> {
  const lines: string[] = [];
  await main({ observation, print: (line) => void lines.push(line) });
  return lines.join("\n");
}

/** The commits of the story, oldest first, made by writes of the core alone. */
async function expectedCommits(observation: string): Promise<string[]> {
  await using temp = await tempStore();
  const { store } = temp;
  const author = "assistant";
  const write = async (
    on: Pick<typeof store, "write">,
    item: string,
    is: string,
    { provenance, timeMs }: Pick<MemoryNode, "provenance"> & {
      readonly timeMs: number;
    },
  ) => {
    const id = `customers:acme:${item}`;
    const { commit } = await on.write([{ id, content: { is }, provenance }], {
      message: `remember ${id}`,
      author,
      timeMs,
    });
    return commit?.slice(0, 12) ?? "";
  };
  const learned = (source: string, observation: string) => ({
    source,
    agentStep: "learn",
    observation,
  });
  const plan = await write(store, "plan", "enterprise", {
    provenance: learned("thread:monday", "Hello, our plan is enterprise"),
    timeMs: Date.parse("2026-11-02T09:00:00Z"),
  });
  await store.createBranch("guess/account");
  const account = await write(
    store.on("guess/account"),
    "account",
    "acme-labs",
    {
      provenance: {
        source: "thread:thursday",
        agentStep: "guess",
        observation,
      },
      timeMs: Date.parse("2026-11-05T09:00:00Z"),
    },
  );
  const timeMs = Date.parse("2026-11-06T09:00:00Z");
  const contact = await write(store, "contact", "bob", {
    provenance: learned("thread:monday", "By the way, our contact is bob"),
    timeMs,
  });
  const { commit } = await store.merge("guess/account", { author, timeMs });
  return [plan, account, contact, commit?.slice(0, 12) ?? ""];
}

Deno.test("langgraph_two_threads shares a memory, merges one guess and drops another", async () => {
  const output = await play("a phone call");
  const [plan, account, contact, merge] = await expectedCommits("a phone call");
  assert.match(
    output,
    /Thread thursday\n.*\n {2}assistant {2}I know: plan is enterprise\n/,
  );
  assert.match(
    output,
    /Guess on branch guess\/account\n {2}there +account is acme-labs\n {2}here +account is unknown\n/,
  );
  assert.ok(output.includes(
    `It holds: guess/account\n  merged     ${merge}  customers:acme:account added\n` +
      "  here       account is acme-labs\n",
  ));
  assert.match(output, /there +plan is pro\n {2}here +plan is enterprise\n/);
  assert.match(
    output,
    /It does not hold: guess\/plan\n {2}here +plan is enterprise\n {2}branches +guess\/account, main\n/,
  );
  assert.ok(output.includes(
    `Why account is acme-labs\n  written    ${account}  remember customers:acme:account\n` +
      `  here since ${merge}  merge guess/account into main\n` +
      "  rests on   a phone call\n  said in    thread:thursday, step guess\n",
  ));
  const [, history] = output.split("4 commits, newest first:\n");
  assert.equal(
    history,
    [
      `  ${merge}  merge guess/account into main`,
      `  ${contact}  remember customers:acme:contact`,
      `  ${account}  remember customers:acme:account`,
      `  ${plan}  remember customers:acme:plan`,
    ].join("\n"),
  );
});

Deno.test("langgraph_two_threads needs no network, and tells the same in a process of its own", async () => {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--frozen",
      "--allow-env",
      "--allow-sys=homedir",
      "--allow-read",
      "--allow-write",
      "examples/langgraph_two_threads.ts",
    ],
    cwd: root,
    env: { NO_COLOR: "1" },
  }).output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  const told = new TextDecoder().decode(stdout).trimEnd();
  assert.equal(told, await play("two invoices in one month"));
  assert.notEqual(told, await play("a phone call"));
});
