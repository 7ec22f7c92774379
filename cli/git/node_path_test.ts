import assert from "node:assert/strict";
import fc from "fast-check";
import { looseNodeOfPath, nodeOfPath, pathOfNode } from "./node_path.ts";

const SEED = 20_261_201;

Deno.test("pathOfNode() names a file that no system takes for another", () => {
  const rows = [
    ["plan", "nodes/plan.json"],
    ["a/b", "nodes/a/b.json"],
    ["", "nodes/%.json"],
    ["/", "nodes/%/%.json"],
    ["a//b", "nodes/a/%/b.json"],
    ["Plan", "nodes/%50lan.json"],
    ["é", "nodes/%c3%a9.json"],
    ["e\u0301", "nodes/e%cc%81.json"],
    ["😀", "nodes/%f0%9f%98%80.json"],
    ["a b:c\\d", "nodes/a%20b%3ac%5cd.json"],
    ["\u0000\n", "nodes/%00%0a.json"],
    ["100%", "nodes/100%25.json"],
    ["..", "nodes/%2e%2e.json"],
    ["../x", "nodes/%2e%2e/x.json"],
    [".git/config", "nodes/%2egit/config.json"],
    ["git~1/x", "nodes/git%7e1/x.json"],
    [".g\u200cit/x", "nodes/%2eg%e2%80%8cit/x.json"],
    ["a./b.", "nodes/a%2e/b%2e.json"],
    ["aux/con.txt", "nodes/%61ux/%63on.txt.json"],
    ["auxiliary", "nodes/auxiliary.json"],
    ["a.json", "nodes/a.json.json"],
    ["a.json/b", "nodes/a%2ejson/b.json"],
  ] as const;
  for (const [id, path] of rows) {
    assert.equal(pathOfNode(id), path, JSON.stringify(id));
    assert.equal(nodeOfPath(path), id);
  }
});

Deno.test("pathOfNode() cuts what is longer than a file's name, and never before a dot", () => {
  const long = pathOfNode("x".repeat(450));
  const [a, b, c] = [200, 200, 50].map((count) => "x".repeat(count));
  assert.equal(long, `nodes/${a}%/${b}%/${c}.json`);
  assert.equal(
    pathOfNode("x".repeat(200) + ".git/y"),
    `nodes/${a}%/%2egit/y.json`,
  );
  // 199 and three more: the escape goes to the next piece as a whole.
  assert.equal(
    pathOfNode("x".repeat(199) + "É"),
    `nodes/${"x".repeat(199)}%/%c3%89.json`,
  );
});

Deno.test("nodeOfPath() knows no path but the one that a node has", () => {
  const paths = [
    "README.md",
    "plan.json",
    "nodes/plan",
    "nodes/plan.txt",
    "nodes/Plan.json",
    "nodes/p%6can.json",
    "nodes/%4.json",
    "nodes/%ff.json",
    "nodes/%C3%A9.json",
    "nodes/../x.json",
    "nodes/.git/x.json",
    "nodes//x.json",
    "nodes/a%/b.json",
    "nodes/é.json",
    "../nodes/x.json",
  ];
  for (const path of paths) assert.equal(nodeOfPath(path), undefined, path);
  assert.equal(nodeOfPath("nodes/plan.json"), "plan");
  assert.equal(looseNodeOfPath("nodes/My Plan.json"), "My Plan");
});

Deno.test("pathOfNode() is reversible, and no two paths are one where case and form count for nothing", () => {
  const character = fc.oneof(
    fc.constantFrom(..."aAbB%./\\.-_~: \u0000\u200cÉéı"),
    fc.constantFrom("con", ".git", ".json", ".lock", "😀", "x".repeat(199)),
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
  );
  const ids = fc.array(character, { maxLength: 12 }).map((parts) =>
    parts.join("").toWellFormed()
  );
  const seen = new Map<string, string>();
  fc.assert(
    fc.property(ids, (id) => {
      const path = pathOfNode(id);
      assert.equal(nodeOfPath(path), id);
      assert.match(path, /^nodes\/[a-z0-9_.+=@,%/-]+\.json$/);
      for (const [i, name] of path.split("/").entries()) {
        assert.ok(name.length <= 255 && name !== "", name);
        assert.ok(i === 0 || !/^\.|\.$/.test(name), name);
        assert.doesNotMatch(name, /^(con|aux|prn|nul|com\d|lpt\d)(\.|$)/);
      }
      assert.equal(seen.get(path) ?? id, id);
      seen.set(path, id);
    }),
    { seed: SEED, numRuns: 1_000 },
  );
  // Of a file and a folder on its way one would be in the way of the other.
  for (const path of seen.keys()) {
    const parts = path.split("/");
    for (let i = 1; i < parts.length; i++) {
      assert.ok(!seen.has(parts.slice(0, i).join("/")), path);
    }
  }
  assert.ok(seen.size > 500, `seed ${SEED}: ${seen.size} paths`);
});
