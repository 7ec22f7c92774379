import assert from "node:assert/strict";
import { blake3 } from "../object/hash.ts";
import { fromHex, toHex } from "../object/hex.ts";
import { encodeUtf8 } from "../object/utf8.ts";
import { askedRequest, askedWrite } from "./asked_request.ts";
import { askedMerge, prepareMerge } from "./merge_request.ts";

const digestOf = (bytes: Uint8Array) => toHex(blake3(bytes)).slice(0, 32);
const text = (value: string) =>
  (0x60 + value.length).toString(16) + toHex(encodeUtf8(value));
const defaults = { author: undefined, clock: () => 1 };
const object = new Uint8Array(32).fill(9);
const plan = { id: "plan", node: { object, bytes: new Uint8Array() } };
const old = { id: "old", node: null };

Deno.test("askedWrite() names a key and what is asked for as FORMAT.md says", () => {
  const asked = askedWrite("call-7", [old, plan]);
  assert.deepEqual(asked, {
    text: "call-7",
    name: digestOf(encodeUtf8("call-7")),
    digest: digestOf(fromHex(
      `82${text("write")}82` + `82${text("old")}f6` +
        `82${text("plan")}5820${toHex(object)}`,
    )),
    isStaged: false,
    isEmptied: false,
  });
  const staged = askedWrite("call-7", [old, plan], true);
  assert.deepEqual(staged, { ...asked, isStaged: true });
  assert.equal(askedWrite("call-7", [], true)?.isEmptied, true);
  const never = () => assert.fail("there is no key");
  assert.equal(askedRequest(undefined, never), undefined);
  assert.equal(askedWrite("call-7", [])?.isEmptied, false);
});

Deno.test("askedMerge() takes the decisions, and not what the commit says", () => {
  const digest = (options: Parameters<typeof askedMerge>[0]) =>
    askedMerge(
      { key: "k", ...options },
      ["merge", "side"],
      prepareMerge(options, defaults),
    )?.digest;
  const plain = digest({});
  assert.equal(
    plain,
    digestOf(fromHex(`85${text("merge")}${text("side")}f6f4a0`)),
  );
  assert.equal(
    digest({
      strategy: "ours",
      allowUnrelated: true,
      resolutions: { b: "theirs", a: "delete" },
    }),
    digestOf(fromHex(
      `85${text("merge")}${text("side")}${text("ours")}f5a2` +
        text("a") + text("delete") + text("b") + text("theirs"),
    )),
  );
  assert.equal(digest({ message: "m", author: "a", timeMs: 5 }), plain);
  assert.equal(digest({ dryRun: true }), undefined);
  assert.notEqual(digest({ resolutions: { a: { content: 1 } } }), plain);
});
