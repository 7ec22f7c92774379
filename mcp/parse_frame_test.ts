import assert from "node:assert/strict";
import { parseFrame } from "./parse_frame.ts";

/** The fault of a frame. */
function faultOf(text: string): unknown {
  const parsed = parseFrame(text);
  assert.ok("fault" in parsed, text);
  const { code, id } = parsed;
  return [code, id];
}

const IDS: readonly (readonly [string, unknown])[] = [
  ["7", 7],
  ["-9007199254740993", -9007199254740993n],
  ["18446744073709551617", 18446744073709551617n],
  ["1e21", 1e21],
  ["1e400", undefined],
  ["1.5", undefined],
  ['"\\ud800"', "\ud800"],
  ["null", undefined],
];

Deno.test("parseFrame() finds the id of what is no message, its digits exact", () => {
  for (const [id, expected] of IDS) {
    assert.deepEqual(
      faultOf(
        `{"jsonrpc":"1.0", "id" : ${id} ,"method":"m","params":{"a":1e400}}`,
      ),
      [-32600, expected],
      id,
    );
  }
});

Deno.test("parseFrame() names no id where two could be meant, and none of an answer", () => {
  const twice = "[18446744073709551616,18446744073709551617]".replaceAll(
    /\d+/g,
    (digits) => `{"id":${digits}}`,
  );
  assert.deepEqual(
    faultOf(`{"id":18446744073709551616,"method":"m","params":${twice}}`),
    [-32600, undefined],
  );
  for (const member of ['"result":5', '"error":{}', '"result":{"a":1e400}']) {
    assert.deepEqual(faultOf(`{"jsonrpc":"2.0","id":1,${member}}`), [
      -32600,
      undefined,
    ]);
    assert.deepEqual(
      faultOf(`{"jsonrpc":"2.0","id":1,"method":"m",${member}}`),
      [
        -32600,
        1,
      ],
    );
  }
});

Deno.test("parseFrame() finds the id beside what nests too deep for any parser", () => {
  const deep = `${"[".repeat(1 << 20)}${"]".repeat(1 << 20)}`;
  assert.deepEqual(
    faultOf(`{"jsonrpc":"2.0","params":{"a":${deep}},"id":"x","method":"m"}`),
    [-32600, "x"],
  );
  assert.deepEqual(faultOf("[".repeat(1 << 20)), [-32700, undefined]);
});
