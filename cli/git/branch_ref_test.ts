import assert from "node:assert/strict";
import { branchOfRef, nearestBranch, refsOfBranches } from "./branch_ref.ts";

function refs(...branches: string[]): string[] {
  const found = refsOfBranches(branches);
  for (const branch of branches) {
    assert.equal(branchOfRef(found.get(branch) ?? ""), branch);
  }
  return branches.map((branch) =>
    (found.get(branch) ?? "").replace("refs/heads/", "")
  );
}

Deno.test("refsOfBranches() keeps a name that git takes, and escapes what it refuses", () => {
  assert.deepEqual(refs("main", "feature/x", "é", "v1.0"), [
    "main",
    "feature/x",
    "é",
    "v1.0",
  ]);
  assert.deepEqual(
    refs("a/.b", "x.lock", "x.lock/y", "-m", "a//b", "a./b", "9"),
    ["a/%2eb", "x%2elock", "x.lock%2fy", "%2dm", "a/%/b", "a%2e/b", "9"],
  );
  const long = refs(`${"a".repeat(300)}`)[0] ?? "";
  assert.equal(long, `${"a".repeat(200)}%/${"a".repeat(100)}`);
});

Deno.test("refsOfBranches() keeps branches apart that git or a file system cannot", () => {
  assert.deepEqual(refs("a", "a/b", "a/b/c"), ["a", "a%2fb", "a%2fb%2fc"]);
  assert.deepEqual(refs("a/b/c", "a/b"), ["a%2fb%2fc", "a/b"]);
  assert.deepEqual(refs("MAIN", "Main", "main"), [
    "MAIN".replace(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    "%4dain",
    "main",
  ]);
});

Deno.test("nearestBranch() makes a name that a branch can have", () => {
  const rows = [
    ["fix#12", "fix-12"],
    ["a@b", "a-b"],
    ["100%", "100-"],
    ["feature/x", "feature/x"],
    ["a%2fb", "a/b"],
  ] as const;
  for (const [ref, branch] of rows) {
    assert.equal(nearestBranch(`refs/heads/${ref}`), branch);
  }
});
