/**
 * The same work by two processes at once, here and in other memories: which writes are there afterwards.
 *
 * @module
 */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { initStore, openStore } from "@mnem/core";
import { startServer } from "../mcp/server_process.ts";
import { memoryServer, referencePython } from "../reference/programs.ts";
import { callInTurn } from "../support/contention_run.ts";
import { linesOf } from "../support/line_child.ts";
import { isThere, runProgram } from "../support/program.ts";
import { type Figures, reportFigures } from "../support/report_figures.ts";
import { tempFolder } from "../support/temp_folder.ts";

/** How long it takes on two busy cores, with the other programs to be had first. */
export const SECONDS = 20;

const EACH = 40;
const LABELS = ["one", "two"] as const;
const BESIDE = fileURLToPath(
  new URL("../reference/remember_beside.py", import.meta.url),
);

const hasNode = await isThere(["node"]) && await isThere(["npm"]);
const other = hasNode ? await memoryServer() : undefined;
const python = await referencePython();
if (python.path === undefined) console.log(`skipped: ${python.missing}`);

interface Compared {
  readonly acknowledged: number;
  readonly survived: number;
  readonly refused: number;
}

function report(memory: string, compared: Compared): void {
  const { acknowledged, survived } = compared;
  const row: Figures = {
    memory,
    asked: EACH * LABELS.length,
    ...compared,
    lost: acknowledged - survived,
  };
  console.log(JSON.stringify(row));
  reportFigures("two-process-comparison", row);
}

Deno.test("two servers of ours: every acknowledged write is there", async () => {
  await using folder = await tempFolder();
  await (await initStore(folder.path)).close();
  const results = await Promise.all(
    LABELS.map((label) =>
      callInTurn(startServer([`--store=${folder.path}`]), EACH, (turn) => [
        "remember",
        { id: `${label} ${turn}`, content: turn },
      ])
    ),
  );
  const acknowledged = results.flat()
    .filter(({ result }) => result?.isError === undefined).length;
  await using store = await openStore(folder.path);
  const survived = (await store.memory()).size;
  assert.deepEqual([acknowledged, survived], [80, 80]);
  report("mnem-mcp", { acknowledged, survived, refused: 0 });
});

Deno.test({
  name: "two servers of @modelcontextprotocol/server-memory",
  ignore: other?.path === undefined,
}, async () => {
  await using folder = await tempFolder();
  const file = `${folder.path}/memory.jsonl`;
  const results = await Promise.all(LABELS.map((label) => {
    const server = startServer([], {
      program: ["node", other?.path ?? ""],
      env: { MEMORY_FILE_PATH: file },
    });
    return callInTurn(server, EACH, (turn) => ["create_entities", {
      entities: [{
        name: `${label} ${turn}`,
        entityType: "node",
        observations: [`${turn}`],
      }],
    }]);
  }));
  const acknowledged = results.flat()
    .filter(({ result }) => result !== undefined && result.isError !== true)
    .length;
  assert.ok(acknowledged > 0, "it answers");
  const text = await Deno.readTextFile(file);
  const names = LABELS.flatMap((label) =>
    Array.from({ length: EACH }, (_, turn) => `"name":"${label} ${turn}"`)
  );
  const survived = names.filter((name) => text.includes(name)).length;
  report("@modelcontextprotocol/server-memory", {
    acknowledged,
    survived,
    refused: 0,
  });
});

Deno.test({
  name: "two processes of the reference",
  ignore: python.path === undefined,
}, async () => {
  await using folder = await tempFolder();
  const count = async () => {
    const args = [BESIDE, folder.path, "-", "0"];
    const { code, stdout, stderr } = await runProgram(
      [python.path ?? ""],
      args,
    );
    assert.equal(code, 0, stderr);
    return Number(stdout);
  };
  assert.equal(await count(), 0);
  const begin = (label: string) =>
    new Deno.Command(python.path ?? "", {
      args: [BESIDE, folder.path, label, String(EACH)],
      stdin: "piped",
      stdout: "piped",
    }).spawn();
  const one = begin("one");
  const said = linesOf<number | string>(one.stdout);
  assert.equal((await said.next()).value, "open");
  // The first one keeps the store open until the second one has ended.
  const two = begin("two");
  await two.stdin.close();
  const answers = await Array.fromAsync(linesOf<number | string>(two.stdout));
  await two.status;
  const { value: acknowledged } = await said.next();
  assert.equal(acknowledged, EACH);
  await one.stdin.close();
  await said.next();
  await one.status;
  assert.deepEqual(answers, ["refused"]);
  const refused = EACH;
  report("the reference", {
    acknowledged: EACH,
    survived: await count(),
    refused,
  });
});
