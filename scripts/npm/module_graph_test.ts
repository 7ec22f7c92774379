/**
 * What a package needs is found, and nothing that is only spoken of.
 *
 * @module
 */

import assert from "node:assert/strict";
import { followImports, type Reached } from "./module_graph.ts";

function follow(
  modules: { readonly [path: string]: string },
  ...entries: string[]
): Reached {
  return followImports(entries, new Map(Object.entries(modules)));
}

Deno.test("followImports() follows every form of import from the entries", () => {
  const { modules, packages } = follow({
    "mod.js": `import { a } from "./deep/a.js";
export { b, c } from "./b.js";
import "./effect.js";
const late = await import("./late.js");
`,
    "deep/a.js": `import {
  x,
  y
} from "../x.js";
import z from "@scope/z/sub/path.js";`,
    "b.js": `import { stat } from "node:fs/promises";\nimport k from "kv.js";`,
    "effect.js": "",
    "late.js": `import "@scope/late";\nimport a from "./deep/a.js";`,
    "x.js": `export const text = "import it from './elsewhere.js'";`,
    "nobody.js": `import "unused";`,
  }, "mod.js");
  assert.deepEqual(
    [...modules].sort(),
    ["b.js", "deep/a.js", "effect.js", "late.js", "mod.js", "x.js"],
  );
  assert.deepEqual([...packages].sort(), ["@scope/late", "@scope/z", "kv.js"]);
});

Deno.test("followImports() follows imports without space too, as they are packed", () => {
  const { modules, packages } = follow({
    "mod.js": `import{a}from"./a.js";
import"./effect.js";
import*as k from"@scope/k";
import z from"z";
export{b,c}from"./b.js";
export*from"./c.js";
export{a};
var text="import it from './elsewhere.js'",later=()=>import("./late.js");
`,
    "a.js": "",
    "b.js": "",
    "c.js": "",
    "effect.js": "",
    "late.js": "",
  }, "mod.js");
  assert.deepEqual(
    [...modules].sort(),
    ["a.js", "b.js", "c.js", "effect.js", "late.js", "mod.js"],
  );
  assert.deepEqual([...packages].sort(), ["@scope/k", "z"]);
});

Deno.test("followImports() follows types beside their comments, and no example in them", () => {
  const { modules, packages } = follow({
    "mod.d.ts": `/**
 * import { a } from "./example.js";
 * import { a } from "example";
 */ export { type A } from "./a.js";
/** The same. */ export type { B } from "./b.js";
export declare function f(): import("@scope/c").C;
`,
    "a.d.ts": "",
    "b.d.ts": "",
  }, "mod.d.ts");
  assert.deepEqual([...modules].sort(), ["a.d.ts", "b.d.ts", "mod.d.ts"]);
  assert.deepEqual([...packages], ["@scope/c"]);
});

Deno.test("followImports() refuses a module that is not there, and a specifier of no package", () => {
  const lost = { "mod.d.ts": `export { a } from "./a.js";`, "a.js": "" };
  assert.throws(() => follow(lost, "mod.d.ts"), /has no a\.d\.ts$/);
  for (const specifier of ["jsr:@std/path", "https://x.example/a.js", "/a"]) {
    const text = `import "${specifier}";`;
    assert.throws(() => follow({ "mod.js": text }, "mod.js"), /cannot resolve/);
  }
});
