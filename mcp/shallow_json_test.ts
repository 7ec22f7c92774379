import assert from "node:assert/strict";
import { shallowJson } from "./shallow_json.ts";

const CUT: readonly (readonly [string, string])[] = [
  ["", ""],
  ["5", "5"],
  ["[1,[2,3],4]", "[1,[2,3],4]"],
  ["[1,[2,[3]],[[]],4]", "[1,[2,null],[null],4]"],
  ['{"a":{"b":{"c":1},"d":[1,{}]},"e":2}', '{"a":{"b":null,"d":null},"e":2}'],
  ['{"a":"[[[","b":[["]]"]]}', '{"a":"[[[","b":[null]}'],
  [
    '{"a":"\\"[[[","b":"\\\\","c":[[[]]]}',
    '{"a":"\\"[[[","b":"\\\\","c":[null]}',
  ],
  ["[[[", "[[null"],
  ["[[[]", "[[null"],
  ["]]]", "]]]"],
  ['["[[[', '["[[['],
  ['["a\\', '["a\\'],
  ['[[["]', "[[null"],
];

Deno.test("shallowJson() puts null in the place of what lies below a level", () => {
  for (const [text, expected] of CUT) {
    assert.equal(shallowJson(text, 2), expected, text);
  }
});

Deno.test("shallowJson() leaves no depth, however deep the text is", () => {
  const deep = `{"id":7,"a":${"[".repeat(1 << 20)}${"]".repeat(1 << 20)}}`;
  assert.equal(
    shallowJson(deep, 3),
    '{"id":7,"a":[[null]]}',
  );
  assert.equal(shallowJson("[".repeat(1 << 20), 3), "[[[null");
});
