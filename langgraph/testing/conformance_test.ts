import assert from "node:assert/strict";
import { type BaseStore, InMemoryStore } from "@langchain/langgraph-checkpoint";
import { PlainStore } from "../../tests/support/plain_store.ts";
import { STORE_CASES } from "./cases.ts";
import { checkStore, storeConformance } from "./conformance.ts";

const KEPT = "get/missing-is-null";
const BROKEN = "copy/what-was-got";

/** The tests that the kit would register, by name. */
function registered(
  options: Partial<Parameters<typeof storeConformance>[0]> = {},
): Map<string, () => Promise<void>> {
  const tests = new Map<string, () => Promise<void>>();
  storeConformance({
    name: "S",
    create: () => new InMemoryStore(),
    register: (name, run) => tests.set(name, run),
    ...options,
  });
  return tests;
}

Deno.test("STORE_CASES has unique ids that begin with the topic, and a rule each", () => {
  const ids = STORE_CASES.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(ids.length > 200);
  for (const { id, topic, rule, basis } of STORE_CASES) {
    assert.match(id, /^[a-z]+\/[a-z0-9]+(-[a-z0-9]+)*$/);
    assert.equal(id.split("/")[0], topic);
    assert.ok(rule.length > 10 && !rule.endsWith("."), id);
    assert.ok(["contract", "reference", "choice"].includes(basis));
  }
  assert.equal(new Set(STORE_CASES.map(({ rule }) => rule)).size, ids.length);
});

Deno.test("STORE_CASES names public threads of those who met a fault", () => {
  const seen = STORE_CASES.flatMap((one) => one.seen ?? []);
  assert.ok(seen.length > 30);
  for (const one of seen) {
    assert.match(
      one,
      /^https:\/\/github\.com\/[\w.-]+\/[\w.-]+\/(issues|pull)\/\d+$/,
    );
  }
});

Deno.test("storeConformance() registers one test for each rule", () => {
  assert.deepEqual(
    [...registered().keys()],
    STORE_CASES.map(({ id }) => `S: ${id}`),
  );
});

Deno.test("storeConformance() fails with what the rule failed with", async () => {
  const tests = registered();
  await tests.get(`S: ${KEPT}`)?.();
  await assert.rejects(async () => await tests.get(`S: ${BROKEN}`)?.(), {
    name: "AssertionError",
    message: /deep-equal/,
  });
});

Deno.test("storeConformance() expects a deviation, and fails when there is none", async () => {
  const tests = registered({
    deviations: { [BROKEN]: "hands out what it holds", [KEPT]: "was so once" },
  });
  await tests.get(`S: ${BROKEN}`)?.();
  await assert.rejects(async () => await tests.get(`S: ${KEPT}`)?.(), {
    message: /^S keeps get\/missing-is-null .*"was so once"$/,
  });
});

Deno.test("storeConformance() refuses a deviation without rule or reason, and registers nothing", () => {
  const names: string[] = [];
  const register = (name: string) => names.push(name);
  for (const deviations of [{ "get/nothing": "why" }, { [KEPT]: " " }]) {
    assert.throws(() => registered({ register, deviations }), TypeError);
  }
  assert.deepEqual(names, []);
  registered({ register, deviations: { [KEPT]: "why" } });
  assert.equal(names.length, STORE_CASES.length);
});

Deno.test("checkStore() tells kept, broken, deviates and stale apart", async () => {
  const results = await checkStore({
    name: "S",
    create: () => new InMemoryStore(),
    deviations: { [BROKEN]: "hands out what it holds", [KEPT]: "was so once" },
  });
  assert.deepEqual(results.map((one) => one.case), STORE_CASES);
  const outcome = (id: string) =>
    results.find((one) => one.case.id === id)?.outcome;
  assert.equal(outcome(KEPT), "stale");
  assert.equal(outcome(BROKEN), "deviates");
  assert.equal(outcome("copy/what-was-put"), "broken");
  assert.equal(outcome("put/keys-are-apart"), "kept");
  for (const { outcome, error } of results) {
    const failed = outcome === "broken" || outcome === "deviates";
    assert.equal(error !== undefined, failed);
  }
});

Deno.test("checkStore() refuses a deviation without rule or reason", async () => {
  for (const deviations of [{ "get/nothing": "why" }, { [KEPT]: "" }]) {
    const create = () => new InMemoryStore();
    await assert.rejects(
      checkStore({ name: "S", create, deviations }),
      TypeError,
    );
  }
});

Deno.test("checkStore() makes a store for each rule and ends each, whatever came", async () => {
  const open = new Set<BaseStore>();
  let most = 0;
  let made = 0;
  await checkStore({
    name: "S",
    create: () => {
      const store = new InMemoryStore();
      open.add(store);
      made++;
      most = Math.max(most, open.size);
      return Promise.resolve(store);
    },
    dispose: (store) => {
      assert.ok(open.delete(store));
    },
  });
  assert.deepEqual([made, most, open.size], [STORE_CASES.length, 1, 0]);
});

Deno.test("checkStore() takes no failure to make or end a store for a deviation", async () => {
  const deviations = Object.fromEntries(
    STORE_CASES.map(({ id }) => [id, "all of it"]),
  );
  const fail = () => {
    throw new Error("no database");
  };
  const create = () => new InMemoryStore();
  for (const options of [{ create: fail }, { create, dispose: fail }]) {
    await assert.rejects(
      checkStore({ name: "S", deviations, ...options }),
      /no database/,
    );
  }
});

Deno.test("checkStore() holds times to the clock only where it can move it", async () => {
  const outcomes = async (tick?: () => void) => {
    const create = () => new PlainStore(() => 0);
    const results = await checkStore({ name: "S", create, tick });
    return results.find((one) => one.case.id === "time/update-moves-updated")
      ?.outcome;
  };
  assert.equal(await outcomes(), "kept");
  assert.equal(await outcomes(() => {}), "broken");
});
