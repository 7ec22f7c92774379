import assert from "node:assert/strict";
import { type TextLine, textLines } from "./text_lines.ts";

const encoder = new TextEncoder();

async function linesOf(
  pieces: readonly Uint8Array[],
  limit?: number,
): Promise<TextLine[]> {
  return await Array.fromAsync(textLines(pieces, limit));
}

Deno.test("textLines() gives the same lines however the bytes are cut", async () => {
  const bytes = encoder.encode("\ufeffone\r\n\n thrée \rx\n\ufefflast");
  const texts = ["one", "", " thrée \rx", "\ufefflast"];
  for (let size = 1; size <= bytes.length; size++) {
    const pieces: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += size) {
      pieces.push(bytes.slice(at, at + size));
    }
    const lines = await linesOf(pieces);
    assert.deepEqual(lines.map(({ text }) => text), texts);
    assert.deepEqual(lines.map(({ number }) => number), [1, 2, 3, 4]);
    assert.deepEqual(lines.map(({ isEnded }) => isEnded), [
      true,
      true,
      true,
      false,
    ]);
  }
  assert.deepEqual(await linesOf([]), []);
});

Deno.test("textLines() takes a line of the limit, and names one that is longer", async () => {
  const lines = await linesOf([
    encoder.encode("1234\n123"),
    encoder.encode("45\n6"),
  ], 4);
  assert.deepEqual(lines.map(({ text, fault }) => fault ?? text), [
    "1234",
    "the line has 5 bytes, the limit is 4",
    "6",
  ]);
});
