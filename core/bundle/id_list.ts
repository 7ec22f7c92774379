/**
 * Many object ids, in ascending order, without an object for each.
 *
 * @module
 */

const ID_BYTES = 32;

/** Compares two object ids bytewise. */
export function compareIds(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < ID_BYTES; i++) {
    const difference = a[i]! - b[i]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Whether an object id lies at a place. */
export function isIdAt(
  bytes: Uint8Array,
  at: number,
  id: Uint8Array,
): boolean {
  for (let i = 0; i < ID_BYTES; i++) if (bytes[at + i] !== id[i]) return false;
  return true;
}

/** A list of object ids, to be added in ascending order. */
export class IdList {
  #bytes = new Uint8Array(64 * ID_BYTES);
  #count = 0;

  /** How many there are. */
  get count(): number {
    return this.#count;
  }

  /** Adds an id after all others. */
  push(id: Uint8Array): void {
    if ((this.#count + 1) * ID_BYTES > this.#bytes.length) {
      const grown = new Uint8Array(this.#bytes.length * 2);
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    this.#bytes.set(id, this.#count * ID_BYTES);
    this.#count++;
  }

  /** The id at a place: a view. */
  at(place: number): Uint8Array {
    return this.#bytes.subarray(place * ID_BYTES, (place + 1) * ID_BYTES);
  }

  /** The place of an id; -1 if it is not in the list. */
  placeOf(id: Uint8Array): number {
    const place = this.lastUpTo(id);
    return place >= 0 && this.#compare(place, id) === 0 ? place : -1;
  }

  /** The last place whose id is not above a given one; -1 if all are. */
  lastUpTo(id: Uint8Array): number {
    let low = 0;
    let high = this.#count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(middle, id) <= 0) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  #compare(place: number, id: Uint8Array): number {
    const start = place * ID_BYTES;
    for (let i = 0; i < ID_BYTES; i++) {
      const difference = this.#bytes[start + i]! - id[i]!;
      if (difference !== 0) return difference;
    }
    return 0;
  }
}
