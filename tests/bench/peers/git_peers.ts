/**
 * git by its command line, and by its bulk writer, which syncs nothing before its end.
 *
 * @module
 */

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { linesOf } from "../text_lines.ts";
import {
  commitOf,
  dataOf,
  fillFolder,
  fillRepository,
  git,
  gitMissing,
  pathOf,
  startFastImport,
} from "./git_folder.ts";
import { answered, type Peer } from "./peer.ts";

/** Two processes a change: `git add` and `git commit`. */
export const GIT_CLI: Peer = {
  name: "git",
  nodesMax: 10_000,
  missing: gitMissing,
  fill: fillFolder,
  open: (folder) =>
    Promise.resolve({
      change: (id, value) =>
        answered(async () => {
          await writeFile(join(folder, pathOf(id)), value);
          await git(folder, "add", pathOf(id));
          await git(folder, "commit", "--quiet", "--message", id);
          return "";
        }),
      read: (id) => answered(() => git(folder, "show", `HEAD:${pathOf(id)}`)),
      blame: (id) =>
        answered(() => git(folder, "log", "-1", "--format=%H", pathOf(id))),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }),
};

/** One process for all changes. */
export const GIT_FAST_IMPORT: Peer = {
  name: "git fast-import",
  nodesMax: 100_000,
  missing: gitMissing,
  fill: fillRepository,
  async open(folder) {
    const head = await git(folder, "rev-parse", "HEAD");
    const child = startFastImport(folder);
    const writer = child.stdin.getWriter();
    const lines = linesOf(child.stdout);
    const say = (text: string) => writer.write(new TextEncoder().encode(text));
    let isFirst = true;
    return {
      change: (id, value) =>
        answered(async () => {
          const file = `M 100644 inline ${pathOf(id)}\n${dataOf(value)}`;
          const from = isFirst ? `from ${head}\n` : "";
          isFirst = false;
          await say(`${commitOf(id, from + file)}progress done\n`);
          const { value: line = "" } = await lines.next();
          return line;
        }),
      async [Symbol.asyncDispose]() {
        await writer.close();
        await lines.return(undefined);
        await child.status;
      },
    };
  },
};
