import assert from "node:assert/strict";
import { Chance } from "../../tests/support/tree_cases.ts";
import { tempFolder } from "../../tests/support/temp_folder.ts";
import { blake3 } from "../object/hash.ts";
import { toHex } from "../object/hex.ts";
import { encodeUtf8 } from "../object/utf8.ts";
import { compareIds, IdList } from "./id_list.ts";
import { KIND_TAGS, ObjectFile } from "./object_file.ts";
import { ScratchFolder } from "./scratch_folder.ts";

/** Objects in the order of their ids, some of them large. */
function objectsOf(chance: Chance, count: number) {
  return Array.from({ length: count }, (_, i) => ({
    id: blake3(encodeUtf8(`object ${i}`)),
    tag: chance.below(KIND_TAGS.length),
    bytes: new Uint8Array(
      chance.below(30) === 0 ? 9_000 + chance.below(40_000) : chance.below(300),
    ).fill(i),
  })).sort((a, b) => compareIds(a.id, b.id));
}

Deno.test("find() finds every object and no other, at hand and in a file", async () => {
  for (const atHand of [0, 1_000_000_000]) {
    await using folder = await tempFolder();
    const scratch = new ScratchFolder([`${folder.path}/s`]);
    const file = new ObjectFile(scratch, { atHand });
    const objects = objectsOf(new Chance(9), 700);
    for (const { id, tag, bytes } of objects) file.append(id, tag, bytes);
    assert.equal(file.count, 700);
    for (const [number, { id, tag, bytes }] of objects.entries()) {
      const found = file.find(id);
      assert.equal(found?.kind, KIND_TAGS[tag]);
      assert.equal(found?.number, number);
      assert.deepEqual(found?.bytes.slice(), bytes);
      const near = id.slice();
      near[31]! ^= 1;
      assert.equal(file.find(near), null);
    }
    assert.equal(file.find(new Uint8Array(32)), null);
    assert.equal(file.find(new Uint8Array(32).fill(255)), null);
    const all = Array.from(file.all(), ({ id, kind, number, bytes }) => [
      toHex(id),
      kind,
      number,
      bytes.length,
    ]);
    assert.deepEqual(
      all,
      objects.map(({ id, tag, bytes }, number) => [
        toHex(id),
        KIND_TAGS[tag],
        number,
        bytes.length,
      ]),
    );
    scratch.remove();
  }
});

Deno.test("an object file without objects finds nothing", () => {
  const file = new ObjectFile(new ScratchFolder(["/never/made"]));
  assert.equal(file.find(new Uint8Array(32)), null);
  assert.deepEqual([...file.all()], []);
});

Deno.test("IdList finds places in a long list", () => {
  const ids = objectsOf(new Chance(1), 300).map(({ id }) => id);
  const list = new IdList();
  assert.equal(list.placeOf(ids[0]!), -1);
  for (const id of ids) list.push(id);
  assert.equal(list.count, 300);
  ids.forEach((id, place) => {
    assert.equal(list.placeOf(id), place);
    assert.deepEqual(list.at(place), id);
  });
  assert.equal(list.placeOf(new Uint8Array(32)), -1);
  assert.equal(list.lastUpTo(new Uint8Array(32)), -1);
  assert.equal(list.lastUpTo(new Uint8Array(32).fill(255)), 299);
});
