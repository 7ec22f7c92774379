import assert from "node:assert/strict";
import { tempStore } from "../tests/support/temp_store.ts";
import { whatsNew, why } from "./explain.ts";
import { forget, remember, rememberMany } from "./remember.ts";

Deno.test("why() names the commit that wrote the value, now and then", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const c1 = await rememberMany(store, [
    { id: "plan", content: "pro", source: "s1" },
    { id: "owner", content: "ada", eventTimeMs: 1_555_000_000_000 },
  ], { timeMs: 1_000 });
  const c2 = await remember(store, "plan", "team", {
    source: "s2",
    timeMs: 2_000,
  });
  await remember(store, "seats", 3);
  const plan = await why<string>(store, "plan");
  assert.equal(plan.commit.id, c2.commit);
  assert.equal(plan.node.content, "team");
  assert.equal(plan.node.provenance.source, "s2");
  assert.equal(plan.timeMs, 2_000);
  const then = await why(store, "plan", { at: c1.commit ?? "" });
  assert.equal(then.commit.id, c1.commit);
  assert.equal(then.timeMs, 1_000);
  const owner = await why(store, "owner");
  assert.equal(owner.commit.id, c1.commit);
  assert.equal(owner.timeMs, 1_555_000_000_000);
});

Deno.test("why() of a node that is not there is not_found", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  await assert.rejects(why(store, "ghost"), { code: "not_found" });
  await remember(store, "plan", "pro");
  await forget(store, "plan");
  await assert.rejects(why(store, "plan"), { code: "not_found" });
  await assert.rejects(why(store, "ghost", { at: "HEAD~1" }), {
    code: "not_found",
  });
  await assert.rejects(why(store, "plan", { at: "nope" }), {
    code: "invalid_ref",
  });
  assert.equal(
    (await why(store, "plan", { at: "HEAD~1" })).node.content,
    "pro",
  );
});

Deno.test("whatsNew() tells what a commit changed, the head's unless asked otherwise", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  await rememberMany(store, [
    { id: "～", content: 1 },
    { id: "😀", content: 1 },
    { id: "a", content: 1 },
  ]);
  await store.write([
    { id: "b", content: 2 },
    { id: "😀", remove: true },
    { id: "～", content: 2 },
  ], { message: "three kinds" });
  assert.deepEqual([...await whatsNew(store)], [
    ["b", "added"],
    ["～", "modified"],
    ["😀", "removed"],
  ]);
  assert.deepEqual([...await whatsNew(store, "HEAD~1")], [
    ["a", "added"],
    ["～", "added"],
    ["😀", "added"],
  ]);
  await assert.rejects(whatsNew(store, "nope"), { code: "invalid_ref" });
});
