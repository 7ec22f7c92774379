/**
 * git in JavaScript, in a program of its own.
 *
 * usage: isomorphic_git_program.ts SPECIFIER FOLDER
 *
 * @module
 */

import * as fs from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { answerCalls } from "./child_program.ts";
import { pathOf } from "./git_folder.ts";

/** What is used of it. */
interface IsomorphicGit {
  add(args: object): Promise<void>;
  commit(args: object): Promise<string>;
  resolveRef(args: object): Promise<string>;
  readBlob(args: object): Promise<{ readonly blob: Uint8Array }>;
  log(args: object): Promise<readonly { readonly oid: string }[]>;
}

const [specifier = "", dir = ""] = Deno.args;
// Named by the caller, so that it is no dependency of this project.
const { default: git }: { default: IsomorphicGit } = await import(specifier);
const author = { name: "bench", email: "b@example.com" };
// It keeps here what it parsed, as its documentation advises.
const cache = {};

await answerCalls({
  async change(id, value) {
    const filepath = pathOf(id);
    await writeFile(join(dir, filepath), value);
    await git.add({ fs, dir, filepath, cache });
    return await git.commit({ fs, dir, message: id, author, cache });
  },
  async read(id) {
    const oid = await git.resolveRef({ fs, dir, ref: "HEAD" });
    const filepath = pathOf(id);
    const { blob } = await git.readBlob({ fs, dir, oid, filepath, cache });
    return new TextDecoder().decode(blob);
  },
  async blame(id) {
    const filepath = pathOf(id);
    const found = await git.log({ fs, dir, filepath, depth: 1, cache });
    return found[0]?.oid ?? "";
  },
});
