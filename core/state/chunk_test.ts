import { equal } from "node:assert/strict";
import { entryOf, originOf } from "../../tests/support/tree_cases.ts";
import { sameEntry, sameId, sameOrigin, SELF } from "./chunk.ts";

Deno.test("sameOrigin() compares the commit, and SELF with nothing else", () => {
  equal(sameOrigin(originOf(1), originOf(1)), true);
  equal(sameOrigin(originOf(1), originOf(2)), false);
  equal(sameOrigin(SELF, SELF), true);
  equal(sameOrigin(SELF, originOf(0)), false);
  equal(Object.isFrozen(SELF), true);
});

Deno.test("sameId() compares all 32 bytes", () => {
  const id = Uint8Array.from({ length: 32 }, (_, i) => i);
  equal(sameId(id, id.slice()), true);
  for (const place of [0, 15, 31]) {
    const other = id.slice();
    other[place] = 99;
    equal(sameId(id, other), false, `byte ${place}`);
  }
});

Deno.test("sameEntry() compares id, object and both origins", () => {
  const entry = entryOf("a");
  equal(sameEntry(entry, entryOf("a")), true);
  equal(sameEntry(entry, { ...entry, id: "b" }), false);
  equal(sameEntry(entry, entryOf("a", "other value")), false);
  equal(sameEntry(entry, { ...entry, changed: originOf(2) }), false);
  equal(sameEntry(entry, { ...entry, born: originOf(2) }), false);
});
