/**
 * isomorphic-git: git in JavaScript. It syncs nothing.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { startChild } from "./child_program.ts";
import { fillFolder, gitMissing } from "./git_folder.ts";
import { cacheFailure } from "./npm_cache.ts";
import type { Peer } from "./peer.ts";

/** The version that was looked at. */
const SPECIFIER = "npm:isomorphic-git@1.44.19";
const PROGRAM = fileURLToPath(
  new URL("./isomorphic_git_program.ts", import.meta.url),
);
// Without the project's configuration its lock file does not know the package.
const FLAGS = ["run", "-A", "--no-config", "--no-lock"];

/** Git fills its repository; it takes its own times. */
export const ISOMORPHIC_GIT: Peer = {
  name: "isomorphic-git",
  nodesMax: 10_000,
  missing: async () => await gitMissing() ?? await cacheFailure(SPECIFIER),
  fill: fillFolder,
  open: (folder) =>
    Promise.resolve(
      startChild([Deno.execPath(), ...FLAGS, PROGRAM, SPECIFIER, folder]),
    ),
};
