/**
 * The only reader of chance: names of packs and stores, and the waits between attempts.
 *
 * @module
 */

import { BACKOFF_MS_MAX, BACKOFF_MS_MIN } from "./limits.ts";

/** Sixteen random bytes. */
export function randomId(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(16));
}

/**
 * Waits before another attempt: anything from nothing up to a bound that doubles with each attempt
 * (full jitter), so that writers that met once do not meet again.
 */
export function backOff(attempt: number): Promise<void> {
  const bound = Math.min(BACKOFF_MS_MAX, BACKOFF_MS_MIN * 2 ** attempt);
  return new Promise((resolve) => setTimeout(resolve, Math.random() * bound));
}
