import assert from "node:assert/strict";
import fc from "fast-check";
import { isMnemError } from "../errors.ts";
import { CborWriter } from "../object/cbor_writer.ts";
import { encodeCbor } from "../object/encode_cbor.ts";
import { toHex } from "../object/hex.ts";
import { parseBundleJson } from "../object/json_reader.ts";
import { encodeUtf8 } from "../object/utf8.ts";
import { copyJson } from "./copy_json.ts";
import { JsonBytes } from "./json_bytes.ts";
import { trials } from "../../tests/support/trials.ts";

const SEED = 5;

/** Copies one value that arrives in pieces of some bytes. */
async function copied(text: string, pieceBytes = 7): Promise<Uint8Array> {
  const bytes = encodeUtf8(text);
  function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      yield bytes.subarray(at, at + pieceBytes);
    }
  }
  const source = pieces();
  const json = new JsonBytes({ next: () => Promise.resolve(source.next()) });
  const out = await json.whole(() => {
    const out = new CborWriter();
    copyJson(json, out);
    return out;
  });
  await json.whole(() => {
    if (json.peek() !== -1) json.fail("its end");
  });
  return out.finish();
}

/** What the readers of whole texts make of it: another way to the same bytes. */
function expectedOf(text: string): Uint8Array | undefined {
  try {
    return encodeCbor(parseBundleJson(text, { depthMax: 256 }));
  } catch (error) {
    assert.ok(error instanceof SyntaxError);
    return undefined;
  }
}

async function checkCopy(text: string): Promise<boolean> {
  const expected = expectedOf(text);
  if (expected === undefined) {
    await assert.rejects(
      copied(text),
      (error) => isMnemError(error, "corrupt_store"),
      text,
    );
    return false;
  }
  assert.equal(toHex(await copied(text)), toHex(expected), text);
  return true;
}

Deno.test("copyJson() makes of any JSON what reading and encoding it makes", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.jsonValue({ maxDepth: 5 }),
      fc.constantFrom(0, 1, 2),
      async (value, indent) => {
        assert.ok(await checkCopy(JSON.stringify(value, null, indent)));
      },
    ),
    { seed: SEED, numRuns: trials(400) },
  );
});

Deno.test("copyJson() accepts and refuses mutated text as the reader of whole texts does", async () => {
  const pieces = [
    ...'{}[],:"\\/eE+-.0123456789 \n\t\u0000\u001f\u007fabtfnu',
    "true",
    "null",
    "\\u00e9",
    "\\ud83d\\ude00",
    "\\ud83d",
    "\\x",
    "😀",
    "\ufeff",
    "\u2028",
    "18446744073709551616",
    "-9223372036854775809",
  ];
  const base =
    '{"bb":[1,-2.5e+3,"x\\n\\u00e9\\\\",true,false,null,{}],"a":{"c":[[],0,1.0]},"é":-0}';
  let accepted = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          at: fc.nat(base.length),
          cut: fc.nat(2),
          put: fc.oneof(fc.constant(""), fc.constantFrom(...pieces)),
        }),
        { minLength: 1, maxLength: 3 },
      ),
      async (edits) => {
        let text = base;
        for (const { at, cut, put } of edits) {
          text = text.slice(0, at) + put + text.slice(at + cut);
        }
        if (!text.isWellFormed()) return;
        if (await checkCopy(text)) accepted++;
        else refused++;
      },
    ),
    { seed: SEED, numRuns: trials(3_000) },
  );
  assert.ok(
    accepted > trials(200) && refused > trials(200),
    `${accepted}, ${refused}`,
  );
});

Deno.test("copyJson() keeps the form of every number", async () => {
  // By hand, from RFC 8949: integers in the shortest form, floats likewise.
  const numbers = {
    "0": "00",
    "-0": "f98000",
    "-0.0": "f98000",
    "1": "01",
    "1.0": "f93c00",
    "1e0": "f93c00",
    "10e-1": "f93c00",
    "1.5": "f93e00",
    "100000.0": "fa47c35000",
    "999999999999999": "1b00038d7ea4c67fff",
    "9007199254740993": "1b0020000000000001",
    "18446744073709551615": "1bffffffffffffffff",
    "18446744073709551616": "fa5f800000",
    "-9223372036854775808": "3b7fffffffffffffff",
    "-9223372036854775809": "fadf000000",
    "5e-324": "fb0000000000000001",
    "3.4028234663852886e38": "fa7f7fffff",
    "5.960464477539063e-8": "f90001",
    "1e-400": "f90000",
  };
  for (const [token, hex] of Object.entries(numbers)) {
    assert.equal(toHex(await copied(token, 1)), hex, token);
    assert.equal(toHex(await copied(`[${token}]`, 1)), "81" + hex, token);
  }
});

Deno.test("copyJson() puts keys in the order of the format, and keeps the last of equal ones", async () => {
  const keys = ["～", "😀", "é", "b", "aa", "a", "", "__proto__"];
  const text = `{${keys.map((key, i) => `"${key}":${i}`).join()}}`;
  assert.ok(await checkCopy(text));
  assert.equal(toHex(await copied('{"a":1,"b":2,"a":3}')), "a2616103616202");
  const many = Array.from({ length: 100 }, (_, i) => `"k${(i * 37) % 100}":0`);
  assert.ok(await checkCopy(`{${many.join()},"k7":9}`));
});

Deno.test("copyJson() follows 256 levels and no more", async () => {
  for (const [open, close] of [["[", "]"], ['{"a":', "}"]] as const) {
    const inner = open === "[" ? "" : "1";
    const deep = (levels: number) =>
      open.repeat(levels) + inner + close.repeat(levels);
    assert.ok(await checkCopy(deep(256)));
    await assert.rejects(
      copied(deep(257)),
      /must be nested at most 256 levels/,
    );
    await assert.rejects(copied(deep(100_000)), /nested at most 256 levels/);
  }
});
