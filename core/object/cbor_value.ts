/**
 * The values that canonical CBOR of this format can hold.
 *
 * @module
 */

/**
 * A number that is written as a float though its value is an integer: the 1.0 of a bundle, which is
 * another object than 1. Nothing outside the format meets one.
 */
export class FloatNumber {
  /** The number, finite. */
  readonly value: number;

  /** Marks a number as a float. */
  constructor(value: number) {
    this.value = value;
  }
}

/** What CBOR of this format can hold; in objects these are JSON and byte strings for ids. */
export type CborValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | FloatNumber
  | readonly CborValue[]
  | ReadonlyMap<string, CborValue>
  | { readonly [key: string]: CborValue };

/** Tells whether a plain number is written as an integer: when it is a safe one, and not -0. */
export function isIntegerNumber(value: number): boolean {
  return Number.isSafeInteger(value) && !Object.is(value, -0);
}

/** The least integer that CBOR of this format can hold, -2^63. */
export const INTEGER_MIN: bigint = -(2n ** 63n);
/** The greatest integer that CBOR of this format can hold, 2^64 - 1. */
export const INTEGER_MAX: bigint = 2n ** 64n - 1n;

// Array.isArray and instanceof do not narrow the readonly forms.

/** Tells whether a value is an array. */
export function isArray(value: CborValue): value is readonly CborValue[] {
  return Array.isArray(value);
}

/** Tells whether a value is a Map. */
export function isMap(
  value: CborValue,
): value is ReadonlyMap<string, CborValue> {
  return value instanceof Map;
}
