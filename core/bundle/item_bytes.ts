/**
 * Items to be sorted, one behind the other in an array of bytes: the lengths of name and value in four
 * bytes each, the tag, the name, the value.
 *
 * @module
 */

/** One item, as it was put in; its bytes are good until the next one is asked for. */
export interface SortedItem {
  /** What it is sorted by, bytewise. */
  readonly name: Uint8Array;
  /** What it is; the second thing it is sorted by. */
  readonly tag: number;
  /** What it holds. */
  readonly value: Uint8Array;
}

/** What comes before the name. */
export const ITEM_HEAD_BYTES = 9;

/** Items that are sorted at once: their numbers fit beside four bytes of a name into one double. */
export const ITEMS_MAX: number = 2 ** 21;

/** Writes an item at a place. */
export function writeItem(
  bytes: Uint8Array,
  place: number,
  { name, tag, value }: SortedItem,
): void {
  writeUint32(bytes, place, name.length);
  writeUint32(bytes, place + 4, value.length);
  bytes[place + 8] = tag;
  bytes.set(name, place + ITEM_HEAD_BYTES);
  bytes.set(value, place + ITEM_HEAD_BYTES + name.length);
}

/** How many bytes an item takes. */
export function itemBytes(bytes: Uint8Array, place: number): number {
  return ITEM_HEAD_BYTES + uint32(bytes, place) + uint32(bytes, place + 4);
}

/** The item that begins at a place. */
export function itemAt(bytes: Uint8Array, place: number): SortedItem {
  const name = place + ITEM_HEAD_BYTES;
  const value = name + uint32(bytes, place);
  return {
    name: bytes.subarray(name, value),
    tag: bytes[place + 8]!,
    value: bytes.subarray(value, value + uint32(bytes, place + 4)),
  };
}

/** Compares two items of one array by name, then by tag. */
export function compareItems(bytes: Uint8Array, a: number, b: number): number {
  return compareItemsOf({ bytes, place: a }, { bytes, place: b });
}

/** Compares two items by name, then by tag. */
export function compareItemsOf(a: PlacedItem, b: PlacedItem): number {
  const [size, other] = [uint32(a.bytes, a.place), uint32(b.bytes, b.place)];
  const end = ITEM_HEAD_BYTES + Math.min(size, other);
  for (let i = ITEM_HEAD_BYTES; i < end; i++) {
    const difference = a.bytes[a.place + i]! - b.bytes[b.place + i]!;
    if (difference !== 0) return difference;
  }
  return size - other || a.bytes[a.place + 8]! - b.bytes[b.place + 8]!;
}

/** An item in an array of bytes. */
interface PlacedItem {
  readonly bytes: Uint8Array;
  readonly place: number;
}

/**
 * Returns the places of items in the order of those, equal ones by their places; at most
 * {@linkcode ITEMS_MAX}, given in ascending order.
 */
export function sortPlaces(
  bytes: Uint8Array,
  places: Float64Array,
): Float64Array {
  const skipped = sharedBytes(bytes, places);
  // Four bytes of the name and the number of the item in one double: the engine sorts those fast.
  const marks = places.map((place, i) =>
    startOf(bytes, place, skipped) * ITEMS_MAX + i
  ).sort();
  const sorted = marks.map((mark) => places[mark % ITEMS_MAX]!);
  let from = 0;
  for (let to = 1; to <= sorted.length; to++) {
    const isAlike = to < sorted.length &&
      Math.floor(marks[to]! / ITEMS_MAX) ===
        Math.floor(marks[from]! / ITEMS_MAX);
    if (isAlike) continue;
    if (to - from > 1) {
      sorted.subarray(from, to).sort((a, b) =>
        compareItems(bytes, a, b) || a - b
      );
    }
    from = to;
  }
  return sorted;
}

/** How many bytes the names of all items have in common. */
function sharedBytes(bytes: Uint8Array, places: Float64Array): number {
  const [first = 0] = places;
  let shared = places.length === 0 ? 0 : uint32(bytes, first);
  for (const place of places) {
    shared = Math.min(shared, uint32(bytes, place));
    let same = 0;
    while (
      same < shared &&
      bytes[first + ITEM_HEAD_BYTES + same] ===
        bytes[place + ITEM_HEAD_BYTES + same]
    ) same++;
    shared = same;
  }
  return shared;
}

/** Four bytes of a name as an integer, as if zeros followed it. */
function startOf(bytes: Uint8Array, place: number, skipped: number): number {
  const end = uint32(bytes, place);
  let start = 0;
  for (let i = skipped; i < skipped + 4; i++) {
    start = start * 256 +
      (i < end ? bytes[place + ITEM_HEAD_BYTES + i]! : 0);
  }
  return start;
}

function writeUint32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 24;
  bytes[at + 1] = value >>> 16;
  bytes[at + 2] = value >>> 8;
  bytes[at + 3] = value;
}

function uint32(bytes: Uint8Array, at: number): number {
  return bytes[at]! * 0x1000000 +
    ((bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!);
}
