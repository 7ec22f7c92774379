/**
 * A timer that a test moves on by hand.
 *
 * @module
 */

/** Calls wait until the next {@linkcode ManualTimer.tick}. */
export class ManualTimer {
  readonly #waiting = new Set<() => void>();

  /** Waits, as the timer under test would. */
  readonly timer = (call: () => void): () => void => {
    this.#waiting.add(call);
    return () => this.#waiting.delete(call);
  };

  /** How many calls wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Lets every call that waits happen. */
  tick(): void {
    const calls = [...this.#waiting];
    this.#waiting.clear();
    for (const call of calls) call();
  }
}
