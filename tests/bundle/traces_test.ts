/**
 * Bundles that the reference implementation wrote: they import with every id, answer what was asked
 * while they were made, and are exported again to the byte.
 *
 * @module
 */

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { readdir, readFile } from "node:fs/promises";
import { importBundle, type Store } from "@mnem/core";
import { exported, streamOf } from "../support/bundles.ts";
import { tempFolder } from "../support/temp_folder.ts";
import {
  expectedOf,
  OPERATIONS,
  type Step,
  type Trace,
} from "../support/trace_run.ts";

const READS = new Set([
  "recall",
  "recall_at",
  "log",
  "diff",
  "why",
  "whats_new",
  "when_did",
]);

const folder = new URL("../data/traces/", import.meta.url);
const SUFFIX = ".bundle.json";
const files = await readdir(folder);
const names = files.filter((name) => name.endsWith(SUFFIX)).sort();

Deno.test("there are five bundles, and four have a trace", () => {
  assert.equal(names.length, 5);
  assert.equal(names.filter((name) => files.includes(traceOf(name))).length, 4);
});

for (const name of names) {
  Deno.test(`${name}: importBundle() keeps every id, exportBundle() every byte`, async () => {
    const text = await readFile(new URL(name, folder), "utf8");
    const { objects, refs, head } = JSON.parse(text);
    await using place = await tempFolder();
    await using store = await importBundle(
      place.path,
      streamOf(text),
    );
    assert.deepEqual(Object.fromEntries(await store.branches()), refs);
    const { branch, commit } = await store.head();
    assert.equal(branch === null ? commit : `ref: ${branch}`, head);
    const commits = Object.keys(objects).filter((id) =>
      objects[id].kind === "commit"
    );
    assert.ok(commits.length > 0);
    for (const id of commits) {
      const { id: read, state } = await store.readCommit(id);
      assert.deepEqual([read, state], [id, objects[id].state]);
      const memory = await (await store.at(id)).memory();
      assert.deepEqual(
        [...memory.keys()],
        Object.keys(objects[objects[id].state].nodes).sort(bytewise),
      );
    }
    assert.equal(await exported(store), text);
  });
}

for (const name of names.filter((name) => files.includes(traceOf(name)))) {
  Deno.test(`${name}: an imported history answers as it did while it was made`, async () => {
    await using place = await tempFolder();
    const bundle = await readFile(new URL(name, folder));
    await using store = await importBundle(
      place.path,
      streamOf(bundle),
    );
    const trace: Trace = JSON.parse(
      await readFile(new URL(traceOf(name), folder), "utf8"),
    );
    let asked = 0;
    for (const { step, head } of headsOf(trace.steps)) {
      await askAt(store, step, head);
      asked++;
    }
    assert.ok(asked > 80, `${asked} questions`);
  });
}

/** The reads of a trace, and the commit that HEAD was at. */
function* headsOf(
  steps: readonly Step[],
): Generator<{ readonly step: Step; readonly head: string }> {
  const branches = new Map<string, string>();
  let current = "main";
  for (const step of steps) {
    const { op, args, result } = step;
    const head = branches.get(current);
    if (READS.has(op)) {
      if (head !== undefined) yield { step, head };
    } else if (op === "switch") current = args.target;
    else if (op === "branch") {
      const start = args.start ?? head ?? "";
      branches.set(args.name, branches.get(start) ?? start);
    } else branches.set(current, commitOf(result) ?? head ?? "");
  }
}

async function askAt(store: Store, step: Step, head: string): Promise<void> {
  await store.switchTo(head);
  const answer = await OPERATIONS[step.op]!(store, step.args);
  assert.deepEqual(answer, expectedOf(step), step.op);
}

function commitOf(result: Step["result"]): string | null {
  assert.ok(typeof result === "object" && result !== null);
  assert.ok("commit" in result);
  const { commit } = result;
  assert.ok(commit === null || typeof commit === "string");
  return commit;
}

function traceOf(name: string): string {
  return name.replace(SUFFIX, ".json");
}

function bytewise(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
