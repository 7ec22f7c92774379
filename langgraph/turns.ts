/**
 * The order of calls on one store: graphs run nodes, subgraphs and threads side by side.
 *
 * @module
 */

/**
 * Puts reads and writes in line, in the order in which they are asked for: a read begins once every
 * write before it has ended, a write once every write before it has ended and every read before it
 * has begun. Reads do not wait for each other.
 */
export class Turns {
  #written: Promise<void> = Promise.resolve();
  #begun: Promise<void> = Promise.resolve();

  /** Begins a read when it is its turn; the promise is what writes after it wait for. */
  read<T>(begin: () => Promise<T>): Promise<T> {
    const begun = this.#written.then(begin);
    this.#begun = settled(this.#begun, begun);
    return begun;
  }

  /** Makes a write when it is its turn. */
  write<T>(make: () => Promise<T>): Promise<T> {
    const made = settled(this.#written, this.#begun).then(make);
    this.#written = settled(made);
    return made;
  }
}

/** Ends when all have ended, well or badly. */
async function settled(...calls: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(calls);
}
