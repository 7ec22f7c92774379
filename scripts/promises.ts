/**
 * What the store promises, and which test keeps each promise and reports what it counted. The page
 * docs/RELIABILITY.md is made of these lines (`deno task reliability`).
 *
 * @module
 */

/** One promise. */
export interface KeptPromise {
  /** The name by which its test reports figures. */
  readonly slug: string;
  /** What is promised, in a sentence. */
  readonly says: string;
  /** The path of the test, and of no other, that reports them. */
  readonly test: string;
}

// A line each: slug | promise | test.
const TABLE = `
faults-at-every-call | Whatever goes wrong with one storage call of any operation, it ends in success, or in an error whose code and outcome are right; the store verifies, a second try succeeds, and no commit is made twice. | tests/deep/fault_deep.ts
random-faults | Writers at the same time on a storage that keeps failing: what was acknowledged is in history once, and what failed with outcome "none" is not in it. | tests/fault/random_faults_test.ts
kill-9 | A process that is killed while it writes, merges, makes branches or stores, or imports loses nothing that it acknowledged; what it was doing is there whole or not at all, and the store verifies and goes on. | tests/deep/crash_deep.ts
contention | Programs that write to one store at once, through library, server and command line, lose nothing and do nothing twice. | tests/deep/contention_deep.ts
contention-across-runtimes | So do programs on Deno and on Node together. | tests/npm/runtimes_deep.ts
held-lock | Behind a process that does not let go of the lock of the file a call ends as busy, a write after five seconds and a store that is only opened after ten; closing does not wait. | tests/deep/contention_deep.ts
bad-inputs | A bad input has the same code through the library, the MCP server, the command line and LangGraph, and writes nothing. | tests/bad_inputs/bad_inputs_test.ts
bit-flips | A flipped bit in any row is found, or is part of no answer: no read gives a wrong one in silence. | tests/deep/bit_flips_deep.ts
damage | Each class of damage that verify has a code for is found when it is planted. | tests/store/verify_damage_test.ts
disk-states | A store that is gone, cut, foreign, full, replaced or closed to the user is met with a code and a message, and what can still be read is. | tests/store/disk_states_test.ts
chosen-ids | Ids chosen so that no chunk of a state ever ends, or that every one begins a chunk, cost what their number costs, and everything works. | tests/deep/crafted_ids_deep.ts
permissions | The permissions that SECURITY.md lists suffice, each is needed, and nothing is asked for on a terminal. | tests/deep/permissions_deep.ts
remote-rounds | On a server 30 ms away an operation takes the rounds that it was designed to take. | tests/remote/far_deep.ts
remote-bytes | So many bytes go to a server with the commit of one node. | tests/remote/far_deep.ts
remote-branches | Eight clients at once on a server, on one branch or on one each, lose nothing. | tests/remote/far_deep.ts
remote-faults | Answers of a server that are dropped, late or wrong lose no commit and make none twice. | tests/remote/far_deep.ts
remote-denokv | Nor does the true denokv when it is killed and comes back. | tests/remote/denokv_deep.ts
request-keys | A request with a key is made once, whatever is tried again, and another one under its key is a conflict. | tests/store/request_key_test.ts
request-keys-kill-9 | Also when the process that made it was killed before it heard the answer. | tests/contention/request_key_test.ts
request-keys-fault-by-fault | Also when any one storage call fails in any way. | tests/fault/request_key_test.ts
request-keys-random-faults | Also when many fail, and several writers use the same keys. | tests/fault/request_key_test.ts
request-keys-many-random-faults | The same, many times over. | tests/deep/request_key_deep.ts
soak | However many commits are made, memory stays, and the file grows by what is stored. | tests/deep/soak_deep.ts
git | A history that goes to git and comes back has the same commits, ids included. | tests/cli/git_deep.ts
import-notes | 100,000 notes come in as one commit, and a second time as none. | tests/cli/import_deep.ts
two-process-comparison | Two server processes that remember at once: how many of the writes that were acknowledged are there afterwards, here and in other memories. | tests/deep/comparison_deep.ts
`;

/** All promises, in the order of the page. */
export const PROMISES: readonly KeptPromise[] = TABLE.trim().split("\n")
  .map((line) => {
    const [slug = "", says = "", test = ""] = line.split(" | ");
    return { slug, says, test };
  });
