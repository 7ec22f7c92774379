import assert from "node:assert/strict";
import { SeenFacts } from "./seen_facts.ts";

Deno.test("SeenFacts tells the same from what is new under a name, short or long", () => {
  const seen = new SeenFacts();
  const long = "x".repeat(1_000);
  assert.equal(seen.has("a"), false);
  assert.deepEqual(
    [["a", "1"], ["b", "1"], ["a", long], ["a", "1"], ["a", `${long}y`], [
      "a",
      long,
    ]]
      .map(([name = "", said = ""], at) => seen.add(name, said, at + 1)),
    [
      { same: undefined, first: 1, count: 1 },
      { same: undefined, first: 2, count: 1 },
      { same: undefined, first: 1, count: 2 },
      { same: 1, first: 1, count: 2 },
      { same: undefined, first: 1, count: 3 },
      { same: 3, first: 1, count: 3 },
    ],
  );
  assert.deepEqual([seen.has("a"), seen.has("c")], [true, false]);
});
