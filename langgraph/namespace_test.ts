import assert from "node:assert/strict";
import { InvalidNamespaceError } from "@langchain/langgraph-checkpoint";
import {
  checkNamespace,
  compareNamespaces,
  fixedLabels,
  matchesPath,
  startsWith,
} from "./namespace.ts";

const SOME = { mayBeEmpty: false };
const ANY = { mayBeEmpty: true };

Deno.test("checkNamespace() takes every label that LangGraph takes", () => {
  const labels = ["*", "a/b", "%", "_", " ", "é", "😀", "~", "langgraph"];
  assert.deepEqual(checkNamespace(labels, SOME), labels);
  assert.deepEqual(checkNamespace(["langgraph"], SOME), ["langgraph"]);
  assert.deepEqual(checkNamespace([], ANY), []);
  const given = ["a"];
  const checked = checkNamespace(given, SOME);
  given[0] = "b";
  assert.deepEqual(checked, ["a"]);
});

Deno.test("checkNamespace() refuses the rest", () => {
  for (const label of ["", "a.b", "a:b", "a\0", null, 1, undefined, ["a"]]) {
    assert.throws(
      () => checkNamespace(["ok", label], ANY),
      InvalidNamespaceError,
    );
  }
  const gap: string[] = [];
  gap[1] = "a";
  assert.throws(() => checkNamespace(gap, ANY), InvalidNamespaceError);
  assert.throws(() => checkNamespace([], SOME), InvalidNamespaceError);
  for (const namespace of ["a", null, undefined, { 0: "a", length: 1 }]) {
    assert.throws(() => checkNamespace(namespace, ANY), TypeError);
  }
});

Deno.test("matchesPath() takes * for exactly one label", () => {
  const known: [string[], string[], "prefix" | "suffix", boolean][] = [
    [["cache", "a", "v1"], ["cache", "*", "v1"], "prefix", true],
    [["cache", "a", "b", "v1"], ["cache", "*", "v1"], "prefix", false],
    [["cache"], ["cache", "*"], "prefix", false],
    [["users", "malice"], ["alice"], "suffix", false],
    [["users", "alice"], ["alice"], "suffix", true],
    [["users", "alice", "v1"], ["*", "v1"], "suffix", true],
    [["v1"], ["*", "v1"], "suffix", false],
    [["a"], [], "prefix", true],
    [["a"], [], "suffix", true],
  ];
  for (const [namespace, path, end, expected] of known) {
    assert.equal(matchesPath(namespace, path, end), expected, `${path} ${end}`);
  }
});

Deno.test("startsWith() and fixedLabels() go by whole labels", () => {
  assert.equal(startsWith(["acme"], ["acme"]), true);
  assert.equal(startsWith(["acme-corp"], ["acme"]), false);
  assert.equal(startsWith(["acme"], ["acme", "x"]), false);
  assert.equal(startsWith(["*"], ["*"]), true);
  assert.equal(startsWith(["a"], ["*"]), false);
  assert.deepEqual(fixedLabels(["a", "*", "b"]), ["a"]);
  assert.deepEqual(fixedLabels(["a", "b"]), ["a", "b"]);
});

Deno.test("compareNamespaces() orders label by label, bytewise", () => {
  const ordered = [["B"], ["a"], ["a", "b"], ["a-b"], ["a~"], ["é"], ["～"], [
    "😀",
  ]];
  const shuffled = [3, 7, 0, 5, 2, 6, 1, 4].map((place) => ordered[place]!);
  assert.deepEqual(shuffled.sort(compareNamespaces), ordered);
  assert.equal(compareNamespaces(["a"], ["a"]), 0);
});
