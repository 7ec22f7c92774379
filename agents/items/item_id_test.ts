import assert from "node:assert/strict";
import fc from "fast-check";
import { compareUtf8 } from "@mnem/core";
import { fromId, idPrefix, isLabel, toId } from "./item_id.ts";

const SEED = 20_261_201;
const RUNS = 5_000;

/** Short texts of separators, escapes, combining and astral characters, so that collisions would show. */
const text = fc.string({
  unit: fc.constantFrom(
    ..."~:01 2%/.\\a",
    "\0",
    "é",
    "e\u0301",
    "～",
    "😀",
  ),
  maxLength: 6,
});
const namespace = fc.array(text.filter(isLabel), {
  minLength: 1,
  maxLength: 3,
});

function holds<T extends [unknown, ...unknown[]]>(
  property: fc.IProperty<T>,
): void {
  fc.assert(property, { seed: SEED, numRuns: RUNS });
}

Deno.test("toId() leaves ordinary names as they are, and escapes what separates", () => {
  const known: [string[], string, string][] = [
    [["users", "u1"], "plan", "users:u1:plan"],
    [["a"], "b:c", "a:b~1c"],
    [["a", "b"], "c", "a:b:c"],
    [["files"], "/AGENTS.md", "files:/AGENTS.md"],
    [["x~y"], "k", "x~0y:k"],
    [["u"], "", "u:"],
    [["u"], "a\0b", "u:a~2b"],
    [["u"], "~2", "u:~02"],
    [["u 1%", "é*"], "my-doc.md#0", "u 1%:é*:my-doc.md#0"],
  ];
  for (const [namespace, key, id] of known) {
    assert.equal(toId(namespace, key), id);
    assert.deepEqual(fromId(id), { namespace, key });
  }
});

Deno.test("fromId() gives nodes of other doors a place in the empty namespace", () => {
  for (
    const id of ["plan", "a.b:c", "a::b", ":x", "a~2:b", "a:b~3", "a:b~", ""]
  ) {
    assert.deepEqual(fromId(id), { namespace: [], key: id });
    assert.equal(toId([], id), id);
  }
  assert.deepEqual(fromId("a:b"), { namespace: ["a"], key: "b" });
});

Deno.test("toId() is reversed by fromId() for every item", () => {
  holds(fc.property(namespace, text, (namespace, key) => {
    assert.deepEqual(fromId(toId(namespace, key)), { namespace, key });
    assert.ok(!toId(namespace, key).includes("\0"));
  }));
});

Deno.test("toId() gives no two items one id", () => {
  holds(fc.property(
    fc.tuple(namespace, text),
    fc.tuple(namespace, text),
    (a, b) => {
      const same = JSON.stringify(a) === JSON.stringify(b);
      assert.equal(toId(...a) === toId(...b), same);
    },
  ));
});

Deno.test("fromId() is reversed by toId() for every text", () => {
  holds(fc.property(text, (id) => {
    const { namespace, key } = fromId(id);
    assert.equal(toId(namespace, key), id);
  }));
});

Deno.test("idPrefix() is what the ids of a namespace, and no others, begin with", () => {
  holds(fc.property(namespace, text, namespace, (namespace, key, prefix) => {
    const id = toId(namespace, key);
    const inside = prefix.every((label, place) => namespace[place] === label);
    assert.equal(id.startsWith(idPrefix(prefix)), inside);
    // So one range holds them all.
    const low = idPrefix(prefix);
    const high = `${low.slice(0, -1)};`;
    const inRange = compareUtf8(low, id) <= 0 && compareUtf8(id, high) < 0;
    assert.equal(inRange, inside);
  }));
});
