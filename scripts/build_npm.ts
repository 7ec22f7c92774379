/**
 * Builds what is published on npm: a tarball for each package of the workspace, in the folder `npm` or
 * the one that is given. `deno pack` compiles, `npm/finish_package.ts` does the rest.
 *
 * @module
 */

import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { finishPackage } from "./npm/finish_package.ts";
import { packPackage } from "./npm/pack_package.ts";
import { writeTarball } from "./npm/tar.ts";
import { type PublishedPackage, readPackages } from "./packages.ts";

const [out = "npm"] = Deno.args;
const packages = await readPackages();
const siblings = new Map(packages.map(({ name, version }) => [name, version]));
const license = await readFile("LICENSE", "utf8");
// GitHub says it to its own runners; npm compares it with where a build says it comes from.
const repository = process.env["GITHUB_REPOSITORY"];

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
for (const one of packages) {
  const { folder } = one;
  const options = { folder, siblings, license, repository };
  const files = await finishPackage(await packPackage(one), options);
  const tarball = await writeTarball(files);
  const path = join(out, tarballName(one));
  await writeFile(path, tarball);
  const size = (tarball.length / 1000).toFixed(1);
  console.log(`${path}: ${size} kB, ${files.length} files`);
}

/** As npm itself names it: `mnem-core-0.1.0.tgz`. */
function tarballName({ name, version }: PublishedPackage): string {
  return `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
}
