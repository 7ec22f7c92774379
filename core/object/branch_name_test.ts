import assert from "node:assert/strict";
import { isMnemError } from "../errors.ts";
import { checkBranchName, isBranchName } from "./branch_name.ts";

Deno.test("checkBranchName() accepts the names of the reference", () => {
  const names = [
    "main",
    "feature/x",
    "a-b_c.d",
    "café",
    "v1.2",
    "a//b",
    "Head",
    "HEAD/x",
    "0",
    "-",
    "_",
    "ⅷ",
    "日本",
    "deadbeef",
    "x".repeat(1000),
    "é".repeat(500),
  ];
  for (const name of names) {
    assert.equal(checkBranchName(name), name);
    assert.ok(isBranchName(name), name);
  }
});

Deno.test("checkBranchName() refuses every other text as invalid_ref", () => {
  const names = [
    "",
    "HEAD",
    "/x",
    "x/",
    ".x",
    "x.",
    "a..b",
    "a b",
    "a\tb",
    "a\nb",
    "x\n",
    "\nx",
    "a~b",
    "a:b",
    "a^b",
    "a@b",
    "a{b",
    "a\\b",
    "a*b",
    "a\0b",
    "a\u00a0b",
    "😀",
    "a\ud800",
    "a\u0301",
    "x".repeat(1001),
    "é".repeat(501),
  ];
  for (const name of names) {
    assert.ok(!isBranchName(name), name);
    assert.throws(
      () => checkBranchName(name),
      (error) => isMnemError(error, "invalid_ref"),
      JSON.stringify(name),
    );
  }
});

Deno.test("checkBranchName() says what is wrong", () => {
  assert.throws(() => checkBranchName("a b"), /"a b": it has " "/);
  assert.throws(
    () => checkBranchName("é".repeat(501)),
    /1002 bytes, the limit is 1000/,
  );
});

Deno.test("checkBranchName() refuses other types as a caller's mistake", () => {
  for (const name of [undefined, null, 1, {}, ["main"]]) {
    assert.throws(() => checkBranchName(name), TypeError);
  }
});
