/**
 * Repositories of git that tests make of streams, and ask.
 *
 * @module
 */

import { type ProgramRun, runProgram } from "./program.ts";
import { tempFolder } from "./temp_folder.ts";

/** Nobody's configuration counts, and whoever commits has a name. */
const ENV = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Bo",
  GIT_AUTHOR_EMAIL: "bo@example.com",
  GIT_COMMITTER_NAME: "Bo",
  GIT_COMMITTER_EMAIL: "bo@example.com",
};

/** A repository in a temporary folder. */
export interface GitRepository extends AsyncDisposable {
  /** The folder. */
  readonly path: string;
  /** Runs `git` in it, and returns what it prints. Throws where it fails. */
  git(...args: string[]): Promise<string>;
  /** The same, whatever comes of it. */
  tryGit(...args: string[]): Promise<ProgramRun>;
  /** Feeds a stream to `git fast-import`; returns what it complains of. */
  feed(stream: string | ReadableStream<Uint8Array>): Promise<string>;
}

/** Makes an empty repository on the branch main. */
export async function gitRepository(): Promise<GitRepository> {
  const folder = await tempFolder();
  const tryGit = (...args: string[]) =>
    runProgram(["git"], args, { cwd: folder.path, env: ENV });
  const git = async (...args: string[]) => {
    const { code, stdout, stderr } = await tryGit(...args);
    if (code !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
    return stdout;
  };
  await git("init", "--quiet", "--initial-branch=main");
  const feed = async (stream: string | ReadableStream<Uint8Array>) => {
    const child = new Deno.Command("git", {
      args: ["fast-import", "--quiet"],
      cwd: folder.path,
      env: ENV,
      stdin: "piped",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    const said = new Response(child.stderr).text();
    const bytes = typeof stream === "string"
      ? new Blob([stream]).stream()
      : stream;
    await bytes.pipeTo(child.stdin).catch(() => {});
    await child.status;
    return await said;
  };
  return {
    path: folder.path,
    git,
    tryGit,
    feed,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
