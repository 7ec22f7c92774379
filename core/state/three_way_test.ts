import assert from "node:assert/strict";
import { entryOf, originOf } from "../../tests/support/tree_cases.ts";
import type { Entry } from "./chunk.ts";
import {
  type Base,
  conflictKind,
  mergeThree,
  sameObject,
  shownBase,
  type ThreeWay,
} from "./three_way.ts";

const VALUES = ["-", "x", "y", "z"] as const;
type Value = typeof VALUES[number];
type Sides = [Base, Entry | null, Entry | null];

/** Each side has its own origins, so that only objects can be compared. */
function entry(value: Value, n: number): Entry | null {
  return value === "-" ? null : entryOf("node", value, originOf(n));
}

const base = (value: Value): Base => ({ is: "value", entry: entry(value, 1) });

/** The rule in words: agreement changes nothing, an untouched side yields, the rest is a conflict. */
function expected(b: Value, o: Value, t: Value): ThreeWay {
  const oursChanged = o !== b;
  const theirsChanged = t !== b;
  if (!theirsChanged) return "ours";
  if (!oursChanged) return "theirs";
  return o === t ? "ours" : "conflict";
}

/** The kinds as the table lists them. */
function expectedKind(b: Value, o: Value, t: Value): string {
  if (b === "-") return "add/add";
  if (o === "-") return "delete/edit";
  return t === "-" ? "edit/delete" : "edit/edit";
}

Deno.test("mergeThree() and conflictKind(): every base, ours and theirs of absent, x, y, z", () => {
  const counts = { ours: 0, theirs: 0, conflict: 0 };
  const kinds = new Map<string, number>();
  for (const b of VALUES) {
    for (const o of VALUES) {
      for (const t of VALUES) {
        const sides: Sides = [base(b), entry(o, 2), entry(t, 3)];
        const result = mergeThree(...sides);
        assert.equal(result, expected(b, o, t), `${b} ${o} ${t}`);
        counts[result]++;
        if (result !== "conflict") continue;
        const kind = conflictKind(...sides);
        assert.equal(kind, expectedKind(b, o, t), `${b} ${o} ${t}`);
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      }
    }
  }
  // By hand: 4 values a side; a conflict is three different values, 4 x 3 x 2.
  assert.deepEqual(counts, { ours: 28, theirs: 12, conflict: 24 });
  assert.deepEqual(Object.fromEntries(kinds), {
    "add/add": 6,
    "delete/edit": 6,
    "edit/delete": 6,
    "edit/edit": 6,
  });
});

Deno.test("mergeThree() with a base in conflict: only equal sides agree", () => {
  for (const shown of VALUES) {
    const torn: Base = { is: "conflict", shown: entry(shown, 1) };
    assert.equal(shownBase(torn), torn.shown);
    for (const o of VALUES) {
      for (const t of VALUES) {
        const sides: Sides = [torn, entry(o, 2), entry(t, 3)];
        assert.equal(mergeThree(...sides), o === t ? "ours" : "conflict");
        if (o === t) continue;
        const kind = o === "-"
          ? "delete/edit"
          : t === "-"
          ? "edit/delete"
          : shown === "-"
          ? "add/add"
          : "edit/edit";
        assert.equal(conflictKind(...sides), kind, `${shown} ${o} ${t}`);
      }
    }
  }
});

Deno.test("sameObject() minds the object, not where it came from", () => {
  assert.equal(sameObject(entry("x", 1), entry("x", 2)), true);
  assert.equal(sameObject(entry("x", 1), entry("y", 1)), false);
  assert.equal(sameObject(entry("x", 1), null), false);
  assert.equal(sameObject(null, null), true);
});
