import assert from "node:assert/strict";
import { isMnemError } from "../errors.ts";
import type { CborValue } from "./cbor_value.ts";
import { encodeCbor } from "./encode_cbor.ts";
import {
  checkAuthor,
  checkMessage,
  checkTime,
  decodeCommit,
  encodeCommit,
} from "./commit.ts";
import { fromHex, toHex } from "./hex.ts";

const A = "a1".repeat(32);
const B = "B2".repeat(32);
const COMMIT = {
  parents: [A, B],
  state: "c3".repeat(32),
  message: "merge é",
  author: "agent",
  timeMs: -5,
};

const STORED: { readonly [field: string]: CborValue } = {
  kind: "commit",
  parents: [fromHex(A), fromHex(B)],
  state: fromHex(COMMIT.state),
  message: "merge é",
  author: "agent",
  time: -5,
};

Deno.test("encodeCommit() writes every field in canonical order", () => {
  assert.equal(toHex(encodeCommit(COMMIT)), toHex(encodeCbor(STORED)));
  assert.equal(
    toHex(encodeCommit({ ...COMMIT, parents: [] })),
    toHex(encodeCbor({ ...STORED, parents: [] })),
  );
});

Deno.test("decodeCommit() gives back what encodeCommit() was given, ids in lowercase", () => {
  assert.deepEqual(decodeCommit(encodeCommit(COMMIT)), {
    ...COMMIT,
    parents: [A, B.toLowerCase()],
  });
});

Deno.test("decodeCommit() ignores fields that it does not know and rounds late times", () => {
  const bytes = encodeCbor({ ...STORED, run: "r1", time: -(2n ** 63n) });
  assert.deepEqual(decodeCommit(bytes), {
    ...COMMIT,
    parents: [A, B.toLowerCase()],
    timeMs: -(2 ** 63),
  });
});

Deno.test("decodeCommit() tells a corrupt object from one of a later version", async (t) => {
  const corrupt: [string, CborValue][] = [
    ["a node", { ...STORED, kind: "memory_node" }],
    ["parents that are no array", { ...STORED, parents: fromHex(A) }],
    ["a parent that is a text", { ...STORED, parents: [A] }],
    ["a parent of 31 bytes", { ...STORED, parents: [fromHex(A).subarray(1)] }],
    ["a state of 33 bytes", { ...STORED, state: new Uint8Array(33) }],
    ["a message that is no text", { ...STORED, message: null }],
    ["an author that is no text", { ...STORED, author: 1 }],
    ["a time that is a float", { ...STORED, time: 0.5 }],
    ["a time beyond 64 bits with a sign", { ...STORED, time: 2n ** 63n }],
  ];
  for (const name of Object.keys(STORED)) {
    const { [name]: _, ...rest } = STORED;
    corrupt.push([`no ${name}`, rest]);
  }
  assert.equal(corrupt.length, 15);
  for (const [name, value] of corrupt) {
    await t.step(name, () => {
      assert.throws(
        () => decodeCommit(encodeCbor(value)),
        (error) => isMnemError(error, "corrupt_store"),
      );
    });
  }
  assert.throws(
    () => decodeCommit(encodeCbor({ ...STORED, kind: "signed_commit" })),
    (error) => isMnemError(error, "format_version"),
  );
});

Deno.test("checkMessage() and checkAuthor() know their limits", () => {
  assert.equal(checkMessage(""), "");
  assert.equal(checkAuthor(""), "");
  assert.equal(checkMessage("x".repeat(65_536)).length, 65_536);
  assert.equal(checkAuthor("x".repeat(4096)).length, 4096);
  assert.throws(() => checkMessage("x".repeat(65_537)), {
    name: "RangeError",
    message: /message: 65537 bytes, the limit is 65536/,
  });
  assert.throws(() => checkAuthor("é".repeat(2049)), {
    name: "RangeError",
    message: /author: 4098 bytes, the limit is 4096/,
  });
  for (const fault of [undefined, null, 1, {}, "\ud800"]) {
    assert.throws(() => checkMessage(fault), TypeError);
    assert.throws(() => checkAuthor(fault), TypeError);
  }
});

Deno.test("checkTime() wants a safe integer", () => {
  for (
    const time of [
      0,
      -1,
      1757000000000,
      Number.MAX_SAFE_INTEGER,
      Number.MIN_SAFE_INTEGER,
    ]
  ) {
    assert.equal(checkTime(time), time);
  }
  assert.ok(Object.is(checkTime(-0), 0));
  for (const time of [1.5, NaN, Infinity, 2 ** 53]) {
    assert.throws(() => checkTime(time), RangeError);
  }
  for (const time of [undefined, null, "0", 1n, new Date(0)]) {
    assert.throws(() => checkTime(time), TypeError);
  }
});
