import assert from "node:assert/strict";
import { decodeNode, encodeNode } from "../object/memory_node.ts";
import {
  gatherEdits,
  prepareCommit,
  prepareWrite,
  settleAuthor,
} from "./prepared_write.ts";
import type { Edit } from "./surface.ts";

const DEFAULTS = { author: undefined, clock: () => 77 };
const OPTIONS = { message: "m" };

Deno.test("prepareWrite() sorts edits bytewise, and of an id the last wins", () => {
  const edits: Edit[] = [
    { id: "😀", content: 1 },
    { id: "～", content: 1 },
    { id: "b", content: 1 },
    { id: "a", remove: true },
    { id: "b", remove: true },
    { id: "a", content: 2 },
  ];
  const { edits: prepared } = prepareWrite(edits, OPTIONS, DEFAULTS);
  assert.deepEqual(
    prepared.map((
      { id, node },
    ) => [id, node === null ? null : decodeNode(node.bytes).content]),
    [["a", 2], ["b", null], ["～", 1], ["😀", 1]],
  );
});

Deno.test("prepareWrite() encodes nodes as they are stored", () => {
  const input = {
    content: { b: 1 },
    contentKind: "claim",
    provenance: { note: "n" },
    eventTimeMs: -1,
  } as const;
  const { edits } = prepareWrite([{ id: "a", ...input }], OPTIONS, DEFAULTS);
  const { bytes, id } = encodeNode("a", input);
  assert.deepEqual(edits, [{ id: "a", node: { bytes, object: id } }]);
});

Deno.test("prepareCommit() settles what is not said, and reads the clock only then", () => {
  const never = () => assert.fail("the clock was read");
  assert.deepEqual(prepareCommit(OPTIONS, DEFAULTS), {
    message: "m",
    author: "unknown",
    timeMs: 77,
    base: undefined,
    allowEmpty: false,
    mustChange: false,
  });
  const base = "AB".repeat(32);
  const said = { message: "", author: "", timeMs: -0, base, allowEmpty: true };
  assert.deepEqual(prepareCommit(said, { author: "store", clock: never }), {
    ...said,
    timeMs: 0,
    base: base.toLowerCase(),
    mustChange: false,
  });
  assert.equal(prepareCommit({ ...OPTIONS, base: null }, DEFAULTS).base, null);
});

Deno.test("settleAuthor() takes the option's, the store's, else unknown", () => {
  assert.equal(settleAuthor({ author: "a" }, { author: "b" }), "a");
  assert.equal(settleAuthor({ author: "" }, { author: "b" }), "");
  assert.equal(settleAuthor({}, { author: "b" }), "b");
  assert.equal(
    settleAuthor({ author: undefined }, { author: undefined }),
    "unknown",
  );
});

Deno.test("gatherEdits() reads any iterable once, up to 100,000", () => {
  const edit: Edit = { id: "a", content: 1 };
  assert.deepEqual(gatherEdits(new Set([edit])), [edit]);
  assert.deepEqual(
    gatherEdits((function* () {
      yield edit;
    })()),
    [edit],
  );
  assert.equal(
    gatherEdits(Array.from({ length: 100_000 }, () => edit)).length,
    100_000,
  );
  let taken = 0;
  const endless = function* () {
    for (;;) {
      taken++;
      yield edit;
    }
  };
  assert.throws(() => gatherEdits(endless()), RangeError);
  assert.equal(taken, 100_001);
});
