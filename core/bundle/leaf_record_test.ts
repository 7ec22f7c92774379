import assert from "node:assert/strict";
import { isMnemError } from "../errors.ts";
import { compareUtf8 } from "../object/utf8.ts";
import type { Entry, Origin } from "../state/chunk.ts";
import { encodeLeaf, makeLeaf } from "../state/make_chunk.ts";
import { encodeChunk } from "../storage/chunk_record.ts";
import { leafObject } from "./leaf_record.ts";

const SELF: Origin = { commit: "11".repeat(16), timeMs: 5, generation: 2 };
const OTHER: Origin = { commit: "22".repeat(16), timeMs: -4, generation: 1 };
const HOME = { self: SELF, pack: SELF.commit };

/** A leaf of some ids, every third of which is of the commit itself. */
function entriesOf(ids: readonly string[]): Entry[] {
  return ids.toSorted(compareUtf8).map((id, i) => ({
    id,
    object: new Uint8Array(32).fill(i + 1),
    changed: i % 3 === 0 ? SELF : OTHER,
    born: i % 2 === 0 ? OTHER : SELF,
  }));
}

const LEAVES: { readonly [what: string]: readonly string[] } = {
  "no entries": [],
  "one": ["a"],
  "ids of one length": ["customer-1", "customer-2", "other-0001"],
  "ids of many lengths": ["a", "aa", "aaa", "b", "ba", "x".repeat(300)],
  "ids beyond ASCII": ["é", "éa", "éé", "～", "😀", "😀😀", "😁", "a😀", "a😁"],
  "long ids": ["k".repeat(1_024), "k".repeat(1_023) + "l", "ｋ".repeat(2_000)],
  "many entries": Array.from({ length: 300 }, (_, i) => `node ${i}`),
};

for (const [what, ids] of Object.entries(LEAVES)) {
  Deno.test(`leafObject() makes the object of a leaf: ${what}`, () => {
    const entries = entriesOf(ids);
    const record = encodeChunk(makeLeaf(entries), HOME);
    const own: Uint8Array[] = [];
    const made = leafObject(record, (object) => own.push(object.slice()));
    assert.deepEqual(made?.bytes, encodeLeaf(entries));
    assert.equal(made?.count, ids.length);
    assert.deepEqual(
      own,
      entries.filter(({ changed }) => changed === SELF).map((e) => e.object),
    );
  });
}

Deno.test("leafObject() makes nothing, or something else, of a record that is cut short", () => {
  const entries = entriesOf(LEAVES["ids beyond ASCII"]!);
  const record = encodeChunk(makeLeaf(entries), HOME);
  const whole = encodeLeaf(entries);
  assert.deepEqual(leafObject(record, () => {})?.bytes, whole);
  for (let end = 0; end < record.length; end++) {
    let bytes: Uint8Array | undefined;
    try {
      bytes = leafObject(record.subarray(0, end), () => {})?.bytes;
    } catch (error) {
      assert.ok(isMnemError(error, "corrupt_store"), `${end}: ${error}`);
    }
    assert.notDeepEqual(bytes, whole);
  }
});
