/**
 * The behaviour cases of the reference implementation, one by one: where each is tested here, or why
 * it is otherwise or not here.
 *
 * @module
 */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

type Case =
  | { readonly file: string; readonly test: string }
  /** Changed by a decision of the design, or of a part that is not built. */
  | { readonly reason: string };

const at = (file: string, test: string): Case => ({ file, test });
const not = (reason: string): Case => ({ reason });

const VECTORS = "core/object/vectors_test.ts";
const MERGE = "tests/store/merge_test.ts";
const STAGE = "tests/store/stage_test.ts";
const TOOLS = "tests/mcp/tools_test.ts";
const MODEL = at(
  "tests/store/model_test.ts",
  "random histories in memory: every answer is the model's",
);
const BUNDLES = not("bundles are not exported or imported yet");
const LANGGRAPH = not("there is no store for LangGraph yet");
const COMMANDS = "tests/cli/commands_test.ts";
const BAD_INPUT = "tests/cli/bad_input_test.ts";
const STAGE_OF_CLI = at(
  COMMANDS,
  "the stage is filled, compared, emptied and committed",
);
const BUGGY = at(
  "tests/histories_test.ts",
  "buggy run: every commit has its known id, also after a reopen",
);
const FOUR_KINDS = at(
  MERGE,
  "merge() takes one side's changes, agrees on equal ones, and lists four kinds of conflicts",
);
const RESOLVES = at(
  MERGE,
  "merge() resolves by ours, theirs, base, delete and a node with its evidence; the word beats the strategy",
);
const CLEAN = at(
  MERGE,
  "merge() without conflicts: parents, message, change set, blame on the side that wrote",
);

const CASES: { readonly [number: number]: Case } = {
  1: at(
    VECTORS,
    "every object of the vectors has the bytes and the id of the reference",
  ),
  2: at(
    "core/object/cbor_writer_test.ts",
    "encodeCbor() agrees with another implementation",
  ),
  3: at(
    "core/object/cbor_reader_test.ts",
    "decodeCbor() refuses every form that is not canonical",
  ),
  4: at(
    "core/object/memory_node_test.ts",
    "decodeNode() tells a corrupt object from one of a later version",
  ),
  5: at(
    "core/object/object_id_test.ts",
    "parseObjectId() refuses any other text",
  ),
  6: at(
    "core/object/memory_node_test.ts",
    "encodeNode() writes every field in canonical order",
  ),
  7: at(
    VECTORS,
    "floats take the shortest form, and the other form has another id",
  ),
  8: at(
    "tests/histories_test.ts",
    "overhead workload: fault and head have the known ids",
  ),
  9: at(
    COMMANDS,
    "a store is found upward, unless one is named",
  ),
  10: at(
    "core/storage/head_test.ts",
    "read() takes a missing default branch for unborn until it was seen",
  ),
  11: at(
    STAGE,
    "put() and commit() make the first commit, and the stage is empty",
  ),
  12: at(STAGE, "commit() revises and adds on top of the head"),
  13: at(
    STAGE,
    "commit() on a detached HEAD is invalid_ref, and what is staged stays",
  ),
  14: at(STAGE, "unstage() drops what is staged, once"),
  15: STAGE_OF_CLI,
  16: at(
    STAGE,
    "remove() stages a removal, drops a new node, and knows what is nowhere",
  ),
  17: BUGGY,
  18: not("a store has a meta row instead of a config file"),
  19: at(
    COMMANDS,
    "author and time come from flags, MNEM_AUTHOR and the clock",
  ),
  20: at(
    "core/object/memory_node_test.ts",
    "encodeNode() refuses fields of another type as TypeErrors",
  ),
  21: at(
    "core/object/branch_name_test.ts",
    "checkBranchName() accepts the names of the reference",
  ),
  22: MODEL,
  23: not(
    "an existing branch is a conflict at another commit only: at the same one it is a success",
  ),
  24: MODEL,
  25: MODEL,
  26: MODEL,
  27: at(
    BAD_INPUT,
    "a dirty stage stops a switch, a merge and a revert, names what is staged, and nothing moves",
  ),
  28: not("on(branch) takes the place of the scope, and leaves HEAD alone"),
  29: MODEL,
  30: MODEL,
  31: STAGE_OF_CLI,
  32: MODEL,
  33: not("log is topological, and by time only among the free"),
  34: FOUR_KINDS,
  35: CLEAN,
  36: at(
    MERGE,
    "merge() goes forward to a branch ahead, and is then up to date",
  ),
  37: FOUR_KINDS,
  38: at(
    MERGE,
    "merge() refuses a resolution of what does not conflict, in every outcome",
  ),
  39: at(
    MERGE,
    "merge() with ours keeps our deletion; base on add/add is not_found",
  ),
  40: RESOLVES,
  41: at(
    MERGE,
    "merge() with ours keeps our deletion; base on add/add is not_found",
  ),
  42: not(
    "there is no resolver; that a resolution beats the strategy is tested with merges",
  ),
  43: at(MERGE, "merge() of lines that merged each other finds a way out"),
  44: at(
    "core/history/merge_base_test.ts",
    "mergeBases() and isAncestor() agree with sets of ancestors, from both sides",
  ),
  45: at(
    "tests/store/chaos_test.ts",
    "random merges lose nothing, invent nothing, and converge",
  ),
  46: at(
    BAD_INPUT,
    "a merge on a detached HEAD is refused, and nothing is written",
  ),
  47: MODEL,
  48: not("event time and blame are compared with a model of merges"),
  49: CLEAN,
  50: at(
    "tests/store/merge_model_test.ts",
    "random histories with merges: every answer is the model's",
  ),
  51: at(
    "core/history/bisect_test.ts",
    "bisectChain() finds the only change, at any place and from any good commit",
  ),
  52: at(
    "agents/when_did_test.ts",
    "whenDid() says what is wrong, and where it was so",
  ),
  53: at(
    "agents/when_did_test.ts",
    "whenDid() blames the node at the commit found, null where it is absent",
  ),
  54: BUGGY,
  55: CLEAN,
  56: BUNDLES,
  57: BUNDLES,
  58: BUNDLES,
  59: BUNDLES,
  60: BUNDLES,
  61: BUNDLES,
  62: at(
    "tests/agents_test.ts",
    "remember makes one commit, stores its provenance and stages nothing",
  ),
  63: at(
    "tests/agents_test.ts",
    "rememberMany makes one commit, integers stay integers",
  ),
  64: at(
    "tests/agents_test.ts",
    "forget takes one node out, and the past keeps it",
  ),
  65: at(
    "tests/histories_test.ts",
    "default messages: the commits have the known ids",
  ),
  66: not("writers that meet are bound by time, not by a number of tries"),
  67: at(
    "tests/agents_test.ts",
    "wire shapes of blame, change, commit and node survive JSON",
  ),
  68: at(
    "tests/agents_test.ts",
    "a bad item among good ones: all or nothing, no staged residue",
  ),
  69: not("notices and mirrors of other stores are left out"),
  70: at(TOOLS, "when_did finds a value, null, absence and presence"),
  71: at(TOOLS, "when_did wants exactly one question"),
  72: at(
    "tests/mcp/harness_test.ts",
    "branch, switch and merge are hidden unless --tools=all",
  ),
  73: at(TOOLS, "history lists commits newest first and goes on by cursor"),
  74: at(
    "tests/mcp/flags_test.ts",
    "the server takes store and author from the environment, and flags before them",
  ),
  75: LANGGRAPH,
  76: LANGGRAPH,
  77: LANGGRAPH,
  78: LANGGRAPH,
  79: LANGGRAPH,
  80: LANGGRAPH,
  81: LANGGRAPH,
  82: at(
    "cli/render/time_test.ts",
    "shownTime() writes seconds of UTC as the reference does",
  ),
  83: at(
    COMMANDS,
    "merge decides by flags, says what it did, and ends with 1 for conflicts",
  ),
};

Deno.test("all 83 cases of the reference are tested, or say why not", async () => {
  const numbers = Object.keys(CASES).map(Number);
  assert.deepEqual(numbers, Array.from({ length: 83 }, (_, i) => i + 1));
  const missing: string[] = [];
  for (const [number, one] of Object.entries(CASES)) {
    if ("reason" in one) {
      assert.ok(one.reason.length > 20, number);
      continue;
    }
    const text = await readFile(
      new URL(`../${one.file}`, import.meta.url),
      "utf8",
    );
    const isThere = text.includes(`"${one.test}"`);
    if (!isThere) missing.push(`${number}: ${one.file}: ${one.test}`);
  }
  assert.deepEqual(missing, []);
});
