/**
 * The flags of the benches.
 *
 * @module
 */

import assert from "node:assert/strict";
import { parseBenchArgs } from "./bench_args.ts";

const NAMES = ["commit", "recall"];

Deno.test("parseBenchArgs() measures up to 100,000 nodes three times unless told otherwise", () => {
  const { scale, only, json } = parseBenchArgs([], NAMES);
  assert.deepEqual(scale.nodes, [100, 1_000, 10_000, 100_000]);
  assert.deepEqual([scale.runs, scale.short], [3, false]);
  assert.deepEqual([only, json], [undefined, undefined]);
});

Deno.test("parseBenchArgs() reads every flag", () => {
  const short = parseBenchArgs(
    ["--short", "--only=recall", "--only", "commit", "--json=a.jsonl"],
    NAMES,
  );
  assert.deepEqual(short.scale.nodes, [100, 1_000, 10_000]);
  assert.deepEqual(short.only, ["recall", "commit"]);
  assert.equal(short.json, "a.jsonl");
  const million = parseBenchArgs(["--million", "--runs=5"], NAMES);
  assert.equal(million.scale.nodes.at(-1), 1_000_000);
  assert.equal(million.scale.runs, 5);
});

Deno.test("parseBenchArgs() refuses what it does not know", () => {
  const refuses = (args: string[], message: RegExp) =>
    assert.throws(() => parseBenchArgs(args, NAMES), (error) => {
      assert.ok(error instanceof RangeError);
      assert.match(error.message, message);
      return true;
    });
  refuses(
    ["--only=plan"],
    /There is no bench "plan"; there are commit, recall/,
  );
  refuses(["--runs=0"], /Cannot run "0" times: it must be 1 to 999/);
  refuses(["--runs=1.5"], /"1.5"/);
  refuses(["--short", "--million"], /Cannot run --short with --million/);
  refuses(["--fast"], /--fast/);
  refuses(["commit"], /commit/);
});
