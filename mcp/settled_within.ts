/**
 * Waiting with a limit.
 *
 * @module
 */

/** Waits until something has settled, however it did, but no longer than so many milliseconds. */
export async function settledWithin(
  work: Promise<void>,
  ms: number,
): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expired = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work.catch(() => {}), expired]);
  clearTimeout(timer);
}
