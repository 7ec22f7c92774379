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
    `import a from"./a.js";
export const limit=1;
export class Box{get held(){return this.#held;}
#held=1;}
`,
  );
});

Deno.test("compactModules() leaves alone what only looks like a comment or a space", async () => {
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
  assert.equal(
    await compact(text),
    `#!/usr/bin/env node
const ü="// no",v='/* no */';
const r=/\\/\\*x*\\/ "[/*]/g;
const t=\`a /* no */ \${r.source} // no\`;
const n=6 / 2 / 3;
const lines=\`
  kept \${[1].map((x)=>\`
    kept too \${x}\`)}
  and this\`;
`,
  );
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

Deno.test("compactModules() joins no two tokens", async () => {
  const program = `
const a = 3, b = { in: [ 1, 2 ], "x y": / = [ ] \\d / };
const minus = a - -1, plus = a + +1, less = - -a;
let down = 4;
const half = a ? .5 : 1, not = a < !b, gone = down-- > 1;
const late = a ?? b, lines = \`\${ a } = \${ b . in [ 0 ] } , \`;
const kept = typeof ( a ), found = "in" in b, old = void 0 ?. x;
class C { static #x = 1; static { this.y = C.#x; } get [ "z" ]() { return 2; } async * w() { yield * [ 1 ] ; } }
const sum = (function () { if ( a ) return /* why */ b . in ; else return [ ] ; })();
const all = [ ...sum, ... [ 5 ] ] , big = 1 . toFixed ( 1 ) ;
for (const one of [ 9 ]) all.push ( one ) ;
`;
  const short = await compact(program);
  assert.ok(short.length < program.length - 60, short);
  // A statement still has a line of its own.
  assert.match(short, /^let down=4;$/m);
  const results = [program, short].map((text) =>
    new Function(
      `${text}; return [a, String(b["x y"]), minus, plus, less, half, not, gone, late, lines, kept, found, old, C.y, new C().z, all, big];`,
    )()
  );
  assert.deepEqual(results[1], results[0]);
  assert.deepEqual(results[0].slice(0, 6), [3, "/ = [ ] \\d /", 4, 4, 3, .5]);
});

Deno.test("compactModules() refuses what is no JavaScript", async () => {
  await assert.rejects(
    compact("const = 1;"),
    /Cannot make the modules compact/,
  );
});
