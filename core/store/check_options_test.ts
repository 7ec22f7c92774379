import assert from "node:assert/strict";
import {
  checkAnyId,
  checkCount,
  checkFlag,
  checkFunction,
  checkLog,
  checkOptions,
  checkRange,
  checkSignal,
} from "./check_options.ts";

Deno.test("what is right passes as it is, and undefined counts as absent", () => {
  const options = {};
  assert.equal(checkOptions(options), options);
  for (const flag of [true, false, undefined]) {
    assert.equal(checkFlag("f", flag), flag);
  }
  for (const count of [0, 1, Number.MAX_SAFE_INTEGER, undefined]) {
    assert.equal(checkCount("c", count), count);
  }
  checkFunction("f", () => 1);
  checkSignal(undefined);
  checkSignal(AbortSignal.abort());
  for (const id of ["", "\0", "é", "a".repeat(5_000)]) {
    assert.equal(checkAnyId(id), id);
  }
  assert.deepEqual(checkRange({}), {
    ids: undefined,
    prefix: undefined,
    after: undefined,
    limit: undefined,
  });
  const range = { ids: ["b", "a"], prefix: "é", after: "", limit: 0 };
  assert.deepEqual(checkRange(range), {
    ids: ["b", "a"],
    prefix: "é",
    after: "",
    limit: 0,
  });
  assert.deepEqual(checkLog({}), {
    limit: Infinity,
    firstParent: false,
    node: undefined,
  });
  assert.deepEqual(checkLog({ limit: 2, firstParent: true, node: "" }), {
    limit: 2,
    firstParent: true,
    node: "",
  });
});

Deno.test("what is wrong is named, with what it must be", () => {
  const wrong: readonly (readonly [() => unknown, typeof Error, string])[] = [
    [
      () => checkOptions(null),
      TypeError,
      "Cannot use options: null, must be an object",
    ],
    [
      () => checkOptions("x"),
      TypeError,
      "Cannot use options: string, must be an object",
    ],
    [
      () => checkFlag("f", null),
      TypeError,
      '"f" must be true or false, got null',
    ],
    [
      () => checkFlag("f", 0),
      TypeError,
      '"f" must be true or false, got number',
    ],
    [
      () => checkFunction("f", undefined),
      TypeError,
      '"f" must be a function, got undefined',
    ],
    [
      () => checkSignal(null),
      TypeError,
      '"signal" must be an AbortSignal, got null',
    ],
    [
      () => checkSignal(new AbortController()),
      TypeError,
      '"signal" must be an AbortSignal, got object',
    ],
    [() => checkCount("c", "1"), TypeError, '"c" must be a number, got string'],
    [
      () => checkCount("c", -1),
      RangeError,
      '"c" must be an integer of 0 or more, got -1',
    ],
    [
      () => checkCount("c", 2 ** 53),
      RangeError,
      '"c" must be an integer of 0 or more, got 9007199254740992',
    ],
    [
      () => checkAnyId(5),
      TypeError,
      "Cannot use node id: number, must be a string",
    ],
    [
      () => checkRange({ prefix: "\ud800" }),
      TypeError,
      "Cannot use prefix: it has a lone surrogate, must be well-formed Unicode",
    ],
    [
      () => checkLog({ node: "\udc00" }),
      TypeError,
      "Cannot use node id: it has a lone surrogate, must be well-formed Unicode",
    ],
  ];
  for (const [check, kind, message] of wrong) {
    assert.throws(
      check,
      (error) => error instanceof kind && error.message === message,
      message,
    );
  }
});
