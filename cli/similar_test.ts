import assert from "node:assert/strict";
import { mostSimilar } from "./similar.ts";

Deno.test("mostSimilar() finds one slip or two, and no more", () => {
  const names = ["main", "billing", "feature/long-name"];
  const rows = [
    ["mian", "main"],
    ["mai", "main"],
    ["maain", "main"],
    ["billign", "billing"],
    ["biling2", "billing"],
    ["feature/lnog-nmae", "feature/long-name"],
    ["moon", undefined],
    ["xyz", undefined],
    ["", undefined],
  ] as const;
  for (const [word, name] of rows) {
    assert.equal(mostSimilar([word], names), name);
  }
  assert.equal(mostSimilar(["switch", "mian"], names), "main");
  assert.equal(mostSimilar(["main"], names), undefined);
  assert.equal(mostSimilar(["a"], ["b", "ab"]), undefined);
});
