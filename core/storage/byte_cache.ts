/**
 * A cache bounded in bytes, which forgets what was not used for the longest time.
 *
 * @module
 */

/** What the cache holds for one name. */
interface Slot<V> {
  readonly value: V;
  readonly bytes: number;
}

/** A map of immutable values that keeps at most so many bytes. */
export class ByteCache<V> {
  readonly #bytesMax: number;
  // A Map iterates in the order of insertion: the first is the one unused for the longest time.
  readonly #slots = new Map<string, Slot<V>>();
  // One iterator for good: a new one would step over all that was deleted at the front, every time.
  #oldest = this.#slots.entries();
  #bytes = 0;

  /** Makes an empty cache. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** How many bytes it holds. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The value under a name, if it is still held. */
  get(name: string): V | undefined {
    const slot = this.#slots.get(name);
    if (slot === undefined) return undefined;
    this.#slots.delete(name);
    this.#slots.set(name, slot);
    return slot.value;
  }

  /** Holds a value of about so many bytes; one larger than the whole cache is not held. */
  set(name: string, value: V, bytes: number): void {
    this.delete(name);
    if (bytes > this.#bytesMax) return;
    this.#slots.set(name, { value, bytes });
    this.#bytes += bytes;
    while (this.#bytes > this.#bytesMax) {
      const { done, value: oldest } = this.#oldest.next();
      if (done) this.#oldest = this.#slots.entries();
      else this.delete(oldest[0]);
    }
  }

  /** Forgets a value. */
  delete(name: string): void {
    const slot = this.#slots.get(name);
    if (slot === undefined) return;
    this.#bytes -= slot.bytes;
    this.#slots.delete(name);
  }
}
