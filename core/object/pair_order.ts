/**
 * The order of the pairs of a map, by the bytes of their keys.
 *
 * @module
 */

/** So many are sorted by hand: a call of the engine's sort costs more. */
const FEW_PAIRS = 16;

/**
 * Tells in which order the pairs of a map must stand, by number; undefined if they stand so. Of equal
 * keys only the last is kept. `places` says where in the bytes each key begins and ends, in turn.
 */
export function orderPairs(
  bytes: Uint8Array,
  places: readonly number[],
): number[] | undefined {
  const count = places.length / 2;
  let isOrdered = true;
  for (let pair = 1; pair < count && isOrdered; pair++) {
    isOrdered = compareAt(bytes, places, pair - 1, pair) < 0;
  }
  if (isOrdered) return undefined;
  const order = sortPairs(bytes, places);
  // The sort is stable: of equal keys the last one given stands last.
  const kept: number[] = [];
  for (let i = 0; i < count; i++) {
    const isLast = i + 1 === count ||
      compareAt(bytes, places, order[i]!, order[i + 1]!) !== 0;
    if (isLast) kept.push(order[i]!);
  }
  return kept;
}

function sortPairs(bytes: Uint8Array, places: readonly number[]): number[] {
  const order: number[] = [];
  const count = places.length / 2;
  for (let pair = 0; pair < count; pair++) order.push(pair);
  if (count > FEW_PAIRS) {
    return order.sort((a, b) => compareAt(bytes, places, a, b));
  }
  for (let pair = 1; pair < count; pair++) {
    let at = pair;
    while (at > 0 && compareAt(bytes, places, order[at - 1]!, pair) > 0) {
      order[at] = order[at - 1]!;
      at--;
    }
    order[at] = pair;
  }
  return order;
}

/** Compares two keys bytewise. */
function compareAt(
  bytes: Uint8Array,
  places: readonly number[],
  a: number,
  b: number,
): number {
  const end = places[2 * a + 1]!;
  const other = places[2 * b + 1]!;
  let i = places[2 * a]!;
  let j = places[2 * b]!;
  for (; i < end && j < other; i++, j++) {
    const difference = bytes[i]! - bytes[j]!;
    if (difference !== 0) return difference;
  }
  return end - i - (other - j);
}
