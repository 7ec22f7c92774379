/**
 * What was packed becomes what is published. The bundler comes from npm at its first use.
 *
 * @module
 */

export const SECONDS = 5;

import assert from "node:assert/strict";
import { finishPackage } from "../../scripts/npm/finish_package.ts";

const MANIFEST = {
  name: "@mnem/mcp",
  version: "1.2.3",
  type: "module",
  license: "Apache-2.0",
  exports: { ".": { types: "./mod.d.ts", import: "./mod.js" } },
};
const PACKED: { readonly [path: string]: string } = {
  "package.json": JSON.stringify(MANIFEST),
  "README.md": "# @mnem/mcp\n\nA server.\n",
  "mod.js": `/** Said. */ import { a } from "./a.js";\nexport { a };\n`,
  "mod.d.ts": `/** Said. */ export { a } from "./a.js";\n`,
  "a.js": `import "@mnem/core";\nexport const a = 1; // why\n`,
  "a.d.ts": `/** One. */ export declare const a = 1;\n`,
  "core/mod.js": `import "blake3-jit";\n`,
  "notes.txt": "of nobody's concern",
};

async function finish(
  texts: { readonly [path: string]: string },
): Promise<{ readonly [path: string]: string }> {
  const packed = Object.entries(texts).map(([path, text]) => ({
    path: `package/${path}`,
    bytes: new TextEncoder().encode(text),
  }));
  const files = await finishPackage(packed, {
    folder: "mcp",
    siblings: new Map([["@mnem/core", "1.2.3"]]),
    license: "All of it.",
  });
  const runnable = files.filter((one) => one.executable);
  assert.deepEqual(runnable.map((one) => one.path), ["package/bin.js"]);
  return Object.fromEntries(files.map(({ path, bytes }) => [
    path.replace(/^package\//, ""),
    new TextDecoder().decode(bytes),
  ]));
}

Deno.test("finishPackage() keeps what the entries reach, and comments where they are read", async () => {
  const files = await finish(PACKED);
  assert.deepEqual(Object.keys(files).sort(), [
    "LICENSE",
    "README.md",
    "a.d.ts",
    "bin.js",
    "mod.d.ts",
    "mod.js",
    "package.json",
  ]);
  const module = files["mod.js"] ?? "";
  assert.match(module, /^import"@mnem\/core";$/m);
  assert.match(module, /^(?:const|var) a=1;/m);
  assert.doesNotMatch(module, /why|Said|blake3/);
  assert.equal(files["mod.d.ts"], PACKED["mod.d.ts"]);
  assert.equal(files["LICENSE"], "All of it.");
});

Deno.test("finishPackage() completes the manifest", async () => {
  const { "package.json": text = "" } = await finish(PACKED);
  const manifest = JSON.parse(text);
  assert.equal(manifest.description, "A server.");
  assert.deepEqual(manifest.dependencies, { "@mnem/core": "^1.2.3" });
  assert.equal(manifest.license, "Apache-2.0");
});

Deno.test("finishPackage() keeps apart what is loaded lazily", async () => {
  const files = await finish({
    ...PACKED,
    "mod.js": `export const later = () => import("./a.js");\n`,
  });
  const [chunk = "", ...others] = Object.keys(files).filter((path) =>
    /\.js$/.test(path) && !/^(bin|mod)\.js$/.test(path)
  );
  assert.deepEqual(others, []);
  assert.match(files[chunk] ?? "", /a=1/);
  assert.ok(files["mod.js"]?.includes(`import("./${chunk}")`));
});

Deno.test("finishPackage() refuses types that are not there", async () => {
  const { "a.d.ts": _, ...rest } = PACKED;
  await assert.rejects(finish(rest), /has no a\.d\.ts/);
});
