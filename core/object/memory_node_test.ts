import assert from "node:assert/strict";
import { isMnemError } from "../errors.ts";
import { CONTENT_BYTES_MAX } from "../limits.ts";
import { type CborValue, FloatNumber } from "./cbor_value.ts";
import { encodeCbor } from "./encode_cbor.ts";
import { toHex } from "./hex.ts";
import {
  decodeNode,
  encodeNode,
  type MemoryNode,
  type NodeInput,
  sameNode,
} from "./memory_node.ts";

const FULL: NodeInput = {
  content: { plan: "enterprise", seats: 40 },
  contentKind: "claim",
  provenance: {
    agentStep: "triage",
    observation: "ticket-4821 body",
    toolCall: "read-ticket",
    source: "",
    note: "first contact",
  },
  eventTimeMs: -1,
};

const STORED: { readonly [field: string]: CborValue } = {
  kind: "memory_node",
  id: "n",
  content: 1,
  content_kind: "note",
};

/** Passes anything to encodeNode, as a caller without types can. */
function encodeAny(...args: unknown[]): unknown {
  return Reflect.apply(encodeNode, undefined, args);
}

Deno.test("encodeNode() writes every field in canonical order", () => {
  const { bytes, id } = encodeNode("customer-4821", FULL);
  const expected = encodeCbor({
    kind: "memory_node",
    id: "customer-4821",
    content: { seats: 40, plan: "enterprise" },
    content_kind: "claim",
    provenance: {
      agent_step: "triage",
      observation: "ticket-4821 body",
      tool_call: "read-ticket",
      source: "",
      note: "first contact",
    },
    event_time: -1,
  });
  assert.equal(toHex(bytes), toHex(expected));
  assert.equal(id.length, 32);
});

Deno.test("encodeNode() writes each field of provenance alone", () => {
  const names = [
    ["agentStep", "agent_step"],
    ["observation", "observation"],
    ["toolCall", "tool_call"],
    ["source", "source"],
    ["note", "note"],
  ] as const;
  for (const [name, stored] of names) {
    const { bytes } = encodeNode("n", {
      content: 1,
      provenance: { [name]: "x" },
    });
    assert.equal(
      toHex(bytes),
      toHex(encodeCbor({ ...STORED, provenance: { [stored]: "x" } })),
    );
    assert.deepEqual(decodeNode(bytes).provenance, { [name]: "x" });
  }
});

Deno.test("encodeNode() takes undefined for absent everywhere but in content", () => {
  const bare = toHex(encodeNode("n", { content: "x" }).bytes);
  const forms: unknown[] = [
    {
      content: "x",
      contentKind: undefined,
      provenance: undefined,
      eventTimeMs: undefined,
    },
    { content: "x", provenance: {} },
    { content: "x", provenance: { source: undefined, other: undefined } },
    { content: "x", contentKind: "note", remove: undefined },
    { content: "x", id: "n" },
  ];
  for (const form of forms) {
    assert.deepEqual(encodeAny("n", form), encodeNode("n", { content: "x" }));
  }
  assert.equal(
    bare,
    toHex(
      encodeCbor({
        kind: "memory_node",
        id: "n",
        content: "x",
        content_kind: "note",
      }),
    ),
  );
  assert.throws(() => encodeAny("n", { content: undefined }), TypeError);
  assert.throws(() => encodeAny("n", {}), TypeError);
});

Deno.test("decodeNode() gives back what encodeNode() was given", () => {
  assert.deepEqual(decodeNode(encodeNode("a", FULL).bytes), {
    id: "a",
    ...FULL,
  });
  assert.deepEqual(
    decodeNode(encodeNode("é", { content: null, eventTimeMs: 0 }).bytes),
    {
      id: "é",
      content: null,
      contentKind: "note",
      provenance: {},
      eventTimeMs: 0,
    },
  );
  const content = JSON.parse('{"__proto__":{"x":[1.5,"y"]},"constructor":1}');
  const node = decodeNode(encodeNode("p", { content }).bytes);
  assert.deepEqual(node.content, content);
  assert.equal("eventTimeMs" in node, false);
});

Deno.test("decodeNode() returns fresh objects each time", () => {
  const { bytes } = encodeNode("n", {
    content: { list: [1] },
    provenance: { source: "s" },
  });
  const first = decodeNode(bytes);
  const second = decodeNode(bytes);
  assert.notEqual(first.content, second.content);
  assert.notEqual(first.provenance, second.provenance);
  assert.deepEqual(first, second);
});

Deno.test("encodeNode() refuses fields of another type as TypeErrors", async (t) => {
  const faults: [string, unknown, unknown][] = [
    ["an id that is a number", 1, { content: 1 }],
    ["an id with NUL", "a\0", { content: 1 }],
    ["no input", "n", undefined],
    ["null", "n", null],
    ["a text for the input", "n", "x"],
    ["an array for the input", "n", [1]],
    ["an unknown field", "n", { content: 1, note: "x" }],
    ["a snake_case field", "n", { content: 1, content_kind: "note" }],
    ["a removal", "n", { content: 1, remove: true }],
    ["another kind", "n", { content: 1, contentKind: "fact" }],
    ["a kind that is null", "n", { content: 1, contentKind: null }],
    ["provenance that is null", "n", { content: 1, provenance: null }],
    ["provenance that is a text", "n", { content: 1, provenance: "ticket" }],
    ["provenance that is an array", "n", {
      content: 1,
      provenance: ["ticket"],
    }],
    ["an unknown field of provenance", "n", {
      content: 1,
      provenance: { step: "x" },
    }],
    ["a field of provenance that is a number", "n", {
      content: 1,
      provenance: { source: 1 },
    }],
    ["a field of provenance that is null", "n", {
      content: 1,
      provenance: { note: null },
    }],
    ["a field of provenance with a lone surrogate", "n", {
      content: 1,
      provenance: { note: "\ud800" },
    }],
    ["a time that is a text", "n", { content: 1, eventTimeMs: "0" }],
    ["a time that is a bigint", "n", { content: 1, eventTimeMs: 1n }],
    ["a time that is a Date", "n", { content: 1, eventTimeMs: new Date(0) }],
    ["a time that is null", "n", { content: 1, eventTimeMs: null }],
    ["content that is not JSON", "n", { content: { when: new Date(0) } }],
  ];
  for (const [name, id, input] of faults) {
    await t.step(name, () => {
      assert.throws(() => encodeAny(id, input), TypeError);
    });
  }
});

Deno.test("encodeNode() says what must be an object", () => {
  const found: [unknown, string][] = [
    [undefined, "undefined"],
    [null, "null"],
    ["x", "string"],
    [[1], "an array"],
  ];
  for (const [value, name] of found) {
    assert.throws(() => encodeAny("n", value), {
      name: "TypeError",
      message: `Cannot use node "n": ${name}, must be an object`,
    });
    if (value === undefined) continue;
    assert.throws(() => encodeAny("n", { content: 1, provenance: value }), {
      name: "TypeError",
      message: `Cannot use provenance of node "n": ${name}, must be an object`,
    });
  }
  assert.throws(() => encodeAny("n", { content: 1, contentKind: "fact" }), {
    message:
      'Cannot use contentKind of node "n": "fact", must be "note" or "claim"',
  });
});

Deno.test("encodeNode() states the limits as RangeErrors", () => {
  const faults: [unknown, unknown, RegExp][] = [
    ["", { content: 1 }, /0 bytes/],
    ["x".repeat(1025), { content: 1 }, /1025 bytes, the limit is 1024/],
    ["n", { content: 1, eventTimeMs: 1.5 }, /1\.5/],
    ["n", { content: 1, eventTimeMs: NaN }, /NaN/],
    ["n", { content: 1, eventTimeMs: 2 ** 53 }, /9007199254740992/],
    [
      "n",
      { content: 1, provenance: { note: "x".repeat(65_537) } },
      /65537 bytes, the limit is 65536/,
    ],
    [
      "n",
      { content: "x".repeat(CONTENT_BYTES_MAX) },
      /8388613 bytes, the limit is 8388608/,
    ],
    ["n", { content: 2n ** 64n }, /2\^64/],
  ];
  for (const [id, input, message] of faults) {
    assert.throws(() => encodeAny(id, input), { name: "RangeError", message });
  }
  assert.doesNotThrow(() =>
    encodeNode("x".repeat(1024), {
      content: 1,
      provenance: { note: "x".repeat(65_536) },
      eventTimeMs: Number.MIN_SAFE_INTEGER,
    })
  );
});

Deno.test("encodeNode() names the node and the place in its errors", () => {
  assert.throws(() => encodeAny("plan", { content: { a: [undefined] } }), {
    message:
      /^Cannot encode content of node "plan": value at "\/a\/0" is undefined, must be /,
  });
  assert.throws(
    () => encodeAny("plan", { content: 1, provenance: { source: 1 } }),
    {
      message:
        'Cannot use source in provenance of node "plan": number, must be a string',
    },
  );
});

Deno.test("decodeNode() ignores fields that it does not know", () => {
  const bytes = encodeCbor({
    ...STORED,
    derived_from: [new Uint8Array(32)],
    salt: new Uint8Array(16),
    provenance: { source: "s", weight: 2 },
  });
  assert.deepEqual(decodeNode(bytes), {
    id: "n",
    content: 1,
    contentKind: "note",
    provenance: { source: "s" },
  });
});

Deno.test("decodeNode() reads what only an import brings", () => {
  const late = encodeCbor({
    ...STORED,
    id: "",
    content: new FloatNumber(1),
    event_time: 2n ** 63n - 1n,
  });
  assert.deepEqual(decodeNode(late), {
    id: "",
    content: 1,
    contentKind: "note",
    provenance: {},
    eventTimeMs: 2 ** 63,
  });
});

Deno.test("decodeNode() tells a corrupt object from one of a later version", async (t) => {
  const { id: _id, ...withoutId } = STORED;
  const { content: _content, ...withoutContent } = STORED;
  const { content_kind: _kind, ...withoutKind } = STORED;
  const { kind: _, ...kindless } = STORED;
  const corrupt: [string, CborValue][] = [
    ["not a map", [1]],
    ["no id", withoutId],
    ["no content", withoutContent],
    ["no content_kind", withoutKind],
    ["no kind", kindless],
    ["a kind that is no text", { ...STORED, kind: 1 }],
    ["a commit", { ...STORED, kind: "commit" }],
    ["a state", { kind: "state", nodes: {} }],
    ["a state index", { kind: "state_index", nodes: {} }],
    ["an id that is no text", { ...STORED, id: 1 }],
    ["bytes in content", { ...STORED, content: [new Uint8Array(1)] }],
    ["another content_kind", { ...STORED, content_kind: "fact" }],
    ["provenance that is no map", { ...STORED, provenance: [1] }],
    ["provenance that is bytes", { ...STORED, provenance: new Uint8Array(1) }],
    ["a source that is no text", { ...STORED, provenance: { source: 1 } }],
    ["a time that is no integer", { ...STORED, event_time: 1.5 }],
    ["a time beyond 64 bits with a sign", { ...STORED, event_time: 2n ** 63n }],
  ];
  for (const [name, value] of corrupt) {
    await t.step(name, () => {
      assert.throws(
        () => decodeNode(encodeCbor(value)),
        (error) => isMnemError(error, "corrupt_store"),
      );
    });
  }
  assert.throws(
    () => decodeNode(new Uint8Array(0)),
    (error) => isMnemError(error, "corrupt_store"),
  );
  assert.throws(
    () => decodeNode(Uint8Array.of(...encodeCbor(STORED), 0)),
    (error) => isMnemError(error, "corrupt_store"),
  );
  assert.throws(
    () => decodeNode(encodeCbor({ ...STORED, kind: "tag" })),
    (error) => isMnemError(error, "format_version"),
  );
});

Deno.test("sameNode() sees content, kind, provenance and event time, not the id", () => {
  const node: MemoryNode = {
    id: "a",
    content: { n: 1, m: [0] },
    contentKind: "note",
    provenance: { source: "s" },
    eventTimeMs: 5,
  };
  const { eventTimeMs: _, ...timeless } = node;
  const same: MemoryNode[] = [
    { ...node },
    { ...node, id: "b" },
    { ...node, content: { m: [-0], n: 1n } },
  ];
  for (const other of same) {
    assert.ok(sameNode(node, other) && sameNode(other, node));
  }
  const different: MemoryNode[] = [
    { ...node, content: { n: 2, m: [0] } },
    { ...node, contentKind: "claim" },
    { ...node, provenance: {} },
    { ...node, provenance: { source: "" } },
    { ...node, provenance: { source: "s", note: "" } },
    { ...node, provenance: { observation: "s" } },
    { ...node, eventTimeMs: 6 },
    timeless,
  ];
  for (const other of different) {
    assert.ok(
      !sameNode(node, other) && !sameNode(other, node),
      JSON.stringify(other),
    );
  }
});
