/**
 * Tries to publish each package without doing it: types, slow types, license, files.
 *
 * @module
 */

import { readPackages } from "./packages.ts";

const failed: string[] = [];
for (const { name, folder } of await readPackages()) {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["publish", "--dry-run", "--allow-dirty"],
    cwd: folder,
  }).output();
  if (code === 0) continue;
  failed.push(name);
  await Deno.stderr.write(stdout);
  await Deno.stderr.write(stderr);
}
if (failed.length > 0) {
  console.error(`Cannot be published: ${failed.join(" ")}`);
  Deno.exit(1);
}
console.log("Every package can be published");
