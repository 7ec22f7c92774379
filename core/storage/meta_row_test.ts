import assert from "node:assert/strict";
import { isMnemError, type MnemErrorCode } from "../errors.ts";
import type { CborValue } from "../object/cbor_value.ts";
import { encodeCbor } from "../object/encode_cbor.ts";
import { encodeUtf8 } from "../object/utf8.ts";
import { HEAD_KEY, META_KEY } from "./keys.ts";
import {
  FORMAT_VERSION,
  headRow,
  metaRow,
  readHeadRow,
  readMetaRow,
  STAGE_MARK_ROW,
  type StoreMeta,
} from "./meta_row.ts";
import { frameRow, unframeRow } from "./row.ts";

const META: StoreMeta = {
  format: 1,
  stateForm: "flat",
  defaultBranch: "é/main",
  storeId: Uint8Array.from({ length: 16 }, (_, i) => i),
  createdMs: 1_757_000_000_000,
};
const FIELDS = {
  format: 1,
  hash: "blake3",
  state_form: "tree",
  default_branch: "main",
  store_id: new Uint8Array(16),
  created: 0,
  features: [],
};

Deno.test("readMetaRow() reads what metaRow() wrote", () => {
  const { key, value } = metaRow(META);
  assert.deepEqual(key, ["meta"]);
  assert.deepEqual(readMetaRow(value), META);
  assert.equal(FORMAT_VERSION, 1);
});

const META_TABLE: readonly (readonly [string, CborValue, MnemErrorCode])[] = [
  ["a higher format", { ...FIELDS, format: 2 }, "format_version"],
  ["a higher format of another shape", { format: 99 }, "format_version"],
  [
    "a higher format with another hash",
    { ...FIELDS, format: 2, hash: "x" },
    "format_version",
  ],
  ["a feature", { ...FIELDS, features: ["erasure"] }, "format_version"],
  [
    "a feature that is an integer",
    { ...FIELDS, features: [2n ** 60n] },
    "format_version",
  ],
  ["no format", { ...FIELDS, format: null }, "corrupt_store"],
  ["format 0", { ...FIELDS, format: 0 }, "corrupt_store"],
  ["another hash", { ...FIELDS, hash: "md5" }, "corrupt_store"],
  ["another state form", { ...FIELDS, state_form: "list" }, "corrupt_store"],
  [
    "a default branch that is no text",
    { ...FIELDS, default_branch: 1 },
    "corrupt_store",
  ],
  ["a store id that is text", { ...FIELDS, store_id: "x" }, "corrupt_store"],
  ["a time that is text", { ...FIELDS, created: "now" }, "corrupt_store"],
  ["features that are no list", { ...FIELDS, features: null }, "corrupt_store"],
  ["a list", [1], "corrupt_store"],
  ["null", null, "corrupt_store"],
];

for (const [name, fields, code] of META_TABLE) {
  Deno.test(`readMetaRow() answers ${code} to ${name}`, () => {
    const { value } = frameRow(META_KEY, encodeCbor(fields), true);
    assert.throws(
      () => readMetaRow(value),
      (error) => isMnemError(error, code),
    );
  });
}

Deno.test("readMetaRow() ignores fields that it does not know", () => {
  const { value } = frameRow(
    META_KEY,
    encodeCbor({ ...FIELDS, later: 1 }),
    true,
  );
  assert.equal(readMetaRow(value).defaultBranch, "main");
});

Deno.test("readMetaRow() names the features that it does not know", () => {
  const { value } = frameRow(
    META_KEY,
    encodeCbor({ ...FIELDS, features: ["erasure", "sync"] }),
    true,
  );
  assert.throws(() => readMetaRow(value), /uses erasure, sync,/);
});

Deno.test("readMetaRow() refuses a row that is broken, split or of another key", () => {
  const { value } = metaRow(META);
  const flipped = value.slice();
  flipped[9]! ^= 4;
  const split = frameRow(
    META_KEY,
    encodeCbor({ ...FIELDS, later: "x".repeat(70_000) }),
    true,
  );
  const moved = frameRow(HEAD_KEY, encodeCbor(FIELDS), true);
  for (const broken of [flipped, split.value, moved.value, new Uint8Array()]) {
    assert.throws(
      () => readMetaRow(broken),
      (error) => isMnemError(error, "corrupt_store"),
    );
  }
});

Deno.test("readHeadRow() reads what headRow() wrote", () => {
  const heads = [{ branch: "main" }, { branch: "é/b" }, {
    commit: "ab".repeat(32),
  }];
  for (const head of heads) {
    assert.deepEqual(readHeadRow(headRow(head).value), head);
  }
  const { payload } = {
    payload: new Uint8Array(),
    ...unframeRow(HEAD_KEY, headRow({ branch: "é" }).value, true),
  };
  assert.deepEqual(payload, encodeUtf8("ref: é"));
});

for (
  const text of [
    "",
    "not a thing",
    "ref:",
    "ref: ",
    "ref: HEAD",
    "ref: a b",
    "ab".repeat(31),
    "zz".repeat(32),
    "ab".repeat(33),
  ]
) {
  Deno.test(`readHeadRow() refuses ${JSON.stringify(text)}`, () => {
    const { value } = frameRow(HEAD_KEY, encodeUtf8(text), true);
    assert.throws(
      () => readHeadRow(value),
      (error) => isMnemError(error, "corrupt_store"),
    );
  });
}

Deno.test("readHeadRow() refuses bytes that are no text", () => {
  const { value } = frameRow(HEAD_KEY, Uint8Array.of(0xff, 0xfe), true);
  assert.throws(
    () => readHeadRow(value),
    (error) => isMnemError(error, "corrupt_store"),
  );
});

Deno.test("STAGE_MARK_ROW is an empty sealed row", () => {
  const { key, value } = STAGE_MARK_ROW;
  assert.deepEqual(key, ["S"]);
  assert.deepEqual(unframeRow(key, value, true), { payload: new Uint8Array() });
});
