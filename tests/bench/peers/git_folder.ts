/**
 * A git repository with a file for each node, in 256 directories.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { type Program, runProgram } from "../../support/program.ts";
import { firstValue } from "./peer.ts";

/** Every object and ref is synced before a commit counts as made. */
const GIT: Program = [
  "git",
  ...["core.fsync=committed", "user.name=bench", "user.email=b@example.com"]
    .flatMap((setting) => ["-c", setting]),
];

/** Runs git in a folder, which must end well, and returns what it printed. */
export async function git(
  folder: string,
  ...args: string[]
): Promise<string> {
  const { code, stdout, stderr } = await runProgram(GIT, args, { cwd: folder });
  if (code !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout.trimEnd();
}

/** Why there is no git; undefined if there is. */
export async function gitMissing(): Promise<string | undefined> {
  return await git(".", "--version").then(() => undefined, String);
}

/** The file of a node. */
export function pathOf(id: string): string {
  const hash = createHash("sha1").update(id).digest("hex");
  return `${hash.slice(0, 2)}/${id}.txt`;
}

/** Makes a repository with all nodes in one commit, and checks it out. */
export async function fillFolder(
  folder: string,
  ids: readonly string[],
): Promise<void> {
  await fillRepository(folder, ids);
  await git(folder, "reset", "--hard", "--quiet");
}

/** Makes a repository with all nodes in one commit, and no file of them. */
export async function fillRepository(
  folder: string,
  ids: readonly string[],
): Promise<void> {
  await git(folder, "init", "--quiet", "--initial-branch=main");
  const files = ids.map((id) =>
    `M 100644 inline ${pathOf(id)}\n${dataOf(firstValue(id))}`
  );
  const stream = commitOf("fill", files.join(""));
  const child = startFastImport(folder);
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(stream));
  await writer.close();
  const { code } = await child.status;
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`);
}

/** Starts git's bulk writer in a folder. */
export function startFastImport(
  folder: string,
): Deno.ChildProcess {
  const [command, ...args] = GIT;
  return new Deno.Command(command, {
    args: [...args, "fast-import", "--quiet", "--date-format=now"],
    cwd: folder,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
}

/** A commit in the bulk writer's words. */
export function commitOf(message: string, files: string): string {
  return "commit refs/heads/main\ncommitter bench <b@example.com> now\n" +
    `${dataOf(message)}${files}\n`;
}

/** Text in the bulk writer's words. */
export function dataOf(text: string): string {
  return `data ${new TextEncoder().encode(text).length}\n${text}\n`;
}
