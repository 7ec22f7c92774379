/**
 * Holding a store to the rules: as tests of any runner, or at once.
 *
 * @module
 */

import type { BaseStore } from "@langchain/langgraph-checkpoint";
import { STORE_CASES } from "./cases.ts";
import { foundRegister, type Register } from "./registrar.ts";
import type { StoreCase } from "./store_case.ts";

/** A store, and how it is made for each rule. */
export interface ConformanceOptions<S extends BaseStore = BaseStore> {
  /** What the store is called in the names of the tests. */
  readonly name: string;
  /** Makes an empty store. Called once for each rule. */
  readonly create: () => S | PromiseLike<S>;
  /** Ends a store that was made, when its rule is done. */
  readonly dispose?: ((store: S) => void | PromiseLike<void>) | undefined;
  /**
   * Moves the clock that the store reads, by a millisecond or more. Without it times are only held to
   * not going back. Never sleep here: give the store a clock, or spin to the next millisecond.
   */
  readonly tick?: (() => void | PromiseLike<void>) | undefined;
  /**
   * Rules that the store is known to break, by id, each with its reason. Such a rule must fail: one
   * that is kept by now is reported, so that the list never says more than is so.
   */
  readonly deviations?: { readonly [id: string]: string } | undefined;
}

/** {@linkcode ConformanceOptions}, and where the tests go. */
export interface StoreTestOptions<S extends BaseStore = BaseStore>
  extends ConformanceOptions<S> {
  /**
   * Registers one test: `Deno.test`, vitest's `it`, `test` of `node:test`. Else the global `it`, `test`
   * or `Deno.test`, the first that is there when the tests are registered.
   */
  readonly register?: Register | undefined;
}

/**
 * How it went. `kept`: the store keeps the rule. `broken`: it does not. `deviates`: it does not, as is
 * listed. `stale`: it is listed as a deviation, and is none.
 */
export type CaseOutcome = "kept" | "broken" | "deviates" | "stale";

/** What one rule came to. */
export interface CaseResult {
  /** The rule. */
  readonly case: StoreCase;
  /** How it went. */
  readonly outcome: CaseOutcome;
  /** What the rule failed with: when it is `broken` or `deviates`. */
  readonly error?: unknown;
}

/**
 * Registers one test for each rule of {@linkcode STORE_CASES}.
 *
 * Errors: TypeError when a deviation names no rule or gives no reason, or when there is nothing to
 * register with; no test is registered then.
 *
 * ```ts
 * import { InMemoryStore } from "@langchain/langgraph-checkpoint";
 * import { storeConformance } from "@mnem/langgraph/testing";
 * import assert from "node:assert/strict";
 *
 * const tests = new Map<string, () => Promise<void>>();
 * storeConformance({
 *   name: "InMemoryStore",
 *   create: () => new InMemoryStore(),
 *   register: (name, run) => tests.set(name, run), // in a test file: leave it out
 * });
 * await tests.get("InMemoryStore: get/missing-is-null")?.();
 * assert.ok(tests.size > 100);
 * ```
 */
export function storeConformance<S extends BaseStore>(
  options: StoreTestOptions<S>,
): void {
  assertDeviations(options);
  const register = options.register ?? foundRegister();
  for (const one of STORE_CASES) {
    register(`${options.name}: ${one.id}`, async () => {
      const { outcome, error } = await runCase(one, options);
      if (outcome === "broken") throw error;
      if (outcome === "stale") throw new Error(staleMessage(one, options));
    });
  }
}

/**
 * Holds a store to every rule, one after the other. Resolves also when rules are broken; rejects when
 * a store cannot be made or ended.
 *
 * Errors: TypeError when a deviation names no rule or gives no reason.
 *
 * ```ts
 * import { InMemoryStore } from "@langchain/langgraph-checkpoint";
 * import { checkStore } from "@mnem/langgraph/testing";
 * import assert from "node:assert/strict";
 *
 * const results = await checkStore({
 *   name: "InMemoryStore",
 *   create: () => new InMemoryStore(),
 *   deviations: { "copy/what-was-got": "hands out what it holds" },
 * });
 * const outcomes = new Map(results.map((one) => [one.case.id, one.outcome]));
 * assert.equal(outcomes.get("get/missing-is-null"), "kept");
 * assert.equal(outcomes.get("copy/what-was-got"), "deviates");
 * assert.equal(outcomes.get("copy/what-was-put"), "broken"); // not listed
 * ```
 */
export async function checkStore<S extends BaseStore>(
  options: ConformanceOptions<S>,
): Promise<CaseResult[]> {
  assertDeviations(options);
  const results: CaseResult[] = [];
  for (const one of STORE_CASES) results.push(await runCase(one, options));
  return results;
}

/** Runs one rule on a store of its own. A store that cannot be made or ended is no deviation. */
async function runCase<S extends BaseStore>(
  one: StoreCase,
  { create, dispose, tick, deviations = {} }: ConformanceOptions<S>,
): Promise<CaseResult> {
  const listed = Object.hasOwn(deviations, one.id);
  const store = await create();
  const failed = await one.run({
    store,
    tick: async () => {
      await tick?.();
      return tick !== undefined;
    },
  }).then(() => undefined, (error: unknown) => ({ error }));
  await dispose?.(store);
  if (failed === undefined) {
    return { case: one, outcome: listed ? "stale" : "kept" };
  }
  return { case: one, outcome: listed ? "deviates" : "broken", ...failed };
}

function assertDeviations(
  { name, deviations = {} }: Pick<ConformanceOptions, "name" | "deviations">,
): void {
  const ids = new Set(STORE_CASES.map(({ id }) => id));
  for (const [id, reason] of Object.entries(deviations)) {
    if (!ids.has(id)) {
      throw new TypeError(
        `Cannot test ${name}: its deviation "${id}" must be the id of a rule`,
      );
    }
    if (typeof reason !== "string" || reason.trim() === "") {
      throw new TypeError(
        `Cannot test ${name}: its deviation "${id}" must have a reason`,
      );
    }
  }
}

function staleMessage(
  { id, rule }: StoreCase,
  { name, deviations = {} }: Pick<ConformanceOptions, "name" | "deviations">,
): string {
  return `${name} keeps ${id} (${rule}): take it off the deviations, ` +
    `where it stands because "${deviations[id]}"`;
}
