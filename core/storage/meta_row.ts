/**
 * The rows that say what a store is and which branch is current (FORMAT.md, "Rows").
 *
 * @module
 */

import { MnemError } from "../errors.ts";
import { isBranchName } from "../object/branch_name.ts";
import { decodeCbor } from "../object/cbor_reader.ts";
import type { CborValue } from "../object/cbor_value.ts";
import { encodeCbor } from "../object/encode_cbor.ts";
import { isHex } from "../object/hex.ts";
import { encodeUtf8 } from "../object/utf8.ts";
import type { StateForm } from "./commit_row.ts";
import { HEAD_KEY, META_KEY, STAGE_MARK_KEY } from "./keys.ts";
import { corruptRow, frameRow, type NewRow, unframeRow } from "./row.ts";

/** The version of the format that this writes, and the highest that it reads. */
export const FORMAT_VERSION = 1;

/** What a store says of itself. */
export interface StoreMeta {
  /** The version of the format. */
  readonly format: number;
  /** How new states above 1,024 entries are identified. */
  readonly stateForm: StateForm;
  /** The branch that may be without a commit. */
  readonly defaultBranch: string;
  /** 16 random bytes: tells two stores apart. */
  readonly storeId: Uint8Array;
  /** When the store was made, in Unix milliseconds. */
  readonly createdMs: number;
}

/** Where HEAD points: at a branch, or straight at a commit. */
export type HeadValue = { readonly branch: string } | {
  readonly commit: string;
};

/** The row that makes a store. */
export function metaRow(meta: StoreMeta): NewRow {
  const fields: CborValue = {
    format: meta.format,
    hash: "blake3",
    state_form: meta.stateForm,
    default_branch: meta.defaultBranch,
    store_id: meta.storeId,
    created: meta.createdMs,
    features: [],
  };
  return frameRow(META_KEY, encodeCbor(fields), true);
}

/**
 * Reads the row that makes a store. Throws `format_version` for a higher format or a feature that
 * this version does not know, `corrupt_store` for anything else that is not such a row.
 */
export function readMetaRow(value: Uint8Array): StoreMeta {
  const fields = decodeCbor(inlinePayload(META_KEY, value));
  if (!isFields(fields)) throw corruptRow(META_KEY, "is no map");
  const {
    format,
    hash,
    state_form,
    default_branch,
    store_id,
    created,
    features,
  } = fields;
  if (typeof format !== "number" || format < 1) {
    throw corruptRow(META_KEY, "names no format");
  }
  if (format > FORMAT_VERSION) {
    throw new MnemError(
      "format_version",
      `Cannot open the store: its format is ${format}, this version reads up to ${FORMAT_VERSION}`,
    );
  }
  if (Array.isArray(features) && features.length > 0) {
    throw new MnemError(
      "format_version",
      `Cannot open the store: it uses ${
        features.map(String).join(", ")
      }, which this version does not know`,
    );
  }
  const valid = hash === "blake3" &&
    (state_form === "tree" || state_form === "flat") &&
    typeof default_branch === "string" && store_id instanceof Uint8Array &&
    typeof created === "number" && Array.isArray(features);
  if (!valid) throw corruptRow(META_KEY, "has a missing or wrong field");
  return {
    format,
    stateForm: state_form,
    defaultBranch: default_branch,
    storeId: store_id,
    createdMs: created,
  };
}

/** The row of HEAD. */
export function headRow(head: HeadValue): NewRow {
  const text = "branch" in head ? `ref: ${head.branch}` : head.commit;
  return frameRow(HEAD_KEY, encodeUtf8(text), true);
}

/** The row that every change of the stage sets: its version tells whether the stage changed. */
export const STAGE_MARK_ROW: NewRow = frameRow(
  STAGE_MARK_KEY,
  new Uint8Array(),
  true,
);

/** Reads the row of HEAD. Throws `corrupt_store` if it names neither a branch nor a commit. */
export function readHeadRow(value: Uint8Array): HeadValue {
  // Not strictly: bytes that are no text become a text that names nothing.
  const text = new TextDecoder().decode(inlinePayload(HEAD_KEY, value));
  if (text.startsWith("ref: ") && isBranchName(text.slice(5))) {
    return { branch: text.slice(5) };
  }
  if (text.length === 64 && isHex(text)) return { commit: text };
  throw corruptRow(HEAD_KEY, "names neither a branch nor a commit");
}

function inlinePayload(key: typeof META_KEY, value: Uint8Array): Uint8Array {
  const inside = unframeRow(key, value, true);
  if (!("payload" in inside)) throw corruptRow(key, "is split, must be inline");
  return inside.payload;
}

function isFields(
  value: CborValue,
): value is { readonly [field: string]: CborValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value) &&
    !(value instanceof Uint8Array);
}
