/**
 * The official conformance suite, against our factory over HTTP.
 *
 * @module
 */

import assert from "node:assert/strict";
import { remember } from "@mnem/agents";
import { serverFactory } from "@mnem/mcp";
import { tempStore } from "../support/temp_store.ts";
import { serveHttp, withFixtures } from "./http_server.ts";
import { isThere } from "../support/program.ts";
import { runSuite, SUITE, SUITE_VERSION } from "./suite.ts";

/** How long it takes on two busy cores, the suite being in the cache. */
export const SECONDS = 10;

const ignore = !await isThere(SUITE, SUITE_VERSION);

const REVISIONS = [
  {
    name: "37 of 37 required scenarios of 2026-07-28 pass",
    revision: "2026-07-28",
    passed: 37,
    more: [],
  },
  {
    name: "25 of 30 required scenarios of 2025-11-25 pass, and five are known",
    revision: "2025-11-25",
    passed: 25,
    more: ["--expected-failures", pathOf("2025-11-25_failures.yml")],
  },
];

for (const { name, revision, passed, more } of REVISIONS) {
  Deno.test({
    name,
    ignore,
    fn: async () => {
      await using temp = await tempStore();
      await remember(temp.store, "plan", "pro");
      await using server = serveHttp(withFixtures(temp.store));
      const run = await runSuite(
        server.url,
        "--requirements",
        revision,
        ...more,
      );
      assert.equal(run.code, 0, run.stdout + run.stderr);
      assert.equal(passedIn(run.summary), passed, run.summary);
      const expected = await Deno.readTextFile(pathOf(`${revision}.txt`));
      assert.equal(run.summary.trim(), expected.trim());
    },
  });
}

Deno.test({
  name: "the suite fails a server without the fixture that it looks for",
  ignore,
  fn: async () => {
    await using temp = await tempStore();
    await using server = serveHttp(serverFactory(temp.store));
    const scenario = ["--scenario", "tools-call-simple-text"];
    const run = await runSuite(server.url, ...scenario);
    assert.equal(run.code, 1, run.stdout);
    assert.match(run.stdout, /Tool test_simple_text not found/);
  },
});

/** Counts the scenarios that passed something and failed nothing; not those that are not scored. */
function passedIn(summary: string): number {
  const unscored = new Set(
    [...summary.matchAll(/^ {2}✓ (\S+) \(/gm)].map(([, scenario]) => scenario),
  );
  return [...summary.matchAll(/^✓ (\S+): [1-9]\d* passed, 0 failed$/gm)]
    .filter(([, scenario]) => !unscored.has(scenario)).length;
}

function pathOf(name: string): string {
  return new URL(`./expected/${name}`, import.meta.url).pathname;
}
