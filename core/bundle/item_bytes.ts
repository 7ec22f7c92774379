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

/** Walks through items; what it stands at is good until the next step. */
export interface ItemCursor {
  /** Goes to the next item; false after the last. */
  step(): boolean;
  /** The bytes that the item lies in. */
  readonly bytes: Uint8Array;
  /** Where it begins. */
  readonly place: number;
}

/** Walks through the items of an array that begin at some places. */
export class PlaceCursor implements ItemCursor {
  /** The bytes that the item lies in. */
  readonly bytes: Uint8Array;
  /** Where it begins. */
  place = 0;
  readonly #places: Iterator<number, undefined>;

  /** Stands before the first item. */
  constructor(bytes: Uint8Array, places: Iterator<number, undefined>) {
    this.bytes = bytes;
    this.#places = places;
  }

  /** Goes to the next item; false after the last. */
  step(): boolean {
    const { done, value } = this.#places.next();
    if (!done) this.place = value;
    return !done;
  }
}

/** What comes before the name. */
export const ITEM_HEAD_BYTES = 9;

/** Items that are sorted at once: their numbers fit beside four bytes of a name into one double. */
export const ITEMS_MAX: number = 2 ** 21;

/** Writes the head and the name of an item at a place; returns where its value belongs. */
export function writeItemHead(
  bytes: Uint8Array,
  place: number,
  { name, tag, valueBytes }: {
    readonly name: Uint8Array;
    readonly tag: number;
    readonly valueBytes: number;
  },
): number {
  writeUint32(bytes, place, name.length);
  writeUint32(bytes, place + 4, valueBytes);
  bytes[place + 8] = tag;
  const start = place + ITEM_HEAD_BYTES;
  for (let i = 0; i < name.length; i++) bytes[start + i] = name[i]!;
  return start + name.length;
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

/** The item that a cursor stands at. */
export function itemOf({ bytes, place }: ItemCursor): SortedItem {
  return itemAt(bytes, place);
}

/** Whether the item at a place has a name, which is the first `size` bytes of an array. */
export function isNameAt(
  bytes: Uint8Array,
  place: number,
  name: Uint8Array,
  size: number,
): boolean {
  if (uint32(bytes, place) !== size) return false;
  const start = place + ITEM_HEAD_BYTES;
  for (let i = 0; i < size; i++) if (bytes[start + i] !== name[i]) return false;
  return true;
}

/** The tag of the item at a place. */
export function itemTag(bytes: Uint8Array, place: number): number {
  return bytes[place + 8]!;
}

/** Where the value begins of the item at a place. */
export function valueStart(bytes: Uint8Array, place: number): number {
  return place + ITEM_HEAD_BYTES + uint32(bytes, place);
}

/** Compares two items by name, then by tag; `b` lies in `other`. */
export function compareItems(
  bytes: Uint8Array,
  a: number,
  b: number,
  other: Uint8Array = bytes,
): number {
  const size = uint32(bytes, a);
  const otherSize = uint32(other, b);
  const end = ITEM_HEAD_BYTES + Math.min(size, otherSize);
  for (let i = ITEM_HEAD_BYTES; i < end; i++) {
    const difference = bytes[a + i]! - other[b + i]!;
    if (difference !== 0) return difference;
  }
  return size - otherSize || bytes[a + 8]! - other[b + 8]!;
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
  let start = NaN;
  for (let to = 0; to <= marks.length; to++) {
    const own = to < marks.length ? Math.floor(marks[to]! / ITEMS_MAX) : NaN;
    if (own === start) continue;
    if (to - from > 1) sortAlike(bytes, sorted.subarray(from, to));
    from = to;
    start = own;
  }
  return sorted;
}

/** Sorts items that begin alike: mostly two. */
function sortAlike(bytes: Uint8Array, places: Float64Array): void {
  if (places.length > 2) {
    places.sort((a, b) => compareItems(bytes, a, b) || a - b);
  } else if (compareItems(bytes, places[0]!, places[1]!) > 0) places.reverse();
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
    if (shared === 0) break;
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
