import assert from "node:assert/strict";
import { MemoryKv } from "../../tests/support/memory_kv.ts";
import { newSharedStore } from "../../tests/support/new_shared_store.ts";
import type { Json } from "../object/json.ts";
import { type Proposal, rowOf, type Tip } from "./outcome.ts";
import { planAhead, plannedOn } from "./plan_ahead.ts";
import { planChain } from "./plan_chain.ts";
import { prepareWrite } from "./prepared_write.ts";
import type { WriteOptions } from "./surface.ts";

function writeOf(
  contents: { readonly [id: string]: Json },
  options: Partial<WriteOptions> = {},
) {
  const edits = Object.entries(contents).map(([id, content]) => ({
    id,
    content,
  }));
  return prepareWrite(edits, { message: "w", ...options }, {
    author: "tester",
    clock: () => 1_700_000_000_000,
  });
}

/** A chain on the branch "main" that is written nowhere. */
async function unwritten(proposals: readonly Proposal[]) {
  const store = await newSharedStore(new MemoryKv());
  const chain = await planChain(
    store,
    { row: null, branch: "main" },
    proposals,
  );
  const row = rowOf(chain.outcomes.at(-1)!);
  const tip: Tip = { row, branch: "main" };
  return { store, tip, written: { branch: "main", behind: chain.outcomes } };
}

Deno.test("planAhead() plans on commits, chunks and nodes that are stored nowhere", async () => {
  const { store, tip, written } = await unwritten([
    writeOf({ a: 1, b: 1, c: 1 }),
    writeOf({ b: 2 }),
  ]);
  // A number may be stored in two ways: the node before is read to be compared.
  const again = [writeOf({ a: 1, b: 3 }), writeOf({ c: 1 }), writeOf({ b: 2 })];
  const ahead = planAhead(store, written, again);
  const chain = await plannedOn(ahead, tip);
  assert.deepEqual(chain?.outcomes.map(({ is }) => is), [
    "commit",
    "unchanged",
    "commit",
  ]);
  const [first] = chain.outcomes;
  assert.ok(first?.is === "commit");
  assert.deepEqual([...first.planned.changes], [["b", "modified"]]);
  assert.equal(first.planned.made.row.commit.parents[0], tip.row?.commit.id);
});

Deno.test("a chain is good for the commit and the branch that it was planned on", async () => {
  const { store, tip, written } = await unwritten([writeOf({ a: 1 })]);
  const other = await unwritten([writeOf({ a: 2 })]);
  const ahead = planAhead(store, written, [writeOf({ b: 1 })]);
  assert.notEqual(plannedOn(ahead, tip), undefined);
  assert.equal(plannedOn(ahead, { ...tip, branch: "other" }), undefined);
  assert.equal(plannedOn(ahead, { ...tip, row: null }), undefined);
  assert.equal(plannedOn(ahead, other.tip), undefined);
  assert.equal(plannedOn(undefined, tip), undefined);
});

Deno.test("planAhead() leaves alone what more than commits is needed for, and what no commit is before", async () => {
  const { store, written } = await unwritten([writeOf({ a: 1 })]);
  const plain = writeOf({ b: 1 });
  const keyed = writeOf({ b: 1 }, { key: "once" });
  const mark = { key: ["s"], versionstamp: null };
  const staged = { ...plain, staged: { mark, rows: [] } };
  const ahead = (behind: typeof written, proposals: readonly Proposal[]) =>
    planAhead(store, behind, proposals);
  assert.notEqual(ahead(written, [plain, staged]), undefined);
  assert.equal(ahead(written, []), undefined);
  assert.equal(ahead(written, [staged, plain]), undefined);
  assert.equal(ahead(written, [plain, keyed]), undefined);
  const nothing = { branch: "main", behind: [] };
  assert.equal(ahead(nothing, [plain]), undefined);
});
