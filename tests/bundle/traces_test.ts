/**
 * Bundles that the reference implementation wrote: they import with every id, answer what was asked
 * while they were made, and are exported again to the byte.
 *
 * @module
 */

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { readdir, readFile } from "node:fs/promises";
import { importBundle } from "@mnem/core";
import { askTrace } from "../support/ask_trace.ts";
import { exported, streamOf } from "../support/bundles.ts";
import { tempFolder } from "../support/temp_folder.ts";
import type { Trace } from "../support/trace_run.ts";

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
    const asked = await askTrace(store, trace);
    assert.ok(asked > 80, `${asked} questions`);
  });
}

function traceOf(name: string): string {
  return name.replace(SUFFIX, ".json");
}

function bytewise(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
