import assert from "node:assert/strict";
import { jsonPieces } from "./json_pieces.ts";

/** The pieces of a text that comes in parts of a size, each in one line. */
async function brief(text: string, size: number): Promise<string[]> {
  const bytes = new TextEncoder().encode(text);
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    parts.push(bytes.slice(at, at + size));
  }
  const pieces = await Array.fromAsync(jsonPieces(parts, ["results"]));
  return pieces.map(({ kind, list, first, last, isCut, bytes }) => {
    const text = new TextDecoder().decode(bytes).trim();
    const lines = first === last ? first : `${first}-${last}`;
    return [kind, list, lines, isCut ? "cut" : undefined, text].filter((part) =>
      part !== undefined
    ).join(" ");
  });
}

const ROWS: readonly (readonly [string, readonly string[]])[] = [
  ["", []],
  ["[]", ["whole 1 []"]],
  ['[{"a":1},\n {"b":[1,2]}\n,"c"]', [
    'item 1 {"a":1}',
    'item 2 {"b":[1,2]}',
    'item 3 "c"',
    "whole 1-3 [\n ]",
  ]],
  ['{"results":[{"a":"x,]\\"}"},\n3],"count":2}', [
    'item results 1 {"a":"x,]\\"}"}',
    "item results 2 3",
    'whole 1-2 {"results":[\n],"count":2}',
  ]],
  ['{"x":{"results":[1]},"z":[1,2]}', [
    'whole 1 {"x":{"results":[1]},"z":[1,2]}',
  ]],
  // A bracket or a quote that is missing spoils its item alone.
  ['[{"a":[1},{"b":"un\n},{"c":3}]', [
    'item 1 {"a":[1}',
    'item 1-2 {"b":"un\n}',
    'item 2 {"c":3}',
    "whole 1-2 []",
  ]],
  ['[{"a":1},\n{"b":', [
    'item 1 {"a":1}',
    'item 2 cut {"b":',
    "whole 1-2 cut [",
  ]],
  ['\ufeff{"a":1}\n{"b":2}\nnope {"c":3}', [
    'whole 1 {"a":1}',
    'whole 2 {"b":2}',
    "stray 3 nope",
    'whole 3 {"c":3}',
  ]],
  ["hello", ["whole 1 hello"]],
];

Deno.test("jsonPieces() gives the same pieces with their lines however the bytes are cut", async () => {
  for (const [text, pieces] of ROWS) {
    for (const size of [1, 2, 3, 7, 1_000]) {
      assert.deepEqual(await brief(text, size), pieces, `${size}: ${text}`);
    }
  }
});

Deno.test("jsonPieces() holds no text that is no name", async () => {
  const chunk = new Uint8Array(1024 * 1024).fill(0x78);
  function* text() {
    yield new TextEncoder().encode('{"note":"');
    for (let at = 0; at < 140; at++) yield chunk;
    yield new TextEncoder().encode('","results":[1]}');
  }
  const pieces = await Array.fromAsync(jsonPieces(text(), ["results"]));
  assert.deepEqual(
    pieces.map(({ kind, list, bytes }) => [kind, list, bytes.length]),
    [["item", "results", 1], ["whole", undefined, 0]],
  );
});
