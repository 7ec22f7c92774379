/**
 * The project keeps its own rules.
 *
 * @module
 */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { EXEMPTIONS, withoutExempt } from "./exemptions.ts";
import { readProject } from "./project.ts";
import { formatFinding, RULES } from "./rules.ts";

Deno.test("the workspace keeps every rule of its architecture", async (t) => {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const project = await readProject(root);
  // A reader that finds no files would find no faults either.
  assert.ok(project.files.has("core/mod.ts"));
  assert.ok(project.packages.some((one) => one.folder === "core"));

  const found = new Map(
    [...RULES].map(([name, rule]) => [name, rule(project)] as const),
  );
  const left = new Set(withoutExempt([...found.values()].flat(), EXEMPTIONS));
  for (const [name, findings] of found) {
    await t.step(name, () => {
      const broken = findings.filter((one) => left.delete(one));
      assert.deepEqual(broken.map(formatFinding), []);
    });
  }
  await t.step("every exemption is needed", () => {
    assert.deepEqual([...left].map(formatFinding), []);
  });
});
