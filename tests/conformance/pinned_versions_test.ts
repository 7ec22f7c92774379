/**
 * The commands that can be copied name the versions that the tests run.
 *
 * @module
 */

import assert from "node:assert/strict";
import { INSPECTOR_VERSION } from "./inspector.ts";
import { SUITE_VERSION } from "./suite.ts";

Deno.test("README.md pins the versions that the tests pin", async () => {
  const url = new URL("./README.md", import.meta.url);
  const text = await Deno.readTextFile(url);
  for (
    const [name, version] of [
      ["conformance", SUITE_VERSION],
      ["inspector", INSPECTOR_VERSION],
    ] as const
  ) {
    const pins = text.matchAll(RegExp(`/${name}@([\\w.-]+)`, "g"));
    const versions = new Set([...pins].map(([, pinned]) => pinned));
    assert.deepEqual([...versions], [version]);
  }
});
