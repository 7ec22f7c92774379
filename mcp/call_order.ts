/**
 * The order of calls where it matters: a call that moves the branch has those before it behind it,
 * and those after it wait.
 *
 * @module
 */

/** Lets calls run beside each other, but for those that must run alone. */
export class CallOrder {
  readonly #running = new Set<Promise<unknown>>();
  #alone: Promise<unknown> = Promise.resolve();

  /** Runs a call after whichever came before it and must run alone. Its failure is its caller's. */
  run<T>(call: () => Promise<T>): Promise<T> {
    return this.#track(this.#alone.then(call));
  }

  /** Runs a call after all that came before it, and before all that come after. */
  runAlone<T>(call: () => Promise<T>): Promise<T> {
    const before = Promise.allSettled([...this.#running]);
    const running = this.#track(before.then(call));
    this.#alone = running.catch(() => {});
    return running;
  }

  #track<T>(running: Promise<T>): Promise<T> {
    const settled = running.catch(() => {}).finally(() =>
      this.#running.delete(settled)
    );
    this.#running.add(settled);
    return running;
  }
}
