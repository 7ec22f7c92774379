import assert from "node:assert/strict";
import { REQUESTS_IN_ROW_MAX } from "../limits.ts";
import { fromHex, toHex } from "../object/hex.ts";
import {
  type KeptRequest,
  readRequests,
  requestMarkRow,
  requestsRow,
} from "./kept_requests.ts";
import { requestKey, requestKeys, requestMarkKey } from "./keys.ts";
import { unframeRow } from "./row.ts";

const [a, b, c, d] = ["a5", "b1", "c2", "d3"].map((byte) => byte.repeat(16));
const write: KeptRequest = {
  name: a!,
  digest: b!,
  isStaged: false,
  before: null,
  commit: c!,
  target: null,
};
const merge: KeptRequest = {
  ...write,
  name: "25".repeat(16),
  before: d!,
  target: d!,
};

Deno.test("requestsRow() writes what FORMAT.md says, and readRequests() reads it", () => {
  const { key, value } = requestsRow("main", [merge, {
    ...write,
    isStaged: true,
  }]);
  // 0xa5 and 0x25 are 37 modulo 64.
  assert.deepEqual(key, ["k", "main", Uint8Array.of(37)]);
  const inside = unframeRow(key, value, true);
  assert.ok("payload" in inside);
  assert.equal(
    toHex(inside.payload),
    `8286` + `50${merge.name}` + `50${b}` + "f4" + `50${d}` + `50${c}` +
      `50${d}` +
      `86` + `50${a}` + `50${b}` + "f5" + "f6" + `50${c}` + "f6",
  );
  assert.deepEqual(readRequests(key, inside.payload), [
    merge,
    { ...write, isStaged: true },
  ]);
});

Deno.test("requestKeys() names the mark and every row that requestKey() can name", () => {
  const keys = requestKeys("main").map((key) => String(key));
  assert.equal(new Set(keys).size, 65);
  assert.equal(keys[0], String(requestMarkKey("main")));
  for (let byte = 0; byte < 256; byte++) {
    const name = byte.toString(16).padStart(2, "0") + "00".repeat(15);
    assert.ok(keys.slice(1).includes(String(requestKey("main", name))));
  }
  const { key, value } = requestMarkRow("main");
  assert.deepEqual(unframeRow(key, value, true), { payload: new Uint8Array() });
});

Deno.test("readRequests() refuses what is no list of requests", () => {
  const key = requestKey("main", a!);
  const item = `8650${a}50${b}f4f6f6f6`;
  assert.equal(readRequests(key, fromHex(`81${item}`)).length, 1);
  const full = (count: number) =>
    fromHex(`98${count.toString(16)}${item.repeat(count)}`);
  assert.equal(readRequests(key, full(64)).length, REQUESTS_IN_ROW_MAX);
  const bad = [
    fromHex("01"),
    fromHex("8101"),
    fromHex(`818550${a}50${b}f4f6f6`),
    fromHex(`8186f650${b}f4f6f6f6`),
    fromHex(`818650${a}50${b}00f6f6f6`),
    fromHex(`818650${a}50${b}f4f6f64100`),
    fromHex(`818650${a}50${b}f4f6f66161`),
    full(65),
    fromHex(`82${item}`),
    new Uint8Array(),
  ];
  for (const payload of bad) {
    assert.throws(() => readRequests(key, payload), { code: "corrupt_store" });
  }
});
