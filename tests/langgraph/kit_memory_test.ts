/**
 * LangGraph's store in memory under the kit: it keeps what its own tests and documents promise, and
 * breaks what is listed, no more and no less.
 *
 * @module
 */

import assert from "node:assert/strict";
import { STORE_CASES, storeConformance } from "@mnem/langgraph/testing";
import { inMemorySubject } from "../support/kit_subjects.ts";

const subject = inMemorySubject();
storeConformance(subject);

Deno.test("InMemoryStore keeps every rule that is said to be what it does", () => {
  const reference = STORE_CASES.filter(({ basis }) => basis === "reference");
  const ids = new Set(reference.map(({ id }) => id));
  assert.ok(ids.size > 15);
  const listed = Object.keys(subject.deviations ?? {});
  assert.deepEqual(listed.filter((id) => ids.has(id)), []);
});
