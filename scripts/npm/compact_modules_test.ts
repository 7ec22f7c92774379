/**
 * What is left is the same program.
 *
 * @module
 */

import assert from "node:assert/strict";
import { compactModules } from "./compact_modules.ts";

async function compact(text: string): Promise<string> {
  const short = await compactModules(new Map([["deep/in/mod.js", text]]));
  assert.deepEqual([...short.keys()], ["deep/in/mod.js"]);
  return short.get("deep/in/mod.js") ?? "";
}

Deno.test("compactModules() takes out comments wherever they stand", async () => {
  const text = `/**
 * What it is.
 */ import a from "./a.js";
/** A limit. */ export const limit = 1;
export class Box {
  /** What is in it. */ get held() {
    // why
    return this.#held; // really
  }
  #held = /* é 🎉 */ 1;
}
/* the end */
`;
  assert.equal(
    await compact(text),
    `import a from "./a.js";
export const limit = 1;
export class Box {
get held() {
return this.#held;${"  "}
}
#held =   1;
}
`,
  );
});

Deno.test("compactModules() leaves alone what only looks like a comment", async () => {
  const text = `#!/usr/bin/env node
const ü = "// no", v = '/* no */';
const r = /\\/\\*x*\\/ "[/*]/g;
const t = \`a /* no */ \${r.source} // no\`;
const n = 6 / 2 / 3;
const lines = \`
  kept \${[
1].map((x) => \`
    kept too \${x}\`)}
  and this\`;
`;
  assert.equal(await compact(text), text);
});

Deno.test("compactModules() keeps every line break that ends a statement", async () => {
  const program = `
let x = 1
let y = 5
const f = () => { return /* one
two */ 7 }
y /* one
two */ ++x
/* before */ y /* after
*/
;[y] = [x]/**/
`;
  const short = await compact(program);
  assert.doesNotMatch(short, /one|two|before|after/);
  const results = [program, short].map((text) =>
    new Function(`${text}; return [x, y, f()];`)()
  );
  assert.deepEqual(results, [[2, 2, undefined], [2, 2, undefined]]);
});

Deno.test("compactModules() refuses what is no JavaScript", async () => {
  await assert.rejects(
    compact("const = 1;"),
    /Cannot make the modules compact/,
  );
});
