/**
 * Publishes every package of the workspace to JSR, each after those it imports; what is there already
 * is passed over. Arguments are handed on to `deno publish`.
 *
 * @module
 */

import { readPackages } from "./packages.ts";
import { runLogged } from "./run_logged.ts";

// The members stand in `workspace` in the order in which they build on each other, the root last.
for (const { name, folder } of await readPackages()) {
  console.log(`== deno publish ${name}`);
  const args = ["publish", ...Deno.args];
  const { code } = await runLogged(args, { cwd: folder });
  if (code !== 0) {
    console.error(`Cannot publish ${name}`);
    Deno.exit(1);
  }
}
