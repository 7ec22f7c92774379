import assert from "node:assert/strict";
import { readdir, stat } from "node:fs/promises";
import { Buffer } from "node:buffer";
import { Chance } from "../../tests/support/tree_cases.ts";
import { tempFolder } from "../../tests/support/temp_folder.ts";
import { encodeUtf8 } from "../object/utf8.ts";
import { ScratchFolder } from "./scratch_folder.ts";
import { Sorter } from "./sorter.ts";

const SEED = Number(Deno.env.get("MNEM_TEST_SEED") ?? 1);

/** An item as text: its name, tag and value. */
type Item = readonly [string, number, string];

function textOf(sorter: Sorter): Item[] {
  return [...sorter.sorted()].map(({ name, tag, value }) => [
    Buffer.from(name).toString("latin1"),
    tag,
    Buffer.from(value).toString("latin1"),
  ]);
}

/** A stable sort by name, then by tag: latin1 text sorts as its bytes do. */
function expectedOf(items: readonly Item[]): Item[] {
  return items.toSorted(([a, m], [b, n]) => a < b ? -1 : a > b ? 1 : m - n);
}

function add(sorter: Sorter, [name, tag, value]: Item): void {
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
  const cut = value.length >> 1;
  sorter.add(
    bytes(name),
    tag,
    bytes(value.slice(0, cut)),
    bytes(value.slice(cut)),
  );
}

Deno.test("sorted() gives a stable order, at hand and by files, however many runs there are", async () => {
  const chance = new Chance(SEED);
  for (const runBytes of [1, 200, 4_000, 1_000_000]) {
    await using folder = await tempFolder();
    const scratch = new ScratchFolder([`${folder.path}/s`]);
    const sorter = new Sorter(scratch, { runBytes });
    const items: Item[] = Array.from({ length: 1_500 }, (_, i) => {
      const name = chance.pick(["", "same", "same\0", "other-", "\xff"]) +
        String.fromCharCode(chance.below(256)).repeat(chance.below(6));
      return [name, chance.below(3), `${i}`.repeat(chance.below(40))];
    });
    for (const item of items) add(sorter, item);
    assert.deepEqual(textOf(sorter), expectedOf(items), `${runBytes}`);
    assert.deepEqual(textOf(sorter), expectedOf(items), "and again");
    const more: Item = ["same", 1, "added after it was read"];
    add(sorter, more);
    assert.deepEqual(textOf(sorter), expectedOf([...items, more]));
    const isSpilled = (await readdir(folder.path)).length > 0;
    assert.equal(isSpilled, runBytes < 1_000_000);
    scratch.remove();
    assert.deepEqual(await readdir(folder.path), []);
  }
});

Deno.test("sorted() gives back ordered items as they came, and one that is larger than a run", async () => {
  await using folder = await tempFolder();
  const scratch = new ScratchFolder([`${folder.path}/s`]);
  const sorter = new Sorter(scratch, { runBytes: 1_000 });
  const items: Item[] = ["a", "b", "c", "d"].map((name, i) => [
    name,
    0,
    "x".repeat(i === 2 ? 700_000 : 10),
  ]);
  for (const item of items) add(sorter, item);
  assert.deepEqual(textOf(sorter), items);
  scratch.remove();
});

Deno.test("a sorter without items gives none", () => {
  const sorter = new Sorter(new ScratchFolder(["/never/made"]));
  assert.deepEqual(textOf(sorter), []);
});

Deno.test("a scratch folder is made where it can be, and says where it cannot", async () => {
  await using folder = await tempFolder();
  const scratch = new ScratchFolder([
    `${folder.path}/missing/s`,
    `${folder.path}/s`,
  ]);
  const file = scratch.file();
  file.append(encodeUtf8("hello"));
  file.append(new Uint8Array(600_000).fill(7));
  assert.equal(file.size, 600_005);
  const read = new Uint8Array(8);
  assert.equal(file.read(2, read), 8);
  assert.deepEqual([...read], [0x6c, 0x6c, 0x6f, 7, 7, 7, 7, 7]);
  assert.equal(file.read(600_000, read), 5);
  const { mode } = await stat(`${folder.path}/s`);
  if (Deno.build.os !== "windows") assert.equal((mode ?? 0) & 0o777, 0o700);
  scratch.remove();
  assert.deepEqual(await readdir(folder.path), []);
  assert.throws(
    () => new ScratchFolder([`${folder.path}/missing/s`]).file(),
    /^MnemError: Cannot use a temporary file: /,
  );
});
