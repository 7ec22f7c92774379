/**
 * What a caller may get wrong at the door of the store: each mistake is a TypeError or RangeError that
 * names the value, and writes nothing. What is odd but right goes in and comes out.
 *
 * @module
 */

import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import {
  type Edit,
  initStore,
  isMnemError,
  type Json,
  openStore,
  type Store,
} from "@mnem/core";
import { encodeNode } from "../../core/object/memory_node.ts";
import { openStoreOn } from "../../core/store/open_store.ts";
import { MemoryKv } from "../support/memory_kv.ts";
import { tempFolder } from "../support/temp_folder.ts";

type Mistake = readonly [
  name: string,
  args: readonly unknown[],
  kind: typeof Error | string,
  message: RegExp,
];

const MESSAGE = { message: "m", timeMs: 1 };
const OTHER_ID = "f".repeat(64);

class Instance {
  readonly field = 1;
}

/** Calls a method with anything; what it yields is read to the end. */
async function call(
  store: Store,
  path: string,
  args: readonly unknown[],
): Promise<unknown> {
  const names = path.split(".");
  const method = names.pop()!;
  const owner = names.reduce<object>(
    (at, name) => Reflect.get(at, name),
    store,
  );
  const answer: unknown = Reflect.apply(
    Reflect.get(owner, method),
    owner,
    args,
  );
  return isStream(answer) ? await Array.fromAsync(answer) : await answer;
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null &&
    Symbol.asyncIterator in value;
}

/** Runs mistakes against a store that holds something, and looks at every row after each. */
function refuse(method: string, mistakes: readonly Mistake[]): void {
  for (const [name, args, kind, message] of mistakes) {
    Deno.test(`${method}() refuses ${name}`, async () => {
      const kv = new MemoryKv();
      await using store = await openStoreOn(kv.open(), { create: true });
      await store.write([{ id: "a", content: 1 }], MESSAGE);
      await store.stage.put("staged", { content: 1 });
      const before = kv.rows();
      const failure = await (async () => await call(store, method, args))()
        .then(
          (answer) => assert.fail(`it answered ${String(answer)}`),
          (error: unknown) => error,
        );
      const isKind = typeof kind === "string"
        ? isMnemError(failure) && failure.code === kind
        : failure instanceof kind && !isMnemError(failure);
      assert.ok(isKind, `${name}: ${failure}`);
      assert.match(String(failure), message);
      assert.deepEqual(kv.rows(), before);
      assert.equal((await store.node("a"))?.content, 1);
    });
  }
}

const BAD_IDS: readonly (readonly [string, unknown, typeof Error, RegExp])[] = [
  ["no id", undefined, TypeError, /node id: undefined, must be a string/],
  ["a null id", null, TypeError, /node id: null, must be a string/],
  ["a number as id", 5, TypeError, /node id: number/],
  ["an object as id", {}, TypeError, /node id: object/],
  ["a list as id", ["a"], TypeError, /node id: object/],
  ["a symbol as id", Symbol("a"), TypeError, /node id: symbol/],
  ["NUL", "\0", TypeError, /"\\u0000".*NUL/],
  ["an id with NUL", "a\0b", TypeError, /"a\\u0000b".*NUL/],
  ["half an emoji", "\ud83d", TypeError, /surrogate/],
  ["an id that ends in half an emoji", "a\udc00", TypeError, /surrogate/],
  ["an empty id", "", RangeError, /0 bytes, must have 1 to 1024/],
  [
    "an id of 1,025 bytes",
    "a".repeat(1_025),
    RangeError,
    /1025 bytes, the limit is 1024/,
  ],
  [
    "an id of 1,026 bytes in two-byte letters",
    "é".repeat(513),
    RangeError,
    /1026 bytes, the limit is 1024/,
  ],
];

refuse(
  "write",
  BAD_IDS.flatMap(([name, id, kind, message]): Mistake[] => [
    [name, [[{ id, content: 1 }], MESSAGE], kind, message],
    [
      `${name}, after a good one`,
      [[{ id: "b", content: 1 }, { id, content: 1 }], MESSAGE],
      kind,
      message,
    ],
    [`a removal of ${name}`, [[{ id, remove: true }], MESSAGE], kind, message],
  ]),
);
refuse(
  "stage.put",
  BAD_IDS.map((
    [name, id, kind, message],
  ) => [name, [id, { content: 1 }], kind, message]),
);
refuse(
  "stage.remove",
  BAD_IDS.map(([name, id, kind, message]) => [name, [id], kind, message]),
);
refuse(
  "stage.unstage",
  BAD_IDS.map(([name, id, kind, message]) => [name, [id], kind, message]),
);

function cycle(): unknown {
  const list: unknown[] = [];
  list.push({ list });
  return list;
}

function nested(levels: number): Json {
  let value: Json = 1;
  for (let i = 0; i < levels; i++) value = i % 2 === 0 ? [value] : { a: value };
  return value;
}

const accessor = Object.defineProperty({}, "a/b", {
  enumerable: true,
  get: () => assert.fail("the accessor was called"),
});
const hidden = Object.defineProperty({}, "a", { value: 1, enumerable: false });
// deno-lint-ignore no-sparse-arrays -- a gap is what is refused
const sparse = [1, , 3];

const BAD_CONTENT:
  readonly (readonly [string, unknown, typeof Error, RegExp])[] = [
    [
      "undefined",
      undefined,
      TypeError,
      /content of node "a": value at "" is undefined/,
    ],
    [
      "undefined in an object",
      { a: { b: undefined } },
      TypeError,
      /value at "\/a\/b" is undefined/,
    ],
    [
      "undefined in a list",
      [1, undefined],
      TypeError,
      /value at "\/1" is undefined/,
    ],
    ["a function", () => 1, TypeError, /is a function/],
    [
      "a method",
      { a: [() => 1] },
      TypeError,
      /value at "\/a\/0" is a function/,
    ],
    ["a symbol", Symbol("x"), TypeError, /is a symbol/],
    ["a symbol as a key", { [Symbol("x")]: 1 }, TypeError, /a symbol as a key/],
    ["a Date", new Date(0), TypeError, /an instance of Date/],
    ["a Map", new Map(), TypeError, /an instance of Map/],
    [
      "a Set in a list",
      [new Set()],
      TypeError,
      /value at "\/0" is an instance of Set/,
    ],
    ["bytes", new Uint8Array(2), TypeError, /an instance of Uint8Array/],
    [
      "an instance of a class",
      new Instance(),
      TypeError,
      /an instance of Instance/,
    ],
    ["a boxed number", Object(1), TypeError, /an instance of Number/],
    [
      "a list of a class of its own",
      new (class extends Array {})(),
      TypeError,
      /an instance/,
    ],
    ["NaN", NaN, TypeError, /is NaN/],
    ["infinity", { a: Infinity }, TypeError, /value at "\/a" is Infinity/],
    ["minus infinity", [-Infinity], TypeError, /value at "\/0" is -Infinity/],
    ["half an emoji", "x\ud83d", TypeError, /lone surrogate/],
    [
      "half an emoji in a key",
      { "\udc00": 1 },
      TypeError,
      /lone surrogate in a key/,
    ],
    ["an accessor", accessor, TypeError, /value at "\/a~1b" is an accessor/],
    ["a hidden property", hidden, TypeError, /not enumerable/],
    ["a list with gaps", sparse, TypeError, /gaps/],
    [
      "a list with a name",
      Object.assign([1], { name: 1 }),
      TypeError,
      /other properties/,
    ],
    ["a cycle", cycle(), TypeError, /contains itself/],
    ["128 levels", nested(128), RangeError, /over 127 levels/],
    ["2^64", 2n ** 64n, RangeError, /18446744073709551616.*2\^64 - 1/],
    [
      "-2^63 - 1",
      { a: -(2n ** 63n) - 1n },
      RangeError,
      /"\/a" is "-9223372036854775809"/,
    ],
    [
      "a byte over 8 MiB",
      "x".repeat(8 * 2 ** 20 - 4),
      RangeError,
      /8388609 bytes, the limit is 8388608/,
    ],
  ];

refuse(
  "write",
  BAD_CONTENT.map(([name, content, kind, message]) => [
    `${name} as content`,
    [[{ id: "b", content: 1 }, { id: "a", content }], MESSAGE],
    kind,
    message,
  ]),
);
refuse(
  "stage.put",
  BAD_CONTENT.map((
    [name, content, kind, message],
  ) => [`${name} as content`, ["a", { content }], kind, message]),
);

const LONG = "é".repeat(32_769);

refuse(
  "write",
  ([
    [
      "a field of provenance that is none",
      { provenance: { origin: "x" } },
      TypeError,
      /"origin".*agentStep/,
    ],
    [
      "a number in provenance",
      { provenance: { source: 5 } },
      TypeError,
      /source in provenance of node "a": number/,
    ],
    [
      "null in provenance",
      { provenance: { note: null } },
      TypeError,
      /note in provenance of node "a": null/,
    ],
    [
      "provenance that is null",
      { provenance: null },
      TypeError,
      /provenance of node "a": null/,
    ],
    [
      "provenance that is a list",
      { provenance: ["x"] },
      TypeError,
      /provenance of node "a": an array/,
    ],
    [
      "half an emoji in provenance",
      { provenance: { note: "\ud800" } },
      TypeError,
      /surrogate/,
    ],
    [
      "65,538 bytes of provenance",
      { provenance: { observation: LONG } },
      RangeError,
      /65538 bytes, the limit is 65536/,
    ],
    [
      "an event time that is text",
      { eventTimeMs: "1" },
      TypeError,
      /event time of node "a": string/,
    ],
    [
      "an event time that is null",
      { eventTimeMs: null },
      TypeError,
      /event time of node "a": null/,
    ],
    [
      "half a millisecond",
      { eventTimeMs: 1.5 },
      RangeError,
      /event time of node "a": 1.5/,
    ],
    [
      "an event time of 2^53",
      { eventTimeMs: 2 ** 53 },
      RangeError,
      /9007199254740992/,
    ],
    [
      "another kind of content",
      { contentKind: "fact" },
      TypeError,
      /contentKind of node "a": "fact"/,
    ],
    [
      "a kind of content that is null",
      { contentKind: null },
      TypeError,
      /contentKind of node "a": null/,
    ],
    [
      "a field that a node does not have",
      { source: "x" },
      TypeError,
      /unknown field "source"/,
    ],
    [
      "a removal that is false",
      { remove: false },
      TypeError,
      /"remove" must be true/,
    ],
    [
      "a removal with content",
      { remove: true },
      TypeError,
      /stand without other fields/,
    ],
  ] satisfies [string, object, typeof Error, RegExp][]).map((
    [name, fields, kind, message],
  ): Mistake => [
    name,
    [[{ id: "a", content: 2, ...fields }], MESSAGE],
    kind,
    message,
  ]),
);

const EDITS = [{ id: "a", content: 2 }];

refuse("write", [
  [
    "a removal with evidence",
    [[{ id: "a", remove: true, provenance: {} }], MESSAGE],
    TypeError,
    /without other fields/,
  ],
  [
    "an edit without content",
    [[{ id: "a" }], MESSAGE],
    TypeError,
    /is undefined/,
  ],
  [
    "no edits",
    [undefined, MESSAGE],
    TypeError,
    /edits: undefined, must be an iterable/,
  ],
  ["edits that are null", [null, MESSAGE], TypeError, /edits: null/],
  ["edits that are text", ["ab", MESSAGE], TypeError, /edits: string/],
  [
    "edits that are no list",
    [{ id: "a", content: 1 }, MESSAGE],
    TypeError,
    /edits: object, must be an iterable/,
  ],
  [
    "edits that come later",
    [(async function* () {})(), MESSAGE],
    TypeError,
    /edits: object, must be an iterable/,
  ],
  [
    "an edit that is null",
    [[null], MESSAGE],
    TypeError,
    /an edit: null, must be an object/,
  ],
  ["an edit that is text", [["a"], MESSAGE], TypeError, /an edit: string/],
  [
    "100,001 edits",
    [
      Array.from({ length: 100_001 }, (_, i) => ({ id: `n${i}`, content: 1 })),
      MESSAGE,
    ],
    RangeError,
    /100000/,
  ],
  ["edits without an end", [endless(), MESSAGE], RangeError, /100000/],
  ["no options", [EDITS], TypeError, /options: undefined, must be an object/],
  ["options that are null", [EDITS, null], TypeError, /options: null/],
  ["options that are text", [EDITS, "m"], TypeError, /options: string/],
  [
    "no message",
    [EDITS, {}],
    TypeError,
    /message: undefined, must be a string/,
  ],
  [
    "a message that is a number",
    [EDITS, { message: 5 }],
    TypeError,
    /message: number/,
  ],
  [
    "half an emoji as a message",
    [EDITS, { message: "\ud800" }],
    TypeError,
    /surrogate/,
  ],
  [
    "a message of 65,538 bytes",
    [EDITS, { message: LONG }],
    RangeError,
    /65538 bytes, the limit is 65536/,
  ],
  [
    "an author that is null",
    [EDITS, { ...MESSAGE, author: null }],
    TypeError,
    /author: null/,
  ],
  [
    "an author of 4,097 bytes",
    [EDITS, { ...MESSAGE, author: "a".repeat(4_097) }],
    RangeError,
    /4097 bytes, the limit is 4096/,
  ],
  [
    "a time that is null",
    [EDITS, { ...MESSAGE, timeMs: null }],
    TypeError,
    /time: null/,
  ],
  [
    "a time that is a Date",
    [EDITS, { ...MESSAGE, timeMs: new Date(0) }],
    TypeError,
    /time: object/,
  ],
  [
    "a time that is no number",
    [EDITS, { ...MESSAGE, timeMs: NaN }],
    RangeError,
    /time: NaN/,
  ],
  [
    "a time without end",
    [EDITS, { ...MESSAGE, timeMs: Infinity }],
    RangeError,
    /time: Infinity/,
  ],
  [
    "a time of half a millisecond",
    [EDITS, { ...MESSAGE, timeMs: 0.5 }],
    RangeError,
    /time: 0.5/,
  ],
  [
    "a base that is a number",
    [EDITS, { ...MESSAGE, base: 5 }],
    TypeError,
    /"base".*number/,
  ],
  [
    "a base that is an object",
    [EDITS, { ...MESSAGE, base: {} }],
    TypeError,
    /"base".*object/,
  ],
  [
    "a base that is short",
    [EDITS, { ...MESSAGE, base: "abcd" }],
    TypeError,
    /"abcd".*64 hex/,
  ],
  [
    "a base that names nothing",
    [EDITS, { ...MESSAGE, base: OTHER_ID }],
    "invalid_ref",
    /"f{64}"/,
  ],
  [
    "a flag that is text",
    [EDITS, { ...MESSAGE, allowEmpty: "yes" }],
    TypeError,
    /"allowEmpty".*string/,
  ],
  [
    "a flag that is null",
    [EDITS, { ...MESSAGE, allowEmpty: null }],
    TypeError,
    /"allowEmpty".*null/,
  ],
]);

const LISTS: readonly (readonly [string, unknown, typeof Error, RegExp])[] = [
  ["options that are null", null, TypeError, /options: null/],
  ["options that are a number", 5, TypeError, /options: number/],
  ["a limit below 0", { limit: -1 }, RangeError, /"limit".*-1/],
  ["a limit of one and a half", { limit: 1.5 }, RangeError, /"limit".*1.5/],
  ["a limit that is no number", { limit: NaN }, RangeError, /"limit".*NaN/],
  ["a limit that is text", { limit: "5" }, TypeError, /"limit".*string/],
  ["a limit that is null", { limit: null }, TypeError, /"limit".*object/],
];

refuse("nodes", [
  ...LISTS.map((
    [name, options, kind, message],
  ): Mistake => [name, [options], kind, message]),
  ["a prefix that is a number", [{ prefix: 5 }], TypeError, /prefix: number/],
  [
    "half an emoji as a prefix",
    [{ prefix: "\ud83d" }],
    TypeError,
    /prefix.*surrogate/,
  ],
  [
    "an id to go on from that is an object",
    [{ after: {} }],
    TypeError,
    /after: object/,
  ],
]);
refuse("log", [
  ...LISTS.map((
    [name, options, kind, message],
  ): Mistake => [name, [options], kind, message]),
  [
    "a flag that is a number",
    [{ firstParent: 1 }],
    TypeError,
    /"firstParent".*number/,
  ],
  ["a node that is a number", [{ node: 5 }], TypeError, /node id: number/],
]);

for (const method of ["node", "blame", "versions"]) {
  refuse(method, [
    ["no id", [], TypeError, /node id: undefined/],
    ["a number", [5], TypeError, /node id: number/],
    ["half an emoji", ["\ud800"], TypeError, /surrogate/],
  ]);
}
for (
  const method of [
    "resolve",
    "readCommit",
    "at",
    "changes",
    "diff",
    "switchTo",
    "stage.diff",
  ]
) {
  refuse(method, [
    ["a number", [5], TypeError, /number/],
    ["null", [null], TypeError, /object/],
    ["text that is no revision", ["a b"], "invalid_ref", /"a b"/],
    ["no text", [""], "invalid_ref", /""/],
    ["steps that are none", ["main~x"], "invalid_ref", /"main~x"/],
  ]);
}
for (const method of ["createBranch", "deleteBranch", "on"]) {
  refuse(method, [
    ["a number", [5], TypeError, /branch name: number/],
    ["null", [null], TypeError, /branch name: null/],
    ["HEAD", ["HEAD"], "invalid_ref", /HEAD/],
    ["a space", ["has space"], "invalid_ref", /"has space"/],
    ["half an emoji", ["\ud800"], "invalid_ref", /branch name/],
    [
      "1,001 bytes",
      ["b".repeat(1_001)],
      "invalid_ref",
      /1001 bytes, the limit is 1000/,
    ],
  ]);
}
refuse("createBranch", [
  ["options that are null", ["b", null], TypeError, /options: null/],
  ["a start that is a number", ["b", { at: 5 }], TypeError, /number/],
  [
    "a start that names nothing",
    ["b", { at: "nope" }],
    "invalid_ref",
    /"nope"/,
  ],
]);

const never = () => false;

refuse("bisect", [
  ["no predicate", [], TypeError, /"predicate".*undefined/],
  ["a predicate that is an object", [{}], TypeError, /"predicate".*object/],
  ["options that are null", [never, null], TypeError, /options: null/],
  [
    "a flag that is a number",
    [never, { scan: 1 }],
    TypeError,
    /"scan".*number/,
  ],
  ["a revision that is a number", [never, { bad: 5 }], TypeError, /number/],
]);
refuse("stage.put", [
  ["no node", ["a"], TypeError, /node "a": undefined/],
  ["a node that is null", ["a", null], TypeError, /node "a": null/],
  ["a node that is a list", ["a", [1]], TypeError, /node "a": an array/],
  ["a node without content", ["a", {}], TypeError, /is undefined/],
]);
refuse("stage.commit", [
  ["no options", [], TypeError, /options: undefined/],
  ["no message", [{}], TypeError, /message: undefined/],
  ["a base that is a number", [{ ...MESSAGE, base: 5 }], TypeError, /"base"/],
]);

function* endless(): Generator<Edit> {
  for (let i = 0;; i++) yield { id: `n${i % 7}`, content: i };
}

const BAD_OPEN: readonly (readonly [
  string,
  readonly unknown[],
  typeof Error | string,
  RegExp,
])[] = [
  ["options that are null", [null], TypeError, /options: null/],
  ["a flag that is text", [{ create: "yes" }], TypeError, /"create".*string/],
  [
    "a branch that is a number",
    [{ create: true, branch: 5 }],
    TypeError,
    /branch name: number/,
  ],
  [
    "a branch that is none",
    [{ create: true, branch: "a b" }],
    "invalid_ref",
    /"a b"/,
  ],
  [
    "an author that is a number",
    [{ create: true, author: 5 }],
    TypeError,
    /author: number/,
  ],
  [
    "an author that is too long",
    [{ create: true, author: "a".repeat(4_097) }],
    RangeError,
    /4097 bytes/,
  ],
  [
    "a clock that is a number",
    [{ create: true, clock: 5 }],
    TypeError,
    /"clock".*number/,
  ],
  [
    "a clock without a time",
    [{ create: true, clock: () => NaN }],
    RangeError,
    /time: NaN/,
  ],
  [
    "a guard that is an object",
    [{ create: true, guard: {} }],
    TypeError,
    /"guard".*object/,
  ],
];
const BAD_INIT: typeof BAD_OPEN = [
  ["options that are null", [null], TypeError, /options: null/],
  [
    "a branch that is a number",
    [{ defaultBranch: 5 }],
    TypeError,
    /branch name: number/,
  ],
  ["a branch that is none", [{ defaultBranch: "HEAD" }], "invalid_ref", /HEAD/],
  [
    "a form that is none",
    [{ stateForm: "list" }],
    TypeError,
    /"stateForm".*"list"/,
  ],
];

for (
  const [open, table] of [[openStore, BAD_OPEN], [initStore, BAD_INIT]] as const
) {
  for (const [name, args, kind, message] of table) {
    Deno.test(`${open.name}() refuses ${name}, and leaves nothing`, async () => {
      await using folder = await tempFolder();
      const opening: Promise<Store> = Reflect.apply(open, undefined, [
        folder.path,
        ...args,
      ]);
      await assert.rejects(opening, (error) => {
        const isKind = typeof kind === "string"
          ? isMnemError(error) && error.code === kind
          : error instanceof kind;
        return isKind && message.test(String(error));
      });
      assert.deepEqual(await filesOf(folder.path), []);
    });
  }
  Deno.test(`${open.name}() refuses a location that is no text`, async () => {
    for (const location of [undefined, null, 5, {}, new URL("file:///x"), ""]) {
      const opening: Promise<Store> = Reflect.apply(open, undefined, [
        location,
      ]);
      await assert.rejects(opening, TypeError);
    }
  });
}

/** All files below a folder; an empty database that nobody wrote to is none. */
async function filesOf(path: string): Promise<string[]> {
  const names = await readdir(path, { recursive: true });
  return names.filter((name) => !name.startsWith(".mnem"));
}

const ODD_IDS = [
  ":",
  "::",
  "/",
  "//",
  "../..",
  " ",
  "\n",
  "\u0001",
  "\u007f",
  "'",
  '"',
  "%00",
  "-",
  "~",
  "^",
  "@{1}",
  "HEAD",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "null",
  "undefined",
  "0",
  "-1",
  "NaN",
  "é",
  "e\u0301",
  "～",
  "\ufeff",
  "\ufffd",
  "\uffff",
  "😀",
  "👩‍👩‍👧",
  "\u{10ffff}",
  "a".repeat(1_024),
  "é".repeat(512),
  "😀".repeat(256),
];

Deno.test("ids that are odd but right go in, come out in bytewise order and go away", async () => {
  const kv = new MemoryKv();
  await using store = await openStoreOn(kv.open(), { create: true });
  const edits = ODD_IDS.map((id, i) => ({ id, content: { id, i } }));
  const { commit } = await store.write(edits, MESSAGE);
  await using again = await openStoreOn(kv.open());
  const utf8 = new TextEncoder();
  const sorted = ODD_IDS.toSorted((a, b) =>
    compareBytes(utf8.encode(a), utf8.encode(b))
  );
  assert.deepEqual([...(await again.memory()).keys()], sorted);
  for (const [i, id] of ODD_IDS.entries()) {
    assert.deepEqual((await again.node(id))?.content, { id, i });
    assert.equal((await again.blame(id)).commit.id, commit);
    assert.equal((await Array.fromAsync(again.versions(id))).length, 1);
    const next = again.nodes({ after: id, limit: 1 });
    const [after] = await Array.fromAsync(next);
    assert.equal(after?.id, sorted[sorted.indexOf(id) + 1]);
  }
  assert.equal(await again.node("e"), null);
  const removed = await again.write(
    ODD_IDS.map((id) => ({ id, remove: true })),
    MESSAGE,
  );
  assert.deepEqual([...removed.changes.keys()], sorted);
  assert.equal((await again.memory()).size, 0);
});

Deno.test("ids that only an import brings can be asked for, and are not there", async () => {
  await using store = await openStoreOn(new MemoryKv().open(), {
    create: true,
  });
  await store.write([{ id: "a", content: 1 }], MESSAGE);
  for (const id of ["", "\0", "a\0b", "a".repeat(5_000)]) {
    assert.equal(await store.node(id), null);
    assert.deepEqual(await Array.fromAsync(store.versions(id)), []);
    assert.deepEqual(await Array.fromAsync(store.log({ node: id })), []);
    await assert.rejects(
      store.blame(id),
      (error) => isMnemError(error, "not_found"),
    );
  }
});

Deno.test("content at its borders goes in and comes out as it was", async () => {
  const kv = new MemoryKv();
  await using store = await openStoreOn(kv.open(), { create: true });
  const contents: Json[] = [
    null,
    true,
    "",
    "\0",
    0,
    "between",
    -0,
    0.1,
    5e-324,
    1.7976931348623157e308,
    2 ** 53,
    2 ** 60,
    2n ** 64n - 1n,
    -(2n ** 63n),
    [],
    {},
    [[]],
    { "": { "": "" } },
    nested(127),
    JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}'),
    "x".repeat(8 * 2 ** 20 - 5),
  ];
  for (const [i, content] of contents.entries()) {
    await store.write([{ id: "a", content }], MESSAGE);
    await using again = await openStoreOn(kv.open());
    const node = await again.node("a");
    assert.deepEqual(node?.content, content, `content ${i}`);
  }
});

Deno.test("nodes around 60,000 bytes go in and come out, in one row or in pieces", async () => {
  const kv = new MemoryKv();
  await using store = await openStoreOn(kv.open(), { create: true });
  const { bytes } = encodeNode("a", { content: "x".repeat(50_000) });
  const around = bytes.length - 50_000;
  for (let size = 59_990; size <= 60_010; size++) {
    const content = "x".repeat(size - around);
    const pieces = () => kv.rows().filter(({ key }) => key[0] === "x").length;
    const before = pieces();
    await store.write([{ id: "a", content }], MESSAGE);
    // A row holds 60,000 bytes, its form byte included; pieces hold nothing but the value.
    const expected = size < 60_000 ? 0 : Math.ceil(size / 60_000);
    assert.equal(pieces() - before, expected, `${size} bytes`);
    await using again = await openStoreOn(kv.open());
    assert.equal((await again.node("a"))?.content, content);
    assert.equal((await again.memory()).get("a")?.content, content);
  }
});

Deno.test("many nodes with the longest ids are one commit, written, staged and removed", async () => {
  const kv = new MemoryKv();
  await using store = await openStoreOn(kv.open(), { create: true });
  const ids = Array.from(
    { length: 300 },
    (_, i) => `${1_000 + i}`.padEnd(1_024, "é".repeat(510)).slice(0, 514),
  );
  assert.ok(ids.every((id) => new TextEncoder().encode(id).length === 1_024));
  const edits = ids.map((id, content) => ({ id, content }));
  assert.equal((await store.write(edits, MESSAGE)).changes.size, 300);
  assert.deepEqual([...(await store.memory()).keys()], ids);
  const removals = ids.map((id) => ({ id, remove: true as const }));
  assert.equal((await store.write(removals, MESSAGE)).changes.size, 300);
  for (const { id, content } of edits) await store.stage.put(id, { content });
  assert.equal((await store.stage.commit(MESSAGE)).changes.size, 300);
  assert.equal((await store.stage.list()).nodes.size, 0);
  await using again = await openStoreOn(kv.open());
  assert.deepEqual(
    [...(await again.memory()).values()].map(({ content }) => content),
    edits.map(({ content }) => content),
  );
  const versions = await Array.fromAsync(again.versions(ids[7]!));
  assert.deepEqual(versions.map(({ node }) => node?.content), [
    7,
    undefined,
    7,
  ]);
});

Deno.test("texts and times at their borders go in and come out as they were", async () => {
  const kv = new MemoryKv();
  await using store = await openStoreOn(kv.open(), { create: true });
  const long = "é".repeat(32_768);
  const cases = [
    { message: "", author: "", timeMs: 0, note: "", eventTimeMs: 0 },
    {
      message: long,
      author: "é".repeat(2_048),
      timeMs: 2 ** 53 - 1,
      note: long,
      eventTimeMs: 2 ** 53 - 1,
    },
    {
      message: "\0\ufeff😀",
      author: "\n",
      timeMs: -(2 ** 53) + 1,
      note: "\0",
      eventTimeMs: -(2 ** 53) + 1,
    },
  ];
  for (const { note, eventTimeMs, ...options } of cases) {
    const provenance = {
      note,
      agentStep: note,
      observation: note,
      toolCall: note,
      source: note,
    };
    const { commit } = await store.write([{
      id: "a",
      content: 1,
      provenance,
      eventTimeMs,
    }], options);
    await using again = await openStoreOn(kv.open());
    const { id, message, author, timeMs } = await again.readCommit("HEAD");
    assert.deepEqual({ id, message, author, timeMs }, {
      id: commit,
      ...options,
    });
    const node = await again.node("a");
    assert.deepEqual(node?.provenance, provenance);
    assert.equal(node?.eventTimeMs, eventTimeMs);
  }
  const { changes } = await store.write([{
    id: "b",
    content: 1,
    eventTimeMs: -0,
  }], MESSAGE);
  assert.equal(changes.size, 1);
  assert.ok(Object.is((await store.node("b"))?.eventTimeMs, 0));
});

Deno.test("what is undefined counts as absent", async () => {
  await using store = await openStoreOn(new MemoryKv().open(), {
    create: true,
    branch: undefined,
    author: undefined,
    clock: () => 42,
  });
  const none = undefined;
  await store.write([{
    id: "a",
    content: 1,
    contentKind: none,
    provenance: none,
    eventTimeMs: none,
  }], {
    message: "m",
    author: none,
    timeMs: none,
    base: none,
    allowEmpty: none,
  });
  const { author, timeMs } = await store.readCommit("HEAD");
  assert.deepEqual({ author, timeMs }, { author: "unknown", timeMs: 42 });
  assert.deepEqual(await store.node("a"), {
    id: "a",
    content: 1,
    contentKind: "note",
    provenance: {},
  });
  assert.equal(
    (await Array.fromAsync(
      store.nodes({ prefix: none, after: none, limit: none }),
    )).length,
    1,
  );
  assert.equal(
    (await Array.fromAsync(
      store.log({ limit: none, firstParent: none, node: none }),
    )).length,
    1,
  );
  await store.createBranch("b", { at: none });
  assert.equal((await store.at(none)).commit?.message, "m");
});

Deno.test("write() takes content as it is at the call, edits in any iterable, the last of an id", async () => {
  await using store = await openStoreOn(new MemoryKv().open(), {
    create: true,
  });
  const content = { list: [1] };
  const edits: Edit[] = [{ id: "a", content: 0 }, { id: "a", content }, {
    id: "b",
    content: 0,
  }, { id: "b", remove: true }];
  const writing = store.write(new Set(edits), MESSAGE);
  content.list.push(2);
  edits.length = 0;
  const { changes } = await writing;
  assert.deepEqual([...changes], [["a", "added"]]);
  assert.deepEqual((await store.node("a"))?.content, { list: [1] });
});

Deno.test("write() passes on what the edits throw, and writes nothing", async () => {
  const kv = new MemoryKv();
  await using store = await openStoreOn(kv.open(), { create: true });
  const before = kv.rows();
  const failing = function* (): Generator<Edit> {
    yield { id: "a", content: 1 };
    throw new Error("mine");
  };
  await assert.rejects(store.write(failing(), MESSAGE), /mine/);
  assert.deepEqual(kv.rows(), before);
  assert.equal((await store.head()).commit, null);
});

Deno.test("what a read returns is the caller's to change", async () => {
  const kv = new MemoryKv();
  await using store = await openStoreOn(kv.open(), { create: true });
  const content = { list: [{ deep: 1 }], "😀": "x" };
  const provenance = { source: "s" };
  await store.write(
    [{ id: "a", content, provenance }, { id: "b", content: 1 }],
    MESSAGE,
  );
  await store.write([{ id: "b", content: 2 }], { ...MESSAGE, timeMs: 2 });
  await store.stage.put("s", { content: 1 });
  const look = async () => ({
    node: await store.node("a"),
    nodes: await Array.fromAsync(store.nodes()),
    memory: await store.memory(),
    blame: await store.blame("a"),
    versions: await Array.fromAsync(store.versions("b")),
    log: await Array.fromAsync(store.log()),
    first: await Array.fromAsync(store.log({ firstParent: true })),
    ofNode: await Array.fromAsync(store.log({ node: "b" })),
    commit: await store.readCommit("HEAD"),
    at: (await store.at()).commit,
    changes: await store.changes(),
    diff: await Array.fromAsync(store.diff("HEAD~1")),
    branches: await store.branches(),
    head: await store.head(),
    staged: await store.stage.list(),
    bisect: await store.bisect(async (memory) =>
      await memory.node("b") !== null
    ),
  });
  const before = structuredClone(await look());
  const seen = await look();
  spoil(seen);
  assert.notDeepEqual(seen, before);
  assert.deepEqual(await look(), before);
  await store.write([{ id: "b", content: 3 }], { ...MESSAGE, timeMs: 3 });
  assert.equal((await Array.fromAsync(store.log())).length, 3);
});

/** Changes everything that can be changed in a value. */
function spoil(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  if (value instanceof Map) {
    for (const item of value.values()) spoil(item);
    return value.clear();
  }
  for (const [key, item] of Object.entries(value)) {
    spoil(item);
    Reflect.set(value, key, "spoilt");
  }
  if (Array.isArray(value)) value.push("spoilt");
  else Reflect.set(value, "spoilt", true);
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0;; i++) {
    const [left, right] = [a[i] ?? -1, b[i] ?? -1];
    if (left !== right || left === -1) return left - right;
  }
}
