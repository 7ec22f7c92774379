import assert from "node:assert/strict";
import type { Json, MemoryNode } from "@mnem/core";
import { matcherOf } from "./query.ts";

function nodeOf(content: Json): MemoryNode {
  const provenance = { note: "hidden" };
  return { id: "Kunde/Müller", content, contentKind: "note", provenance };
}

Deno.test("matcherOf() finds text in the id, in strings and in key names, whatever the case", () => {
  const node = nodeOf({ Role: ["Admin", { deep: "ÜBER 😀" }], n: 1234 });
  for (
    const query of ["kunde/", "MÜLLER", "role", "dmi", "über", "😀", "DEEP", ""]
  ) {
    assert.equal(matcherOf(query)(node), true, query);
  }
});

Deno.test("matcherOf() does not look at numbers, provenance or across strings", () => {
  const node = nodeOf(["ab", "cd", 1234, true, null, 2n ** 60n]);
  assert.equal(matcherOf("ab")(node), true);
  for (const query of ["bc", "1234", "true", "null", "hidden", "115292"]) {
    assert.equal(matcherOf(query)(node), false, query);
  }
});

Deno.test("matcherOf() takes the text as it is, no pattern", () => {
  assert.equal(matcherOf("a.c")(nodeOf("abc")), false);
  assert.equal(matcherOf("a.c")(nodeOf("xa.cx")), true);
});
