/**
 * The seed of a run against the reference.
 *
 * @module
 */

/** Returns a seed that no run had before, or that of `MNEM_SEED`, which repeats one. */
export function firstSeed(): number {
  return Number(Deno.env.get("MNEM_SEED") ?? Date.now() % 1_000_000);
}
