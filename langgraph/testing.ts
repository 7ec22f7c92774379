/**
 * A conformance kit for stores of LangGraph: the contract of `BaseStore` as rules with stable ids, each
 * a small program, for any store and any test runner. Nothing is registered at import.
 *
 * ```ts
 * import { InMemoryStore } from "@langchain/langgraph-checkpoint";
 * import { checkStore, STORE_CASES } from "@mnem/langgraph/testing";
 * import assert from "node:assert/strict";
 *
 * const results = await checkStore({
 *   name: "InMemoryStore",
 *   create: () => new InMemoryStore(),
 * });
 * assert.equal(results.length, STORE_CASES.length);
 * const broken = results.filter(({ outcome }) => outcome === "broken");
 * assert.ok(broken.some((one) => one.case.id === "list/emptied-vanishes"));
 * ```
 *
 * @module
 */

export { STORE_CASES } from "./testing/cases.ts";
export {
  type CaseOutcome,
  type CaseResult,
  checkStore,
  type ConformanceOptions,
  storeConformance,
  type StoreTestOptions,
} from "./testing/conformance.ts";
export type { Register } from "./testing/registrar.ts";
export type { Basis, StoreCase, Subject } from "./testing/store_case.ts";
