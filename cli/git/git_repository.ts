/**
 * A git repository that memory is read from: one that is there, or one made of a stream.
 *
 * @module
 */

import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { History } from "@mnem/core";
import { UsageError } from "../given.ts";
import { branchOfRef, nearestBranch } from "./branch_ref.ts";
import { gitCommits } from "./git_history.ts";
import { GitProcess, runGit } from "./git_process.ts";
import type { PassedOverList } from "./passed_over.ts";

/** A branch that is never there: what git takes for its own when it makes a repository. */
const NO_BRANCH = "mnem/none";
const HEADS = "refs/heads/";
const HEAD_REF = "refs/mnem/head/";
const DETACHED_REF = "refs/mnem/detached";

/** The refs of a repository. */
interface GitRefs {
  readonly heads: ReadonlyMap<string, string>;
  readonly own: ReadonlyMap<string, string>;
}

/** Returns the folder that git keeps its objects in, of a repository with or without a work tree. */
export async function gitDirOf(path: string): Promise<string> {
  const inside = join(path, ".git");
  const isThere = await stat(inside).then(() => true, () => false);
  return isThere ? inside : path;
}

/**
 * Makes a repository of a stream of `git fast-export`, in a temporary folder, and passes it on; it is
 * removed afterwards.
 */
export async function withStream<T>(
  stream: AsyncIterable<Uint8Array>,
  use: (gitDir: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "mnem-git-"));
  try {
    await runGit([
      "init",
      "--bare",
      "--quiet",
      "--template=",
      `--initial-branch=${NO_BRANCH}`,
      folder,
    ]);
    const git = new GitProcess([
      `--git-dir=${folder}`,
      "-c",
      "fastimport.unpackLimit=0",
      "fast-import",
      "--quiet",
    ]);
    try {
      for await (const piece of stream) await git.write(piece);
      await git.end();
    } finally {
      await git.stop();
    }
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Returns the history in a repository.
 *
 * @throws {UsageError} If it is none, or has no branch.
 */
export async function gitHistory(
  gitDir: string,
  passedOver: PassedOverList,
): Promise<History> {
  const { heads, own } = await readRefs(gitDir);
  if (heads.size + own.size === 0) {
    throw new UsageError("there is no commit on any branch of the repository");
  }
  const branches = branchesOf(heads, passedOver);
  const refs = new Map(
    [...branches].map(([ref, branch]) => [branch, heads.get(ref) ?? ""]),
  );
  const head = await headOf(gitDir, branches, { heads, own });
  const tips = [...new Set([...heads.values(), ...own.values()])];
  if ("commit" in head) tips.push(head.commit);
  return {
    defaultBranch: "branch" in head ? head.branch : "main",
    head,
    refs,
    commits: gitCommits(gitDir, tips, passedOver),
  };
}

async function readRefs(gitDir: string): Promise<GitRefs> {
  const text = await runGit([
    `--git-dir=${gitDir}`,
    "for-each-ref",
    "--format=%(objecttype) %(objectname) %(refname)",
    HEADS,
    "refs/mnem/",
  ]);
  const refs = text.split("\n").flatMap((line): [string, string][] => {
    const [type, id = "", ...ref] = line.split(" ");
    return type === "commit" ? [[ref.join(" "), id]] : [];
  });
  const isHead = ([ref]: readonly [string, string]) => ref.startsWith(HEADS);
  return {
    heads: new Map(refs.filter(isHead)),
    own: new Map(refs.filter((one) => !isHead(one))),
  };
}

/** The branch for each ref; one that is there already is left to whoever has it. */
function branchesOf(
  heads: ReadonlyMap<string, string>,
  passedOver: PassedOverList,
): ReadonlyMap<string, string> {
  const branches = new Map<string, string>();
  const taken = new Set<string>();
  const exact = [...heads.keys()].filter((ref) =>
    branchOfRef(ref) === nearestBranch(ref)
  );
  const others = [...heads.keys()].filter((ref) => !exact.includes(ref));
  for (const ref of [...exact, ...others]) {
    const branch = nearestBranch(ref);
    const name = ref.slice(HEADS.length);
    if (taken.has(branch)) {
      const what = `there is a branch ${JSON.stringify(branch)} already`;
      passedOver.add({ name, what });
      continue;
    }
    if (!exact.includes(ref)) {
      const what = `as a branch its name is ${JSON.stringify(branch)}`;
      passedOver.add({ name, what });
    }
    taken.add(branch);
    branches.set(ref, branch);
  }
  return branches;
}

/** Where HEAD is: as git has it, else as we exported it, else on the branch that is likely meant. */
async function headOf(
  gitDir: string,
  branches: ReadonlyMap<string, string>,
  { own }: GitRefs,
): Promise<History["head"]> {
  const symbolic = await answerOf(gitDir, ["symbolic-ref", "-q", "HEAD"]);
  if (symbolic === undefined) {
    const commit = await answerOf(gitDir, [
      "rev-parse",
      "--verify",
      "-q",
      "HEAD^{commit}",
    ]);
    if (commit !== undefined) return { commit };
  }
  const current = branches.get(symbolic ?? "");
  if (current !== undefined) return { branch: current };
  const detached = own.get(DETACHED_REF);
  if (detached !== undefined) return { commit: detached };
  const named = [...own.keys()].find((ref) => ref.startsWith(HEAD_REF));
  const exported = named === undefined
    ? undefined
    : branches.get(HEADS + named.slice(HEAD_REF.length));
  const names = [...branches.values()];
  const usual = ["main", "master"].find((name) => names.includes(name));
  return { branch: exported ?? usual ?? names[0] ?? "main" };
}

/** One line that git answers; undefined if it has none. */
async function answerOf(
  gitDir: string,
  args: readonly string[],
): Promise<string | undefined> {
  try {
    const text = await runGit([`--git-dir=${gitDir}`, ...args]);
    return text.trim();
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}
