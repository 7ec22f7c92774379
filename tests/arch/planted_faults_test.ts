/**
 * Every rule finds the fault that it is for, and nothing in a workspace without one.
 *
 * @module
 */

import assert from "node:assert/strict";
import { type Exemption, withoutExempt } from "./exemptions.ts";
import {
  DOC,
  type Files,
  grown,
  plantedProject,
  reset,
} from "./planted_project.ts";
import { checkProject, formatFinding, RULES } from "./rules.ts";

/** What is planted, and every finding that it must give. */
const FAULTS: readonly (readonly [Files, readonly string[]])[] = [
  [
    grown("agents/mod.ts", `import type { serve } from "@small/mcp";`),
    ["L1: agents/mod.ts:8 imports mcp, which is not below agents"],
  ],
  [
    grown("core/errors.ts", `import "../tests/planted/board.ts";`),
    ["L1: core/errors.ts:7 imports tests/planted/board.ts, which does not ship"],
  ],
  [
    grown("cli/mod.ts", `import { serve } from "@small/mcp";`),
    ["L1: cli/mod.ts:7 imports mcp, which is not below cli"],
  ],
  [
    grown("mcp/mod.ts", `export const lazy = () => import("@small/cli");`),
    [
      "L1: mcp/mod.ts:9 imports cli, which is not below mcp",
      "L8: mcp/mod.ts exports lazy, not in tests/arch/exports.json",
    ],
  ],
  [
    grown("mcp/mod.ts", `type Log = import("../core/history/log.ts").log;`),
    ["L2: mcp/mod.ts:9 reaches into core by path: ../core/history/log.ts"],
  ],
  [
    grown("mcp/mod.ts", `import "@small/core/store/open.ts";`),
    ["L2: mcp/mod.ts:9 imports @small/core/store/open.ts, which is no entry of a package"],
  ],
  [
    grown("agents/mod.ts", `const name = "x"; await import(name);`),
    ["L2: agents/mod.ts:8 imports (computed), which is no entry of a package"],
  ],
  [
    grown("core/errors.ts", `import "@small/core";`),
    [
      "L2: core/errors.ts:7 imports its own package by name",
      "L3: core/errors.ts:7 ground imports entry: core/mod.ts (value)",
    ],
  ],
  [
    grown("examples/first.ts", `import "../agents/mod.ts";`),
    ["L2: examples/first.ts:3 reaches into agents by path: ../agents/mod.ts"],
  ],
  [
    grown(
      "core/object/codec.ts",
      `import { type tree } from "../state/tree.ts";`,
    ),
    ["L3: core/object/codec.ts:8 object imports state: core/state/tree.ts (type)"],
  ],
  [
    grown(
      "core/history/log.ts",
      `export { openDriver } from "../storage/open_driver.ts";`,
    ),
    ["L3: core/history/log.ts:8 history imports storage: core/storage/open_driver.ts (value)"],
  ],
  [
    grown(
      "core/storage/open_driver.ts",
      `import { log } from "../history/log.ts";`,
    ),
    ["L3: core/storage/open_driver.ts:8 storage imports history: core/history/log.ts (value)"],
  ],
  [
    {
      ...grown("core/mod.ts", `import "./drawer/things.ts";`),
      "core/drawer/things.ts": DOC,
    },
    [`L3: core/drawer/things.ts is in no layer: "drawer" is not known`],
  ],
  [
    grown(
      "core/store/open.ts",
      `export const second = () => globalThis.Deno?.openKv;`,
    ),
    ["L4: core/store/open.ts:10 uses openKv outside core/storage/open_driver.ts"],
  ],
  [
    grown("core/store/open.ts", `const { openKv } = Deno;`),
    [
      "L4: core/store/open.ts:10 uses openKv outside core/storage/open_driver.ts",
    ],
  ],
  [
    grown("core/store/open.ts", `import { z } from "zod";`),
    ["L5: core/store/open.ts:10 imports npm zod"],
  ],
  [
    grown("mcp/mod.ts", `import _ from "npm:lodash@^4.0.0/fp";`),
    ["L5: mcp/mod.ts:9 imports npm lodash"],
  ],
  [
    grown("core/state/tree.ts", `import { join } from "node:path";`),
    ["L5: core/state/tree.ts:8 imports node:path in a pure layer"],
  ],
  [
    grown("core/history/log.ts", `export type Kv = Deno.Kv;`),
    ["L5: core/history/log.ts:8 uses Deno in a pure layer"],
  ],
  [
    grown(
      "core/store/open.ts",
      `export function a(b: Disposable) { using c = b; return c; }
export async function d() { for (await using e of []) await Array.fromAsync(e); }`,
    ),
    [
      "L5: core/store/open.ts:10 uses using, which Node 20 does not have",
      "L5: core/store/open.ts:11 uses using, which Node 20 does not have",
      "L5: core/store/open.ts:11 uses Array.fromAsync, which Node 20 does not have",
    ],
  ],
  [
    grown("scripts/build.ts", `import "jsr:@std/path";`),
    ["L5: scripts/build.ts:2 imports jsr:@std/path from a network"],
  ],
  [
    grown("core/storage/open_driver.ts", `import { Kv } from "@deno/kv";`),
    [
      "L5: core/storage/open_driver.ts:8 imports npm @deno/kv",
      "L5: core/storage/open_driver.ts:8 imports npm @deno/kv at once instead of lazily",
    ],
  ],
  ...([
    ["Date.now()", "Date.now"],
    ["Date()", "Date()"],
    ["new Date()", "new Date()"],
    ["performance.now()", "performance.now"],
    ["Math.random()", "Math.random"],
    ["[1].map(Math.random)", "Math.random"],
    ["crypto.getRandomValues(bytes)", "crypto.getRandomValues"],
    [`Deno["env"].get("A")`, "Deno.env"],
    ["globalThis.process.env.A", "process.env"],
    ["console.log(1)", "console"],
  ] as const).map(([code, effect]) =>
    [
      grown("agents/mod.ts", `void ${code};`),
      [`L6: agents/mod.ts:8 uses ${effect}`],
    ] as const
  ),
  [
    grown("agents/mod.ts", `import { env } from "node:process";`),
    ["L6: agents/mod.ts:8 uses process.env"],
  ],
  [
    grown("agents/mod.ts", `const { env } = globalThis.Deno;`),
    ["L6: agents/mod.ts:8 uses Deno.env"],
  ],
  [
    grown("agents/mod.ts", `import { randomBytes } from "node:crypto";`),
    ["L6: agents/mod.ts:8 imports node:crypto"],
  ],
  [
    { "agents/mod_test.ts": "const seed = Math.random();\n" },
    ["L6: agents/mod_test.ts:1 uses Math.random"],
  ],
  [
    { "agents/idle.ts": DOC, "agents/idle_test.ts": `import "./idle.ts";\n` },
    ["L7: agents/idle.ts is reached from no entry"],
  ],
  [
    { "tests/planted/idle.ts": DOC },
    ["L7: tests/planted/idle.ts is no test, bench, script or example, nor used by one"],
  ],
  [
    grown("agents/mod.ts", `import "./gone.ts";`),
    ["L7: agents/mod.ts:8 imports agents/gone.ts, which is not there"],
  ],
  [
    grown("agents/mod.ts", `export function forget() {}`),
    ["L8: agents/mod.ts exports forget, not in tests/arch/exports.json"],
  ],
  [
    { "agents/mod.ts": DOC },
    ["L8: agents/mod.ts does not export remember"],
  ],
  [
    {
      ...reset("tests/arch/exports.json", { "@small/all": ["open"] }),
      "mod.ts": `${DOC}export { open } from "@small/core";\n`,
    },
    ["L8: mod.ts leaves out list of core/mod.ts"],
  ],
  [
    reset("tests/arch/exports.json", { "@small/gone": [] }),
    ["L8: tests/arch/exports.json lists @small/gone, which is no entry"],
  ],
  [
    grown("core/errors.ts", "//\n".repeat(344) + "//"),
    ["L9: core/errors.ts has 351 lines"],
  ],
  [
    grown("core/errors.ts", `export class A { m() {${"\n".repeat(60)}} }`),
    ["L9: core/errors.ts:7 m has 61 lines"],
  ],
  [
    grown("core/errors.ts", `export function findRecord() {}`),
    [`glossary: core/errors.ts:7 exports findRecord: for "record" say node, or row`],
  ],
  [
    grown("core/errors.ts", `export const NODE_KEY = 1;`),
    [`glossary: core/errors.ts:7 exports NODE_KEY: for "key" say node id`],
  ],
  [
    {
      ...grown("core/store/open.ts", `import "./merge.ts";`),
      "core/store/merge.ts":
        `${DOC}import * as row from "../object/codec.ts";\nrow.encodeCommitRow();\n`,
    },
    [
      "commit: core/store/merge.ts encodes commits, and so do others",
      "commit: core/store/open.ts encodes commits, and so do others",
    ],
  ],
  [
    {
      "core/store/open.ts": `${DOC}import { log } from "../history/log.ts";
import { openDriver } from "../storage/open_driver.ts";
export const open = () => [log, openDriver];\n`,
    },
    [
      "commit: core/store has no file that encodes commits",
    ],
  ],
  [
    { "scripts/stringUtils.ts": "", "scripts/string_utils.ts": "" },
    [
      "names: scripts/stringUtils.ts is not named in snake case",
      "names: scripts/string_utils.ts is named after no noun of its own",
    ],
  ],
  [
    grown("core/history/log.ts", `export * from "../state/tree.ts";`),
    ["exports: core/history/log.ts:8 has an export *"],
  ],
  [
    grown("core/errors.ts", `export default 1;`),
    ["exports: core/errors.ts:7 has a default export"],
  ],
  [
    { "core/errors.ts": "/** No module tag. */\nexport class Broken {}\n" },
    ["docs: core/errors.ts does not begin with a @module doc"],
  ],
  [
    { "docs/a.md": "\nSee `core/mod.ts` and `core/gone.ts`.\n" },
    ["docs: docs/a.md:2 names core/gone.ts, which is not there"],
  ],
  [
    grown("scripts/build.ts", "// TO" + "DO: the rest"),
    ["unfinished: scripts/build.ts:2 has an open end: TO" + "DO"],
  ],
  [
    { "agents/mod_test.ts": "Deno.test.on" + "ly(() => {});\n" },
    ["unfinished: agents/mod_test.ts:1 runs one test alone: .on" + "ly("],
  ],
  [
    grown("scripts/build.ts", "// deno-lint-ig" + "nore no-explicit-any"),
    [
      "unfinished: scripts/build.ts:2 silences the linter without a reason: " +
      "deno-lint-ig" + "nore no-explicit-any",
    ],
  ],
  [
    grown("scripts/build.ts", "// @ts-ig" + "nore"),
    [
      "unfinished: scripts/build.ts:2 silences the types without a reason: @ts-ig" +
      "nore",
    ],
  ],
  [
    { "docs/a.md": "See `" + "/home" + "/ada/notes`.\n" },
    ["paths: docs/a.md:1 names a folder of one person: " + "/home" + "/a"],
  ],
  [
    grown("scripts/build.ts", "// " + "/work" + "/main"),
    [
      "paths: scripts/build.ts:2 names a folder of one machine: " +
      "/work" + "/m",
    ],
  ],
  [
    { "mcp/package.json": "{}" },
    ["workspace: mcp/package.json turns Deno to a node_modules folder"],
  ],
  [
    { "viewer/deno.json": "{}" },
    ["workspace: viewer/deno.json is of no member of the workspace"],
  ],
  [
    reset("agents/deno.json", { version: "1.0.1" }),
    ["workspace: agents/deno.json has another version than the root"],
  ],
  [
    reset("agents/deno.json", { publish: {} }),
    ["workspace: agents/deno.json publishes its tests"],
  ],
  [
    reset("deno.json", { imports: { "@std/path": "jsr:@std/path@1" } }),
    ["workspace: deno.json imports from jsr:"],
  ],
  [
    { "docs/a.md": "npx --yes deno@2.9.5 task test\n" },
    ["workspace: docs/a.md names deno@2.9.5, .ci/run 2.9.6"],
  ],
  [
    {
      "docs/a.md": "deno task test\ndeno task tests\n",
      ".github/workflows/a.yml": "run: npx --yes deno@2.9.6 task gone:x\n",
    },
    [
      "workspace: .github/workflows/a.yml:1 names the task gone:x, which is not there",
      "workspace: docs/a.md:2 names the task tests, which is not there",
    ],
  ],
];

Deno.test("checkProject() finds nothing in a sound workspace", async () => {
  const project = await plantedProject();
  assert.equal(project.packages.length, 5);
  assert.deepEqual(checkProject(project).map(formatFinding), []);
});

Deno.test("checkProject() finds each planted fault and nothing else", async (t) => {
  for (const [files, expected] of FAULTS) {
    await t.step(expected[0] ?? "", async () => {
      const project = await plantedProject(files);
      const found = checkProject(project).map(formatFinding);
      assert.deepEqual(found.sort(), [...expected].sort());
    });
  }
});

Deno.test("checkProject() reports a file that cannot be parsed", async () => {
  const project = await plantedProject({
    "scripts/cut.ts": "export function (",
  });
  const [finding, ...more] = checkProject(project);
  assert.match(finding?.what ?? "", /^cannot be read: SyntaxError/);
  assert.deepEqual(more, []);
});

Deno.test("every rule has a planted fault", () => {
  const planted = new Set(FAULTS.flatMap(([, lines]) => lines.map(ruleOf)));
  const rules = new Set([...RULES.keys()].map((name) => name.split(/:| /)[0]));
  assert.deepEqual([...planted].sort(), [...rules].sort());
});

Deno.test("withoutExempt() drops what is exempt and reports what no longer is", () => {
  const finding = {
    rule: "L6",
    path: "core/a.ts",
    line: 3,
    what: "uses Date.now",
  };
  const exempt = (fields: Partial<Exemption>): Exemption => ({
    ...finding,
    reason: "because",
    ...fields,
  });
  assert.deepEqual(withoutExempt([finding], [exempt({})]), []);
  assert.deepEqual(withoutExempt([finding], [exempt({ path: "core/" })]), []);
  assert.deepEqual(withoutExempt([finding], [exempt({ path: "" })]), []);
  for (
    const other of [{ rule: "L5" }, { path: "core/a" }, {
      what: "uses console",
    }]
  ) {
    const [left, idle] = withoutExempt([finding], [exempt(other)]);
    assert.deepEqual(left, finding);
    assert.match(
      idle?.what ?? "",
      /^is exempt for "uses .*", which it does not need$/,
    );
  }
});

function ruleOf(line: string): string {
  return line.split(":")[0] ?? "";
}
