/**
 * Passes a moment without sleeping, for programs that read the system's clock.
 *
 * @module
 */

/** Returns when the system's clock shows another millisecond than at the call. */
export function nextMillisecond(): void {
  const nowMs = Date.now();
  while (Date.now() <= nowMs);
}
