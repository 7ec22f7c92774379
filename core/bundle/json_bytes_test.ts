import assert from "node:assert/strict";
import { isMnemError } from "../errors.ts";
import { CborWriter } from "../object/cbor_writer.ts";
import { toHex } from "../object/hex.ts";
import { encodeUtf8 } from "../object/utf8.ts";
import { JsonBytes } from "./json_bytes.ts";

/** A cursor over text that arrives byte by byte. */
function cursorOn(text: string | Uint8Array): JsonBytes {
  const bytes = typeof text === "string" ? encodeUtf8(text) : text;
  let at = 0;
  return new JsonBytes({
    next: () =>
      Promise.resolve(
        at < bytes.length
          ? { done: false, value: bytes.subarray(at, ++at) }
          : { done: true, value: undefined },
      ),
  });
}

async function refuses(text: string | Uint8Array, says: string): Promise<void> {
  const json = cursorOn(text);
  await assert.rejects(
    json.whole(() => json.text()),
    (error) => isMnemError(error, "corrupt_store") && error.message === says,
  );
}

Deno.test("text() reads a string that arrives byte by byte, and position tells how far", async () => {
  const json = cursorOn(' "aé\\n\\u0041😀" x');
  assert.equal(await json.whole(() => json.text()), "aé\nA😀");
  // A space, two quotes, 1 + 2 + 2 + 6 + 4 bytes.
  assert.equal(json.position, 18);
  assert.equal(await json.whole(() => json.peek()), "x".charCodeAt(0));
});

Deno.test("fail() says what stands where", async () => {
  await refuses(
    "7",
    'Cannot read bundle: found "7" at byte 0, must be a string',
  );
  await refuses(
    '"ab',
    "Cannot read bundle: found its end at byte 3, must be the rest of a string",
  );
  await refuses(
    new Uint8Array([0x22, 0x61, 0xff, 0x22]),
    "Cannot read bundle: found the byte ff at byte 2, must be UTF-8",
  );
  await refuses(
    "é",
    "Cannot read bundle: found the byte c3 at byte 0, must be a string",
  );
});

Deno.test("now() gives nothing while bytes are missing, and reads no byte twice", async () => {
  const json = cursorOn('"ab"');
  assert.equal(json.now(() => json.text()), undefined);
  for (let i = 0; i < 3; i++) await json.fetch();
  assert.equal(json.now(() => json.text()), undefined);
  await json.fetch();
  assert.equal(json.now(() => json.text()), "ab");
});

Deno.test("takeOneOf() passes over a known name only", async () => {
  const names = ["id", "kind", "kin"].map(encodeUtf8);
  const cases: [string, number][] = [
    ['"id":', 0],
    ['"kind"', 1],
    ['"kin"', 2],
    ['"ki"', -1],
    ['"kinds"', -1],
    ['"k\\u0069nd"', -1],
    ['"', -1],
  ];
  for (const [text, place] of cases) {
    const json = cursorOn(text);
    assert.equal(await json.whole(() => json.takeOneOf(names)), place, text);
    assert.equal(json.position === 0, place === -1, text);
  }
});

Deno.test("copyId() reads 64 hex digits of either case and nothing else", async () => {
  const id = "0123456789abcdefABCDEF".padEnd(64, "7");
  const json = cursorOn(`"${id}"`);
  const out = new CborWriter();
  await json.whole(() => json.copyId(out));
  assert.equal(toHex(out.finish()), "5820" + id.toLowerCase());
  const odd = [
    id.slice(1),
    id + "0",
    id.replace("0", "g"),
    id.replace("0", "é"),
    `\\u0030${id.slice(1)}`,
  ];
  for (const text of odd) {
    const json = cursorOn(`"${text}"`);
    await assert.rejects(
      json.whole(() => json.copyId(new CborWriter())),
      /must be an object id, 64 hex digits/,
    );
  }
});

Deno.test("copyInteger() takes integers of 64 bits with a sign", async () => {
  const read = async (text: string) => {
    const json = cursorOn(text);
    const out = new CborWriter();
    await json.whole(() => json.copyInteger(out));
    return toHex(out.finish());
  };
  assert.equal(await read(" 9223372036854775807"), "1b7fffffffffffffff");
  assert.equal(await read("-9223372036854775808"), "3b7fffffffffffffff");
  for (const text of ["9223372036854775808", "-0", "1.0", "1e3", "12.5"]) {
    await assert.rejects(read(text), /must be an integer of 64 bits/, text);
  }
});

Deno.test("whole() reads a text larger than its window", async () => {
  const long = "x".repeat(300_000);
  const bytes = encodeUtf8(`"${long}" "y"`);
  let at = 0;
  const json = new JsonBytes({
    next: () => {
      const value = bytes.slice(at, at += 10_000);
      return Promise.resolve(
        value.length > 0
          ? { done: false, value }
          : { done: true, value: undefined },
      );
    },
  });
  assert.equal(await json.whole(() => json.text()), long);
  assert.equal(await json.whole(() => json.text()), "y");
});
