import assert from "node:assert/strict";
import type { Commit } from "@mnem/core";
import { commitLines, madeLine, onelineCommit, refNames } from "./commit.ts";
import { makeStyle } from "./style.ts";

const PLAIN = makeStyle(false);
const [OURS, THEIRS, ID] = ["a", "b", "c"].map((digit) => digit.repeat(64));

const MERGE: Commit = {
  id: ID!,
  parents: [OURS!, THEIRS!],
  state: "d".repeat(64),
  message: "first line\r\n\nthird",
  author: "ada",
  timeMs: 1_757_170_500_000,
};

Deno.test("commitLines() tells a merge by its parents, ours first", () => {
  assert.deepEqual(commitLines(MERGE, PLAIN), [
    `commit ${ID}`,
    "Merge:  aaaaaaaaaaaa bbbbbbbbbbbb",
    "Author: ada",
    "Date:   2025-09-06 14:55:00Z",
    "",
    "    first line",
    "",
    "    third",
  ]);
});

Deno.test("a commit in one line names the branches at it, the current one first", () => {
  const branches = new Map([["a", ID!], ["main", ID!], ["z", OURS!]]);
  const on = refNames(branches, { branch: "main", commit: ID! });
  assert.equal(
    onelineCommit(MERGE, PLAIN, on),
    "cccccccccccc (HEAD -> main, a) first line",
  );
  const detached = refNames(branches, { branch: null, commit: OURS! });
  assert.equal(
    onelineCommit({ ...MERGE, id: OURS! }, PLAIN, detached),
    "aaaaaaaaaaaa (HEAD, z) first line",
  );
  assert.equal(
    madeLine(MERGE, null, PLAIN),
    "[detached cccccccccccc] first line",
  );
});
