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
two-process-comparison | Two server processes that remember at once: how many of the writes that were acknowledged are there afterwards, here and in other memories. | tests/deep/comparison_deep.ts
`;

/** All promises, in the order of the page. */
export const PROMISES: readonly KeptPromise[] = TABLE.trim().split("\n")
  .map((line) => {
    const [slug = "", says = "", test = ""] = line.split(" | ");
    return { slug, says, test };
  });
