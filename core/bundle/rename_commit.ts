/**
 * A commit with another state, or other parents, and so with another id.
 *
 * @module
 */

import { MnemError } from "../errors.ts";
import { decodeCbor } from "../object/cbor_reader.ts";
import type { ObjectId } from "../object/commit.ts";
import { encodeCbor } from "../object/encode_cbor.ts";
import { fromHex } from "../object/hex.ts";

/** Returns the bytes of a commit with its state and parents replaced; all other fields stay. */
export function renameCommit(
  bytes: Uint8Array,
  links: {
    readonly state: ObjectId;
    readonly parents: readonly ObjectId[];
  },
): Uint8Array {
  const fields = decodeCbor(bytes, { keepFloats: true });
  const isMap = typeof fields === "object" && fields !== null &&
    !Array.isArray(fields);
  if (!isMap) {
    throw new MnemError(
      "corrupt_store",
      "Cannot export a commit: it is no map",
    );
  }
  return encodeCbor({
    ...fields,
    state: fromHex(links.state),
    parents: links.parents.map(fromHex),
  });
}
