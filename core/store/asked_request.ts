/**
 * A request that its caller may make again under the same key, after an answer that never came.
 *
 * @module
 */

import { REQUEST_KEY_BYTES_MAX } from "../limits.ts";
import type { CborValue } from "../object/cbor_value.ts";
import { encodeCbor } from "../object/encode_cbor.ts";
import { blake3 } from "../object/hash.ts";
import { toHex } from "../object/hex.ts";
import { checkName } from "../object/node_id.ts";
import { encodeUtf8 } from "../object/utf8.ts";
import type { PreparedEdit } from "./prepared_write.ts";

/** A request by its key. */
export interface AskedRequest {
  /** The key, for a message. */
  readonly text: string;
  /** The digest of the key: 32 hex digits. */
  readonly name: string;
  /** The digest of what is asked for: not of what the commit says of itself, which a retry may say otherwise. */
  readonly digest: string;
  /** Whether it commits the stage. */
  readonly isStaged: boolean;
  /** Whether nothing is staged: so the first such request may have left it. */
  readonly isEmptied: boolean;
}

/**
 * Names a request by its key; undefined: it has none. Throws a TypeError for a key that is no
 * well-formed text without NUL, a RangeError for one that is not 1 to 256 bytes long.
 */
export function askedRequest(
  text: unknown,
  asked: () => CborValue,
): AskedRequest | undefined {
  if (text === undefined) return undefined;
  const key = checkName(text, {
    what: "request key",
    bytesMax: REQUEST_KEY_BYTES_MAX,
  });
  return {
    text: key,
    name: digestOf(encodeUtf8(key)),
    digest: digestOf(encodeCbor(asked())),
    isStaged: false,
    isEmptied: false,
  };
}

/** The request for a write of edits, or to commit them where they are what is staged. */
export function askedWrite(
  text: unknown,
  edits: readonly PreparedEdit[],
  isStaged = false,
): AskedRequest | undefined {
  const asked = askedRequest(text, () => [
    "write",
    edits.map(({ id, node }) => [id, node?.object ?? null]),
  ]);
  const isEmptied = isStaged && edits.length === 0;
  return asked && { ...asked, isStaged, isEmptied };
}

function digestOf(bytes: Uint8Array): string {
  return toHex(blake3(bytes).subarray(0, 16));
}
