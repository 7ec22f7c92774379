/**
 * LangGraph's store in PostgreSQL under the kit, and ours on a file beside it.
 *
 * @module
 */

import assert from "node:assert/strict";
import { checkStore, storeConformance } from "@mnem/langgraph/testing";
import { fileSubject, postgresSubject } from "../support/kit_subjects.ts";
import { postgresMissing, startPostgres } from "../support/postgres_server.ts";

/** What this suite takes at most, in seconds. */
export const SECONDS = 25;

const missing = await postgresMissing();

storeConformance(fileSubject());

Deno.test({
  name: `PostgresStore breaks what is listed, no more and no less${
    missing === undefined ? "" : `: ${missing}`
  }`,
  ignore: missing !== undefined,
  async fn() {
    await using server = await startPostgres({ fast: true });
    const results = await checkStore(postgresSubject(server));
    const odd = results.filter(({ outcome }) =>
      outcome === "broken" || outcome === "stale"
    );
    assert.deepEqual(
      odd.map((one) => `${one.case.id} is ${one.outcome}: ${one.error}`),
      [],
    );
    assert.ok(results.some(({ outcome }) => outcome === "kept"));
    assert.ok(results.some(({ outcome }) => outcome === "deviates"));
  },
});
