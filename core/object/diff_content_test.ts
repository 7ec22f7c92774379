import assert from "node:assert/strict";
import fc from "fast-check";
import { sameContent } from "./content.ts";
import { type ContentChange, diffContent } from "./diff_content.ts";
import type { Json } from "./json.ts";
import { parseJson } from "./json_reader.ts";
import { stringifyJson } from "./json_writer.ts";

const SEED = 20_261_201;

type Row = readonly [name: string, a: Json, b: Json, changes: ContentChange[]];

const ROWS: readonly Row[] = [
  ["equal scalars", "a", "a", []],
  ["another scalar", "a", "b", [{ path: "", old: "a", new: "b" }]],
  ["null and absence", { a: null }, {}, [{ path: "/a", old: null }]],
  ["another type", { a: [] }, { a: {} }, [{ path: "/a", old: [], new: {} }]],
  ["numbers by value", [1, 0, 2n ** 60n], [1n, -0, 2 ** 60], []],
  [
    "numbers that only look alike",
    { n: 2n ** 53n + 1n },
    { n: 2 ** 53 },
    [{ path: "/n", old: 2n ** 53n + 1n, new: 2 ** 53 }],
  ],
  [
    "fields in id order, nested ones by their path",
    { b: { x: 1, y: 2 }, a: 1, same: [1] },
    { b: { y: 3, z: 4 }, c: 1, same: [1] },
    [
      { path: "/a", old: 1 },
      { path: "/b/x", old: 1 },
      { path: "/b/y", old: 2, new: 3 },
      { path: "/b/z", new: 4 },
      { path: "/c", new: 1 },
    ],
  ],
  [
    "keys that a pointer escapes, and odd ones",
    JSON.parse('{"a/b~c":1,"":1,"__proto__":1}'),
    {},
    [
      { path: "/", old: 1 },
      { path: "/__proto__", old: 1 },
      { path: "/a~1b~0c", old: 1 },
    ],
  ],
  [
    "a name that every object inherits",
    {},
    { constructor: 1 },
    [{ path: "/constructor", new: 1 }],
  ],
  [
    "an item in front",
    ["b", "c", "d"],
    ["a", "b", "c", "d"],
    [{ path: "/0", new: "a" }],
  ],
  [
    "an item of the middle",
    ["a", "b", "c", "d"],
    ["a", "c", "d"],
    [{ path: "/1", old: "b" }],
  ],
  [
    "a field of one item",
    [{ id: 1 }, { id: 2, on: true }, { id: 3 }],
    [{ id: 1 }, { id: 2, on: false }, { id: 3 }],
    [{ path: "/1/on", old: true, new: false }],
  ],
  [
    "removed ones from the end, then the rest from the front",
    ["x", "keep", "y", "keep too", "z"],
    ["keep", "new", "keep too", "w", "v"],
    [
      { path: "/0", old: "x" },
      { path: "/1", old: "y", new: "new" },
      { path: "/3", old: "z", new: "w" },
      { path: "/4", new: "v" },
    ],
  ],
];

// Not structuredClone, which keeps it that two places hold one object.
function copyOf(content: Json): Json {
  return parseJson(stringifyJson(content));
}

/** JSON Patch (RFC 6902), as far as a diff is one: an oracle that shares no code with it. */
function patched(content: Json, changes: readonly ContentChange[]): Json {
  let root = copyOf(content);
  for (const change of changes) {
    const steps = change.path.split("/").slice(1)
      .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
    const last = steps.pop();
    if (last === undefined) {
      assert.ok("old" in change && "new" in change, "the root is never absent");
      root = change.new ?? null;
      continue;
    }
    let owner: unknown = root;
    for (const step of steps) {
      assert.ok(Object.hasOwn(Object(owner), step), change.path);
      owner = Object.getOwnPropertyDescriptor(owner, step)?.value;
    }
    patchOwner(Object(owner), last, change);
  }
  return root;
}

function patchOwner(owner: object, last: string, change: ContentChange): void {
  const there = Object.getOwnPropertyDescriptor(owner, last)?.value;
  if (change.old !== undefined) assert.ok(sameContent(there, change.old));
  if (Array.isArray(owner)) {
    const at = Number(last);
    assert.ok(at <= owner.length, change.path);
    const count = "old" in change ? 1 : 0;
    owner.splice(at, count, ...("new" in change ? [change.new] : []));
    return;
  }
  if (!("old" in change)) assert.ok(!Object.hasOwn(owner, last), change.path);
  Reflect.deleteProperty(owner, last);
  if (!("new" in change)) return;
  Object.defineProperty(owner, last, {
    value: change.new,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

Deno.test("diffContent() lists each place once, with both values", async (t) => {
  for (const [name, a, b, changes] of ROWS) {
    await t.step(name, () => {
      assert.deepEqual(diffContent(a, b), changes);
      assert.ok(sameContent(patched(a, changes), b));
    });
  }
});

Deno.test("diffContent() of an array too long to align pairs by position", () => {
  const a = Array.from({ length: 3_000 }, (_, i) => i);
  const b = a.map((item) => -item - 1);
  assert.equal(diffContent(a, b).length, 3_000);
  const shifted = [-1, ...a.slice(0, 1_500), -2, ...a.slice(1_500)];
  assert.ok(sameContent(patched(a, diffContent(a, shifted)), shifted));
});

Deno.test("diffContent() aligns as much as it may over a whole content, then pairs by position", () => {
  const row = Array.from({ length: 1_500 }, (_, i) => i);
  // One item came in front, and the last is another: 1,499 are the same at other places.
  const changed = [-1, ...row.slice(0, -1), -2];
  const rows = (count: number) =>
    diffContent(
      Array.from({ length: count }, (_, i) => [i + 0.5, ...row]),
      Array.from({ length: count }, (_, i) => [i + 0.5, ...changed]),
    ).length;
  const one = rows(1);
  assert.ok(one < 5, `${one} changes of one row`);
  assert.ok(rows(3) > 1_500, "the third would take too long with the others");
});

const scalar = fc.oneof(
  fc.constantFrom<Json>(null, true, false, 0, -0, 1, 1n, 2n ** 60n, 2 ** 60),
  fc.constantFrom<Json>("", "a", "b"),
);
const { content } = fc.letrec<{ content: Json }>((tie) => ({
  content: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.array(tie("content"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom("", "a", "b", "~/", "0"), tie("content"), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  ),
}));

Deno.test("diffContent() applied as JSON Patch gives the other content; none means the same", () => {
  let nested = 0;
  const check = (a: Json, b: Json) => {
    const changes = diffContent(a, b);
    nested += changes.filter(({ path }) => path.split("/").length > 2).length;
    assert.ok(sameContent(patched(a, changes), b));
    assert.equal(changes.length === 0, sameContent(a, b));
  };
  fc.assert(
    fc.property(fc.array(content, { minLength: 4, maxLength: 4 }), (parts) => {
      const [p = null, q = null, r = null, s = null] = parts;
      check(p, q);
      check(p, copyOf(p));
      // Contents that have most in common, as two values of one node have.
      check({ x: p, list: [p, q, r] }, { x: p, y: q, list: [q, s, r] });
      check([p, q, { p, q }, r], [q, { p, q: s }, r, s]);
    }),
    { seed: SEED, numRuns: 1_000 },
  );
  assert.ok(nested > 1_000, `seed ${SEED}: ${nested} nested changes`);
});
