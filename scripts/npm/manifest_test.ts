/**
 * A package.json says all that npm and its users need to know.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  binText,
  finishManifest,
  firstSentence,
  type PackageFacts,
  type PackedManifest,
} from "./manifest.ts";

const FACTS: PackageFacts = {
  imports: new Set(["zod", "@mnem/core"]),
  siblings: new Map([["@mnem/core", "1.2.3"], ["@mnem/mcp", "1.2.3"]]),
  folder: "mcp",
};
const PACKED: PackedManifest = {
  name: "@mnem/mcp",
  version: "1.2.3",
  exports: { ".": { types: "./mod.d.ts", import: "./mod.js" } },
  dependencies: { zod: "^4.0.0", unused: "^1.0.0" },
};

Deno.test("finishManifest() asks for what is imported, and nothing else", () => {
  const { dependencies, peerDependencies } = finishManifest(PACKED, FACTS);
  assert.deepEqual(dependencies, { "@mnem/core": "^1.2.3", zod: "^4.0.0" });
  assert.equal(peerDependencies, undefined);

  const none = finishManifest(PACKED, { ...FACTS, imports: new Set() });
  assert.equal("dependencies" in none, false);
  assert.equal(none["version"], "1.2.3");
});

Deno.test("finishManifest() leaves to the host what it must not have twice", () => {
  const checkpoint = "@langchain/langgraph-checkpoint";
  const manifest = finishManifest({
    ...PACKED,
    dependencies: { [checkpoint]: "^1.2.1" },
  }, { ...FACTS, imports: new Set([checkpoint, "@mnem/core"]) });
  assert.deepEqual(manifest["peerDependencies"], { [checkpoint]: "^1.2.1" });
  assert.deepEqual(manifest["dependencies"], { "@mnem/core": "^1.2.3" });
});

Deno.test("finishManifest() refuses an import that nothing asks for", () => {
  assert.throws(
    () => finishManifest(PACKED, { ...FACTS, imports: new Set(["left-pad"]) }),
    /@mnem\/mcp imports left-pad, which it does not ask for/,
  );
});

Deno.test("finishManifest() names a command for programs, runtimes and entries for all", () => {
  const program = finishManifest(PACKED, FACTS);
  assert.deepEqual(program["bin"], { "mnem-mcp": "./bin.js" });
  assert.match(binText("@mnem/mcp") ?? "", /^#!\/usr\/bin\/env node\n/);
  assert.deepEqual(program["engines"], { node: ">=20" });
  assert.equal(program["sideEffects"], false);
  assert.deepEqual(program["exports"], {
    ...PACKED.exports,
    "./package.json": "./package.json",
  });

  const library = finishManifest({ ...PACKED, name: "@mnem/core" }, FACTS);
  assert.equal("bin" in library, false);
  assert.equal(binText("@mnem/core"), undefined);
  assert.deepEqual(library["engines"], { node: ">=20" });
});

Deno.test("finishManifest() says where the source is, if that is known", () => {
  assert.equal("repository" in finishManifest(PACKED, FACTS), false);
  const repository = "owner/name";
  const member = finishManifest(PACKED, { ...FACTS, repository });
  assert.deepEqual(member["repository"], {
    type: "git",
    url: "git+https://github.com/owner/name.git",
    directory: "mcp",
  });
  const root = finishManifest(PACKED, { ...FACTS, repository, folder: "." });
  assert.equal("directory" in Object(root["repository"]), false);
});

Deno.test("firstSentence() reads the paragraph below the title", () => {
  const readme = `# @mnem/mcp

[Mnemosyne](../README.md) as an *MCP* server:
one \`memory\`.

More of it.
`;
  const sentence = "Mnemosyne as an MCP server: one memory.";
  assert.equal(firstSentence(readme), sentence);
  assert.equal(firstSentence("# a\n\n```ts\ncode\n```\n"), undefined);
  assert.equal(firstSentence(""), undefined);
});
