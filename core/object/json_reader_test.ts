import assert from "node:assert/strict";
import fc from "fast-check";
import { type CborValue, FloatNumber } from "./cbor_value.ts";
import type { Json } from "./json.ts";
import { parseBundleJson, parseJson } from "./json_reader.ts";

const SEED = 20261201;

/** Rounds integers as JSON.parse does. */
function rounded(value: Json): Json {
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(rounded);
  const object: { [key: string]: Json } = JSON.parse("{}");
  for (const [key, item] of Object.entries(value)) {
    Object.defineProperty(object, key, {
      value: rounded(item),
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  return object;
}

/** What parseJson refuses though it is JSON, as its error says it. */
const STRICTER =
  /a double can hold|lone surrogates|-2\^63 and 2\^64|at most 127 levels/;

/** Reads a text both ways and returns whether it was JSON. */
function compareToBuiltIn(text: string): boolean {
  let expected: Json;
  try {
    expected = JSON.parse(text);
  } catch {
    assert.throws(() => parseJson(text), SyntaxError, text);
    return false;
  }
  try {
    assert.deepEqual(rounded(parseJson(text)), expected, text);
  } catch (error) {
    if (!(error instanceof SyntaxError && STRICTER.test(error.message))) {
      throw error;
    }
  }
  return true;
}

Deno.test("parseJson() agrees with JSON.parse on random JSON, white space included", () => {
  fc.assert(
    fc.property(
      fc.json({ depthSize: "large", noUnicodeString: false }),
      fc.constantFrom(0, 1, "\t", "\n "),
      (text, indent) => {
        const spaced = JSON.stringify(JSON.parse(text), null, indent);
        assert.ok(compareToBuiltIn(text));
        assert.ok(compareToBuiltIn(` \r\n\t${spaced} `));
      },
    ),
    { seed: SEED, numRuns: 300 },
  );
});

Deno.test("parseJson() accepts and refuses mutated text as JSON.parse does", () => {
  const pieces = [
    ...'{}[],:"\\/eE+-.0123456789 \n\t\u0000\u001f\u007fabtfnu',
    "true",
    "null",
    "false",
    "\\u00e9",
    "\\u12",
    "\\x",
    "😀",
    "\ufeff",
    "\u2028",
    "\u00a0",
    "\x0b",
  ];
  const base =
    '{"a":[1,-2.5e+3,"x\\n\\u00e9\\\\",true,false,null,{}],"b":{"c":[[],0]},"a":-0}';
  let accepted = 0;
  let refused = 0;
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          at: fc.nat(base.length),
          cut: fc.nat(2),
          put: fc.oneof(fc.constant(""), fc.constantFrom(...pieces)),
        }),
        { minLength: 1, maxLength: 3 },
      ),
      (edits) => {
        let text = base;
        for (const { at, cut, put } of edits) {
          text = text.slice(0, at) + put + text.slice(at + cut);
        }
        if (compareToBuiltIn(text)) accepted++;
        else refused++;
      },
    ),
    { seed: SEED, numRuns: 5000 },
  );
  assert.ok(accepted > 300 && refused > 300, `${accepted}, ${refused}`);
});

Deno.test("parseJson() refuses what is not JSON, saying where", async (t) => {
  const cases: [string, number][] = [
    ["", 0],
    ["  ", 2],
    ["{", 1],
    ["[", 1],
    ["[1", 2],
    ["[1,", 3],
    ["[1,]", 3],
    ["[,1]", 1],
    ['{"a"}', 4],
    ['{"a":}', 5],
    ['{"a":1,}', 7],
    ["{a:1}", 1],
    ["{'a':1}", 1],
    ["{1:1}", 1],
    ["01", 1],
    ["-01", 2],
    ["-", 0],
    ["+1", 0],
    [".5", 0],
    ["1.", 1],
    ["1.e2", 1],
    ["1e", 1],
    ["1e+", 1],
    ["0x10", 1],
    ["1_000", 1],
    ["Infinity", 0],
    ["-Infinity", 0],
    ["NaN", 0],
    ["nul", 0],
    ["True", 0],
    ["truefalse", 4],
    ["undefined", 0],
    ['"abc', 4],
    ['"a\nb"', 2],
    ['"a\tb"', 2],
    ['"\u0000"', 1],
    ['"\\', 2],
    ['"\\"', 3],
    ['"\\x41"', 0],
    ['"\\u12g4"', 0],
    ['["\\u{61}"]', 1],
    ["1 2", 2],
    ["[1 2]", 3],
    ["[1}", 2],
    ['{"a":1]', 6],
    ["1,", 1],
    ["// c", 0],
    ["\ufeff1", 0],
    ["\u00a01", 0],
    ["'a'", 0],
    ["`a`", 0],
    ["1n", 1],
  ];
  for (const [text, position] of cases) {
    await t.step(JSON.stringify(text), () => {
      assert.throws(() => JSON.parse(text), SyntaxError);
      assert.throws(
        () => parseJson(text),
        (error) =>
          error instanceof SyntaxError &&
          error.message.includes(`position ${position}:`),
      );
    });
  }
});

Deno.test("parseJson() reads integers exactly or refuses them", () => {
  const cases: [string, Json][] = [
    ["9007199254740991", 9007199254740991],
    ["-9007199254740991", -9007199254740991],
    ["9007199254740992", 9007199254740992n],
    ["9007199254740993", 9007199254740993n],
    ["-9007199254740993", -9007199254740993n],
    ["18446744073709551615", 18446744073709551615n],
    ["-9223372036854775808", -9223372036854775808n],
    ["0", 0],
    ["-0", -0],
    ["-0.0", -0],
    ["1.0", 1],
    ["1e2", 100],
    ["-1E+2", -100],
    ["1e20", 1e20],
    ["9007199254740993.0", 9007199254740992],
    ["1e-400", 0],
    ["5e-324", 5e-324],
  ];
  for (const [text, value] of cases) {
    assert.deepEqual(parseJson(text), value, text);
  }
  for (
    const text of [
      "18446744073709551616",
      "-9223372036854775809",
      "1" + "0".repeat(400),
      "[1,99999999999999999999]",
    ]
  ) {
    assert.throws(() => parseJson(text), SyntaxError, text);
  }
});

Deno.test("parseJson() refuses numbers that no double holds", () => {
  for (
    const text of ["1e400", "-1e400", "[1e309]", "1" + "0".repeat(400) + ".0"]
  ) {
    assert.throws(() => parseJson(text), SyntaxError, text);
    assert.throws(() => parseBundleJson(text), SyntaxError, text);
  }
  assert.equal(parseJson("1.7976931348623157e308"), Number.MAX_VALUE);
});

Deno.test("parseJson() refuses lone surrogates, written out or escaped", () => {
  const faults = [
    '"\\ud800"',
    '"\\udc00"',
    '"a\\ud83dz"',
    '"\\ude00\\ud83d"',
    '"\ud800"',
    '"x\udc00"',
    '{"\\ud800":1}',
    '{"\ud800":1}',
  ];
  for (const text of faults) {
    assert.throws(() => parseJson(text), /lone surrogates/, text);
  }
  assert.equal(parseJson('"\\ud83d\\ude00"'), "😀");
  assert.equal(parseJson('"😀"'), "😀");
  assert.equal(parseJson('"\ud83d\\ude00"'), "😀");
});

Deno.test("parseJson() follows 127 levels of nesting, or as many as it is told", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  const objects = (depth: number) =>
    '{"a":'.repeat(depth) + "1" + "}".repeat(depth);
  for (const text of [nested, objects]) {
    assert.doesNotThrow(() => parseJson(text(127)));
    assert.throws(() => parseJson(text(128)), /127 levels/);
    assert.throws(() => parseJson(text(1_000_000)), /127 levels/);
    assert.doesNotThrow(() => parseJson(text(131), { depthMax: 131 }));
    assert.throws(() => parseJson(text(132), { depthMax: 131 }), /131 levels/);
  }
});

Deno.test("parseJson() takes the last of a name given twice, and __proto__ as a name", () => {
  assert.deepEqual(parseJson('{"a":1,"b":2,"a":3}'), { a: 3, b: 2 });
  const value = parseJson('{"__proto__":{"x":1},"__proto__":{"y":2}}');
  assert.ok(typeof value === "object" && value !== null);
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
  assert.deepEqual(Object.entries(value), [["__proto__", { y: 2 }]]);
  assert.equal("x" in value || "y" in value, false);
});

Deno.test("parseBundleJson() keeps floats and integers apart", () => {
  const cases: [string, CborValue][] = [
    ["1", 1],
    ["1.0", new FloatNumber(1)],
    ["1e2", new FloatNumber(100)],
    ["0.0", new FloatNumber(0)],
    ["-0", -0],
    ["-0.0", -0],
    ["0", 0],
    ["1.5", 1.5],
    ["9007199254740991.0", new FloatNumber(9007199254740991)],
    ["9007199254740992.0", 9007199254740992],
    ["9007199254740993", 9007199254740993n],
    ["18446744073709551615", 18446744073709551615n],
    ["18446744073709551616", 18446744073709551616],
    ["-9223372036854775809", -9223372036854775808],
    ["1" + "0".repeat(300), 1e300],
    ["1e300", 1e300],
    ['[1.0,{"a":2.0}]', [new FloatNumber(1), { a: new FloatNumber(2) }]],
  ];
  for (const [text, value] of cases) {
    assert.deepEqual(parseBundleJson(text), value, text);
  }
  assert.throws(() => parseBundleJson("1" + "0".repeat(400)), SyntaxError);
});
