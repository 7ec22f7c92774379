/**
 * The npm packages as their users and npm's own judges see them.
 *
 * @module
 */

export const SECONDS = 110;

import assert from "node:assert/strict";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { compactModules } from "../../scripts/npm/compact_modules.ts";
import { bundlePacked } from "../../scripts/npm/finish_package.ts";
import { packPackage } from "../../scripts/npm/pack_package.ts";
import { readTarball } from "../../scripts/npm/tar.ts";
import { readPackages } from "../../scripts/packages.ts";
import { isThere } from "../support/program.ts";
import {
  compilerOptions,
  type NpmProject,
  npmProject,
  writeJson,
} from "./project.ts";
import { syntaxOf } from "./syntax.ts";

const CORE_BYTES_MAX = 120_000;
const TOOLS = ["publint@0.3.25", "@arethetypeswrong/cli@0.18.5"];

const packages = await readPackages();
const ignore = !(await isThere(["npm"]));
let made: Promise<NpmProject> | undefined;
const project = () => made ??= npmProject(TOOLS);
Deno.test.afterAll(async () => await (await made)?.[Symbol.asyncDispose]());

Deno.test({
  name: "npm: the tarball of core keeps its bound",
  ignore,
}, async () => {
  const { tarballs } = await project();
  const path = tarballs.get("@mnem/core") ?? "";
  const { size } = await stat(path);
  console.log(`@mnem/core: ${size} of ${CORE_BYTES_MAX} bytes`);
  assert.ok(size <= CORE_BYTES_MAX, `${size} bytes`);
  const names = readTarball(await readFile(path)).map((file) => file.path);
  assert.ok(names.includes("package/LICENSE"));
  assert.deepEqual(
    names.filter((name) => /_test|\.map$|\.ts$/.test(name))
      .filter((name) => !name.endsWith(".d.ts")),
    [],
  );
});

Deno.test({ name: "npm: publint has nothing to say", ignore }, async () => {
  const { run } = await project();
  for (const { name } of packages) {
    const said = await run(
      ["npx", "publint"],
      "--strict",
      `node_modules/${name}`,
    );
    assert.match(said, /All good!/, said);
  }
});

Deno.test(
  { name: "npm: attw finds the types of every entry", ignore },
  async () => {
    const { run, tarballs } = await project();
    for (const { name, entries } of packages) {
      const args = ["--profile", "esm-only", "--format", "json"];
      const said = JSON.parse(
        await run(["npx", "attw"], tarballs.get(name) ?? "", ...args),
      );
      const found = Object.keys(said.analysis.entrypoints);
      for (const specifier of entries.keys()) {
        assert.ok(found.includes(specifier.replace(name, ".")), `${found}`);
      }
      const problems = said.analysis.problems.filter((one: { kind: string }) =>
        one.kind !== "CJSResolvesToESM"
      );
      assert.deepEqual(problems, []);
    }
  },
);

for (
  const [resolution, include] of [
    ["nodenext", "src"],
    // The same types again: without the examples, whose libraries take long to check.
    ["bundler", "src/user_program.ts"],
  ] as const
) {
  Deno.test({
    name: `npm: programs of users compile under ${resolution}`,
    ignore,
  }, async () => {
    const one = await project();
    await compile(one, { resolution, include });
    const planted = join(one.folder, "planted.ts");
    const text = `import { openStore } from "@mnem/core";
export const n: number = openStore;
`;
    await writeFile(planted, text);
    await assert.rejects(
      compile(one, { resolution, include: "planted.ts" }),
      /planted\.ts\(2,14\): error TS2322/,
    );
  });
}

async function compile(
  { folder, run }: NpmProject,
  { resolution, include }: {
    readonly resolution: "nodenext" | "bundler";
    readonly include: string;
  },
): Promise<void> {
  await writeJson(join(folder, "tsconfig.json"), {
    compilerOptions: compilerOptions(resolution),
    include: [include],
  });
  await run(["npx", "tsc"]);
}

Deno.test("npm: compact modules are the same programs", async () => {
  for (const one of packages) {
    const packed = await packPackage(one);
    const bundled = await bundlePacked(
      packed,
      packages.map((each) => each.name),
    );
    for (const [path, text] of await compactModules(bundled)) {
      const before = bundled.get(path) ?? "";
      assert.ok(text.length < before.length, `${one.name}: ${path}`);
      assert.doesNotMatch(text, /^\s*\/[*/]/m);
      const syntax = syntaxOf(before);
      assert.ok(syntax.length > 3, path);
      assert.deepEqual(syntaxOf(text), syntax, path);
    }
  }
});
