/**
 * What docs/SECURITY.md promises and no other test holds it to.
 *
 * @module
 */

import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { rememberMany } from "@mnem/agents";
import { importBundle, openStore, parseJson, type Store } from "@mnem/core";
import { call, INITIALIZE } from "./mcp/server_process.ts";
import { converse } from "./mcp/wire_session.ts";
import { streamOf } from "./support/bundles.ts";
import {
  linePlace,
  PERMISSION_LINES,
  typed,
} from "./support/permission_lines.ts";
import { tempFolder } from "./support/temp_folder.ts";
import { tempStore } from "./support/temp_store.ts";

const SECRET = "correct-horse-battery-staple";
const bundle = await readFile(
  new URL("data/traces/trace-100.bundle.json", import.meta.url),
  "utf8",
);

async function imported(text: string): Promise<void> {
  await using folder = await tempFolder();
  try {
    await using _ = await importBundle(folder.path, streamOf(text));
  } finally {
    assert.deepEqual(await readdir(folder.path), []);
  }
}

/** Calls that fail, each with the secret in its content. */
const FAILURES: {
  readonly [what: string]: (store: Store) => Promise<unknown>;
} = {
  "content that is no JSON": (store) =>
    store.write([{ id: "a", content: { k: [SECRET, NaN] } }], { message: "" }),
  "content over the limit": (store) =>
    rememberMany(store, [{ id: "a", content: SECRET.repeat(400_000) }]),
  "a lost base": (store) =>
    rememberMany(store, [{ id: "kept", content: SECRET + 2 }], { base: null }),
  "a guard": (store) =>
    rememberMany(store, [{ id: "guarded", content: SECRET }]),
  "a bundle that is cut": () =>
    imported(bundle.replace(/"content": [^\n]*\n/, `"content": "${SECRET}`)),
  "a bundle whose node is another": () =>
    imported(bundle.replace(/"content": [^\n]*,/, `"content": "${SECRET}",`)),
  // deno-lint-ignore require-await -- what it throws becomes a rejection
  "JSON that is none": async () => parseJson(`{"a": "${SECRET}" nul}`),
};

async function secretStore() {
  const temp = await tempStore({
    guard: (edits) => {
      if (edits.some(({ id }) => id === "guarded")) throw new Error("no");
    },
  });
  await rememberMany(temp.store, [{ id: "kept", content: SECRET }]);
  return temp;
}

for (const [what, fail] of Object.entries(FAILURES)) {
  Deno.test(`no content is in the message of an error: ${what}`, async () => {
    await using temp = await secretStore();
    const error = await fail(temp.store).then(() => {}, (error) => error);
    assert.ok(error instanceof Error && error.message !== "", what);
    for (let one: unknown = error; one instanceof Error; one = one.cause) {
      assert.ok(!one.message.includes(SECRET), one.message);
    }
    assert.equal((await temp.store.node("kept"))?.content, SECRET);
  });
}

Deno.test("no content is in the message of an error: arguments over MCP", async () => {
  await using temp = await secretStore();
  const wrong = [
    { content: SECRET },
    { id: 7, content: SECRET },
    { id: "a", content: SECRET, base: "none" },
    { id: "kept", content: SECRET + 2, base: "none" },
    { id: "guarded", content: SECRET },
    { id: "a", content: SECRET, source: { [SECRET]: SECRET } },
  ];
  const calls = wrong.map((args, i) => call(i, "remember", args));
  const answers = await converse(temp.store, INITIALIZE + calls.join(""));
  const texts = answers.filter(({ result }) => result?.isError).map((one) =>
    one.result?.content?.[0]?.text ?? ""
  );
  assert.equal(texts.length, wrong.length - 1, "one of them is right");
  for (const text of texts) assert.ok(!text.includes(SECRET), text);
});

Deno.test("no content is in a fault of verify()", async () => {
  await using temp = await secretStore();
  await temp.store.close();
  const file = `${temp.path}/.mnem/kv.db`;
  const bytes = await readFile(file);
  const at = bytes.indexOf(SECRET);
  assert.ok(at > 0, "content lies in the file as it is");
  for (let i = at; i > 0; i = bytes.indexOf(SECRET, i + 1)) {
    bytes[i + SECRET.length - 1] = "E".charCodeAt(0);
  }
  await writeFile(file, bytes);
  await using store = await openStore(temp.path);
  const { faults } = await store.verify();
  assert.ok(faults.some(({ code }) => code === "object_id"));
  for (const { what } of faults) assert.ok(!what.includes("horse"), what);
});

Deno.test("a node id is no path and no prototype", async () => {
  await using temp = await tempStore();
  const ids = ["../../x", "/etc/x", "a/b", "a:b", "__proto__", "constructor"];
  await rememberMany(
    temp.store,
    ids.map((id) => ({ id, content: { id, __proto__: null } })),
  );
  assert.deepEqual(await readdir(temp.path), [".mnem"]);
  for (const id of ids) {
    assert.deepEqual((await temp.store.node(id))?.content, { id });
  }
  assert.equal((await temp.store.memory()).size, ids.length);
});

Deno.test("docs/SECURITY.md: the permissions suffice", async (t) => {
  assert.equal(PERMISSION_LINES.length, 11);
  for (const line of PERMISSION_LINES) {
    await t.step(line, async () => {
      await using place = await linePlace(line);
      const { code, said } = await typed(line, place);
      assert.equal(code, 0, said);
      assert.match(said, /pro|"added"|0 faults|theirs/);
    });
  }
});
