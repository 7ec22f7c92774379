import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { isMnemError } from "../errors.ts";
import { type CborValue, FloatNumber } from "../object/cbor_value.ts";
import { encodeCbor } from "../object/encode_cbor.ts";
import { stringifyBundleJson } from "../object/json_writer.ts";
import { decodeUtf8 } from "../object/utf8.ts";
import { writeObject } from "./object_writer.ts";
import { writeState } from "./state_writer.ts";
import { TextBytes } from "./text_bytes.ts";

/** The text of an object, given its bytes. */
function textOf(bytes: Uint8Array, kind: "memory_node" | "commit"): string {
  const out = new TextBytes();
  writeObject(out, bytes, 0, kind);
  return decodeUtf8(out.take());
}

/** The same, made by the writer of whole values; fields in the order of the format. */
function expectedOf(fields: readonly (readonly [string, CborValue])[]): string {
  return stringifyBundleJson(new Map(fields), { indent: 2, level: 2 });
}

Deno.test("writeObject() writes a node of any content as the writer of values does", () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 4 }),
      fc.string({ unit: "binary" }),
      (value, id) => {
        const content = value as CborValue;
        const fields = [
          ["kind", "memory_node"],
          ["id", id],
          ["content", content],
          ["content_kind", "claim"],
        ] as const;
        const bytes = encodeCbor(new Map<string, CborValue>(fields));
        assert.equal(textOf(bytes, "memory_node"), expectedOf(fields));
      },
    ),
    { seed: 3, numRuns: 500 },
  );
});

Deno.test("writeObject() writes every form of a number", () => {
  const numbers: CborValue[] = [
    0,
    -0,
    1,
    new FloatNumber(1),
    new FloatNumber(-(2 ** 60)),
    2 ** 60,
    2n ** 64n - 1n,
    -(2n ** 63n),
    4294967295,
    4294967296,
    -25,
    0.5,
    1e-5,
    9e-6,
    1e16,
    5e-324,
    1.5e300,
  ];
  const fields = [
    ["kind", "memory_node"],
    ["id", "n"],
    ["content", numbers],
    ["content_kind", "note"],
  ] as const;
  const bytes = encodeCbor(new Map<string, CborValue>(fields));
  const text = textOf(bytes, "memory_node");
  assert.equal(text, expectedOf(fields));
  assert.match(text, /1e\+16,\s+5e-324,\s+1.5e\+300/);
});

Deno.test("writeObject() puts known fields in their order, and others after them", () => {
  const bytes = encodeCbor({
    zz: 1,
    é: 2,
    id: "n",
    kind: "memory_node",
    content: { b: 1, aa: 2, é: 3, "～": 4, "😀": 5 },
    content_kind: "note",
    event_time: -1,
    provenance: {
      later: "l",
      note: "",
      source: "s",
      tool_call: "t",
      agent_step: "a",
      observation: "o",
    },
  });
  const names = [...textOf(bytes, "memory_node").matchAll(/"([^"]+)": /g)]
    .map(([, name]) => name);
  assert.deepEqual(names, [
    "kind",
    "id",
    "content",
    ..."aa b é ～ 😀".split(" "),
    "content_kind",
    "provenance",
    "agent_step",
    "observation",
    "tool_call",
    "source",
    "note",
    "later",
    "event_time",
    "zz",
    "é",
  ]);
});

Deno.test("writeObject() writes the ids of a commit as hex", () => {
  const id = (byte: number) => new Uint8Array(32).fill(byte);
  const bytes = encodeCbor({
    kind: "commit",
    time: 2n ** 62n,
    state: id(0xab),
    author: "a",
    message: 'line\n"\\\u0001\u007f/',
    parents: [id(1), id(0xff)],
  });
  assert.equal(
    textOf(bytes, "commit"),
    `{
      "kind": "commit",
      "parents": [
        "${"01".repeat(32)}",
        "${"ff".repeat(32)}"
      ],
      "state": "${"ab".repeat(32)}",
      "message": "line\\n\\"\\\\\\u0001\u007f/",
      "author": "a",
      "time": 4611686018427387904
    }`,
  );
});

Deno.test("writeObject() refuses bytes in a field that it does not know", () => {
  const bytes = encodeCbor({
    kind: "memory_node",
    id: "n",
    content: 1,
    content_kind: "note",
    salt: new Uint8Array(4),
  });
  assert.throws(
    () => textOf(bytes, "memory_node"),
    (error) => isMnemError(error, "format_version"),
  );
});

Deno.test("writeState() writes nodes in bytewise order, piece by piece", () => {
  const ids = Array.from(
    { length: 3_000 },
    (_, i) => `${["n", "é", "😀", "～", "long-"][i % 5]}${i}`,
  );
  const nodes = new Map(
    ids.map((id, i) => [id, new Uint8Array(32).fill(i)] as const),
  );
  const bytes = encodeCbor(
    new Map<string, CborValue>([["kind", "state"], ["nodes", nodes]]),
  );
  const out = new TextBytes();
  const pieces: Uint8Array[] = [];
  for (const _ of writeState(out, bytes, "state")) {
    pieces.push(out.take().slice());
  }
  assert.ok(pieces.length > 2, `${pieces.length} pieces`);
  assert.ok(pieces.every((piece) => piece.length < 80_000));
  pieces.push(out.take().slice());
  const text = pieces.map(decodeUtf8).join("");
  const written: { nodes: object } = JSON.parse(text);
  assert.deepEqual(
    Object.keys(written.nodes),
    ids.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
  );
  assert.ok(text.startsWith('{\n      "kind": "state",\n      "nodes": {\n'));
});

Deno.test("writeState() writes an empty state and an index", () => {
  const write = (fields: CborValue, kind: "state" | "state_index") => {
    const out = new TextBytes();
    for (const _ of writeState(out, encodeCbor(fields), kind)) continue;
    return decodeUtf8(out.take());
  };
  assert.equal(
    write({ kind: "state", nodes: {} }, "state"),
    '{\n      "kind": "state",\n      "nodes": {}\n    }',
  );
  const nodes = { a: new Uint8Array(32) };
  assert.equal(
    write(
      { kind: "state_index", level: 2, count: 70_000, nodes },
      "state_index",
    ),
    `{
      "kind": "state_index",
      "level": 2,
      "count": 70000,
      "nodes": {
        "a": "${"00".repeat(32)}"
      }
    }`,
  );
});
