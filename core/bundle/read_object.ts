/**
 * One object by itself, from its JSON text to its canonical bytes.
 *
 * @module
 */

import { type ObjectKind, readFields } from "../object/object_fields.ts";
import { JsonBytes } from "./json_bytes.ts";
import { ObjectReader } from "./object_reader.ts";

/** Reads an object, as text of a bundle. Throws `corrupt_store` for anything else than one of the kind. */
export async function readObject(
  text: Uint8Array,
  kind: ObjectKind,
): Promise<Uint8Array> {
  const json = new JsonBytes(once(text));
  const reader = new ObjectReader(json);
  reader.begin(new Uint8Array(32));
  while (!reader.advance()) await json.fetch();
  const bytes = reader.finish((_, bytes) => bytes.slice());
  await json.whole(() => {
    if (json.peek() !== -1) json.fail("its end");
  });
  readFields(bytes, kind);
  return bytes;
}

async function* once(text: Uint8Array): AsyncGenerator<Uint8Array> {
  yield text;
}
