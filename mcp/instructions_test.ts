import assert from "node:assert/strict";
import { instructionsFor } from "./instructions.ts";
import { coreTools } from "./tools.ts";

Deno.test("instructionsFor() names only tools that the server lists", () => {
  const all = coreTools().map(({ name }) => name);
  for (const readOnly of [false, true]) {
    const listed = coreTools({ readOnly }).map(({ name }) => name);
    const words = new Set(instructionsFor({ readOnly }).match(/[a-z_]+/g));
    const named = all.filter((name) => words.has(name));
    assert.ok(named.length >= 4, `${named}`);
    assert.deepEqual(named.filter((name) => !listed.includes(name)), []);
    assert.equal(words.has("remember"), !readOnly);
  }
});
