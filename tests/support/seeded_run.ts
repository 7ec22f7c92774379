/**
 * Runs that draw all their chance from a seed.
 *
 * @module
 */

/** Makes a run; one that fails says how to play it first. */
export async function seededRun(
  seed: number,
  run: () => Promise<void>,
): Promise<void> {
  try {
    await run();
  } catch (error) {
    throw new Error(`seed ${seed}: MNEM_TEST_SEED=${seed} plays it first`, {
      cause: error,
    });
  }
}
