import assert from "node:assert/strict";
import { isMnemError } from "../errors.ts";
import { Chance } from "../../tests/support/tree_cases.ts";
import { encodeCommit } from "../object/commit.ts";
import { blake3 } from "../object/hash.ts";
import { fromHex, toHex } from "../object/hex.ts";
import { commitsInOrder } from "./commit_order.ts";
import { KIND_TAGS, ObjectFile } from "./object_file.ts";
import { ScratchFolder } from "./scratch_folder.ts";

const COMMIT = KIND_TAGS.indexOf("commit");

/** A random graph: each commit has up to three of those before it as parents. */
function graphOf(chance: Chance, size: number): Map<string, string[]> {
  const graph = new Map<string, string[]>();
  const ids: string[] = [];
  for (let i = 0; i < size; i++) {
    const parents = Array.from(
      { length: i === 0 ? 0 : chance.below(4) },
      () => chance.pick(ids),
    );
    const bytes = encodeCommit({
      parents,
      state: "0".repeat(64),
      message: `${i}`,
      author: "a",
      timeMs: i,
    });
    const id = toHex(blake3(bytes));
    ids.push(id);
    graph.set(id, parents);
  }
  return graph;
}

function fileOf(graph: ReadonlyMap<string, readonly string[]>): ObjectFile {
  const file = new ObjectFile(new ScratchFolder(["/never/made"]));
  // Under the ids that the graph gives: nothing here looks at the bytes otherwise.
  for (const id of [...graph.keys()].sort()) {
    const bytes = encodeCommit({
      parents: graph.get(id)!,
      state: id,
      message: "",
      author: "",
      timeMs: 0,
    });
    file.append(fromHex(id), COMMIT, bytes);
  }
  return file;
}

Deno.test("commitsInOrder() gives every commit once, after its parents", () => {
  const chance = new Chance(4);
  for (const size of [0, 1, 2, 50, 400]) {
    const graph = graphOf(chance, size);
    const seen = new Set<string>();
    for (const id of commitsInOrder(fileOf(graph))) {
      const parents = graph.get(toHex(id));
      assert.ok(parents?.every((parent) => seen.has(parent)));
      seen.add(toHex(id));
    }
    assert.deepEqual([...seen].sort(), [...graph.keys()].sort());
  }
});

Deno.test("commitsInOrder() refuses a parent that is not there", () => {
  const [id, parent] = ["11".repeat(32), "22".repeat(32)];
  assert.throws(
    () => [...commitsInOrder(fileOf(new Map([[id, [parent]]])))],
    (error) =>
      isMnemError(error, "corrupt_store") &&
      error.message.includes(`object ${id}: its parent ${parent}`),
  );
});
