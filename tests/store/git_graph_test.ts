/**
 * Ancestors and merge bases beside git's, on the same graphs.
 *
 * @module
 */

import assert from "node:assert/strict";
import { isAncestor } from "../../core/history/ancestry.ts";
import { mergeBases } from "../../core/history/merge_base.ts";
import {
  randomGraph,
  type SyntheticCommit,
} from "../support/synthetic_graph.ts";
import { tempFolder } from "../support/temp_folder.ts";
import { Chance } from "../support/tree_cases.ts";

const SEED = 113;
const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

async function git(folder: string, ...args: string[]): Promise<string> {
  const { stdout, stderr, code } = await new Deno.Command("git", {
    args: ["-C", folder, ...args],
    env: {
      GIT_AUTHOR_NAME: "a",
      GIT_AUTHOR_EMAIL: "a@a",
      GIT_COMMITTER_NAME: "a",
      GIT_COMMITTER_EMAIL: "a@a",
      GIT_AUTHOR_DATE: "1700000000 +0000",
      GIT_COMMITTER_DATE: "1700000000 +0000",
    },
  }).output();
  // A merge base that does not exist is an answer, without a message.
  assert.ok(
    code === 0 || stderr.length === 0,
    new TextDecoder().decode(stderr),
  );
  return new TextDecoder().decode(stdout).trim();
}

async function hasGit(): Promise<boolean> {
  try {
    return (await new Deno.Command("git", { args: ["--version"] }).output())
      .success;
  } catch {
    return false;
  }
}

Deno.test({
  name: "isAncestor() and mergeBases() are git's (skipped where git is absent)",
  ignore: !await hasGit(),
  fn: async () => {
    await using folder = await tempFolder();
    await git(folder.path, "init", "-q", "--bare");
    await git(folder.path, "hash-object", "-w", "-t", "tree", "/dev/null");
    const chance = new Chance(SEED);
    const graph = randomGraph(chance, {
      size: 40,
      times: "skewed",
      mergeOneIn: 2,
      reach: 5,
    });
    const names = new Map<SyntheticCommit, string>();
    for (const commit of graph.all) {
      const parents = commit.parents.flatMap((one) => ["-p", names.get(one)!]);
      const args = [EMPTY_TREE, ...parents, "-m", commit.commit.id];
      names.set(commit, await git(folder.path, "commit-tree", ...args));
    }
    let several = 0;
    for (let i = 0; i < 80; i++) {
      const [a, b] = [
        chance.pick(graph.all.slice(-12)),
        chance.pick(graph.all.slice(-12)),
      ];
      const [x, y] = [names.get(a)!, names.get(b)!];
      const said = await git(folder.path, "merge-base", "--all", x, y);
      const ours = (await mergeBases(graph, a, b)).map((one) =>
        names.get(one)!
      );
      const theirs = said === "" ? [] : said.split("\n");
      assert.deepEqual(ours.sort(), theirs.sort(), `seed ${SEED}, pair ${i}`);
      if (ours.length > 1) several++;
    }
    assert.ok(several > 5, `${several} with several bases`);
    const tip = graph.all.at(-1)!;
    const list = (await git(folder.path, "rev-list", names.get(tip)!))
      .split("\n");
    for (const commit of graph.all) {
      const expected = list.includes(names.get(commit)!);
      assert.equal(await isAncestor(graph, commit, tip), expected);
    }
  },
});
