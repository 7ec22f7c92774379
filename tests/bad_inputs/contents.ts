/**
 * Content that is no JSON, or too much of it.
 *
 * @module
 */

import { remember, rememberMany } from "@mnem/agents";
import { any, type BadInput } from "./bad_input.ts";

class Instance {
  readonly field = 1;
}

function deep(levels: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) value = [value];
  return value;
}

function circle(): unknown {
  const value: { self?: unknown } = {};
  value.self = value;
  return value;
}

const accessor = Object.defineProperty({}, "field", {
  get: () => 1,
  enumerable: true,
});

/** No door of text can say these. */
const NO_JSON: readonly (readonly [string, unknown])[] = [
  ["undefined", undefined],
  ["NaN", NaN],
  ["an infinity", -Infinity],
  ["a function", () => 1],
  ["a symbol", Symbol("s")],
  ["a Date", new Date(0)],
  ["a Map", new Map([["k", 1]])],
  ["bytes", new Uint8Array(2)],
  ["an instance of a class", new Instance()],
  ["an accessor", accessor],
  ["a circle", circle()],
  ["an array with a gap", Array.from({ length: 2 }).fill(1, 1).length && [, 1]],
  ["undefined deep inside", { list: [{ field: undefined }] }],
];

/** Nor may these be stored by whoever can say them: name, value, its text. */
const NOT_STORABLE: readonly (readonly [string, unknown, string])[] = [
  ["2^64", 2n ** 64n, "18446744073709551616"],
  ["less than -2^63", -(2n ** 63n) - 1n, "-9223372036854775809"],
  ["half a character", "a\ud800", '"a\\ud800"'],
  ["half a character in a key", { "\udc00": 1 }, '{"\\udc00":1}'],
  ["128 levels", deep(128), "[".repeat(128) + "1" + "]".repeat(128)],
  ["2^64 deep inside", { a: [2n ** 64n] }, '{"a":[18446744073709551616]}'],
];

/** JSON that is none. */
const BAD_TEXT = ["", "{", "[1,]", "{a:1}", "NaN", "'x'", "1 2", "01", '"\t"'];

/** Every content that is refused. */
export const BAD_CONTENTS: readonly BadInput[] = [
  ...NO_JSON.map(([name, content]): BadInput => ({
    name: `content: ${name}`,
    code: "invalid_argument",
    library: (store) => remember(store, "x", any(content)),
  })),
  ...NOT_STORABLE.map(([name, content, text]): BadInput => ({
    name: `content: ${name}`,
    code: "invalid_argument",
    library: (store) => remember(store, "x", any(content)),
    mcp: ["remember", { id: "x", content }],
    cli: ["remember", "x", `--content-json=${text}`],
    langgraph: (memory) => memory.put(["ns"], "x", { content }),
  })),
  ...NOT_STORABLE.map(([name, content]): BadInput => ({
    name: `content of the last of many: ${name}`,
    code: "invalid_argument",
    library: (store) =>
      rememberMany(store, [{ id: "y", content: 1 }, { id: "x", content }]),
    mcp: ["remember_many", {
      items: [{ id: "y", content: 1 }, { id: "x", content }],
    }],
    langgraph: (memory) =>
      memory.batch([
        { namespace: ["ns"], key: "y", value: { fine: 1 } },
        any({ namespace: ["ns"], key: "x", value: { content } }),
      ]),
  })),
  ...BAD_TEXT.map((text): BadInput => ({
    name: `content as JSON: ${JSON.stringify(text)}`,
    code: "invalid_argument",
    cli: ["remember", "x", `--content-json=${text}`],
  })),
  {
    name: "content: more than 8 MiB",
    code: "invalid_argument",
    library: (store) => remember(store, "x", "x".repeat(8 * 1024 * 1024)),
    mcp: ["remember", { id: "x", content: "x".repeat(8 * 1024 * 1024) }],
    langgraph: (memory) =>
      memory.put(["ns"], "x", { text: "x".repeat(8 * 1024 * 1024) }),
  },
  {
    name: "content: none is given",
    code: "invalid_argument",
    mcp: ["remember", { id: "x" }],
  },
  {
    name: "content: given twice",
    code: "invalid_argument",
    cli: ["remember", "x", "text", "--content-json=1"],
  },
  {
    name: "content: of a file that is not there",
    code: "invalid_argument",
    cli: ["remember", "x", "--content-file=no-such-file"],
  },
];
