import assert from "node:assert/strict";
import { isMnemError } from "../errors.ts";
import { parseRevision, type RevisionStep } from "./revision_text.ts";

const GOOD: readonly (readonly [string, string, readonly RevisionStep[]])[] = [
  ["main", "main", []],
  ["HEAD", "HEAD", []],
  ["é/😀-1.x", "é/😀-1.x", []],
  ["ABCDEF12", "ABCDEF12", []],
  ["main~", "main", [{ back: 1 }]],
  ["main~0", "main", [{ back: 0 }]],
  ["main~12", "main", [{ back: 12 }]],
  ["main^", "main", [{ parent: 1 }]],
  ["main^0", "main", [{ parent: 0 }]],
  ["main^2", "main", [{ parent: 2 }]],
  ["HEAD~~^^2~3", "HEAD", [{ back: 1 }, { back: 1 }, { parent: 1 }, {
    parent: 2,
  }, { back: 3 }]],
  ["main@{1700000000000}", "main", [{ atMs: 1_700_000_000_000 }]],
  ["main@{-62135596800000}", "main", [{ atMs: -62_135_596_800_000 }]],
  ["main@{2026-11-03}", "main", [{ atMs: Date.UTC(2026, 10, 3) }]],
  ["main@{2026-11-03T12:00Z}", "main", [{ atMs: Date.UTC(2026, 10, 3, 12) }]],
  ["main@{2026-11-03T12:00}", "main", [{ atMs: Date.UTC(2026, 10, 3, 12) }]],
  ["main@{2026-11-03 12:00}", "main", [{ atMs: Date.UTC(2026, 10, 3, 12) }]],
  ["main@{2026-11-03T12:00:01}", "main", [{
    atMs: Date.UTC(2026, 10, 3, 12, 0, 1),
  }]],
  ["main@{2026-11-03T12:00:01.5Z}", "main", [{
    atMs: Date.UTC(2026, 10, 3, 12, 0, 1, 500),
  }]],
  ["main@{2026-11-03T12:00:01.025+02:00}", "main", [{
    atMs: Date.UTC(2026, 10, 3, 10, 0, 1, 25),
  }]],
  ["main@{2026-11-03T12:00-0530}", "main", [{
    atMs: Date.UTC(2026, 10, 3, 17, 30),
  }]],
  ["main@{2024-02-29}~1", "main", [{ atMs: Date.UTC(2024, 1, 29) }, {
    back: 1,
  }]],
  ["@{2026-11-03T12:00Z}", "HEAD", [{ atMs: Date.UTC(2026, 10, 3, 12) }]],
  ["@{2026-11-03}^2", "HEAD", [{ atMs: Date.UTC(2026, 10, 3) }, { parent: 2 }]],
];

for (const [text, base, steps] of GOOD) {
  Deno.test(`parseRevision() reads ${text}`, () => {
    assert.deepEqual(parseRevision(text), { base, steps });
  });
}

const BAD = [
  "",
  "~1",
  "^",
  "@",
  "@1",
  "@{}",
  "@{now}",
  "main@",
  "main@{",
  "main@{2026}",
  "main@{2026-13-01}",
  "main@{2026-02-29}",
  "main@{2026-02-30T12:00Z}",
  "main@{2026-11-03T25:00Z}",
  "main@{2026-11-03T12:61Z}",
  "main@{2026-11-03T12}",
  "main@{2026-11-03T12:00X}",
  "main@{2026-11-03T12:00+99:00}",
  "main@{1234}",
  "main@{1700000000000",
  "main@{{1}}",
  "main~x",
  "main~-1",
  "main~1x",
  "main^1.5",
  "main~1234567890",
  "main~1 ",
  "a~1b",
  "main^^^x",
];

for (const text of BAD) {
  Deno.test(`parseRevision() refuses ${JSON.stringify(text)}`, () => {
    assert.throws(() => parseRevision(text), (error) => {
      assert.ok(isMnemError(error, "invalid_ref"), String(error));
      assert.ok(error.message.includes(JSON.stringify(text)), error.message);
      return true;
    });
  });
}

Deno.test("parseRevision() refuses what is no text", () => {
  for (const value of [null, undefined, 1, {}, ["main"]]) {
    const parse = () => Reflect.apply(parseRevision, undefined, [value]);
    assert.throws(parse, TypeError);
  }
});
