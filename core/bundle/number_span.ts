/**
 * Where a number of JSON text ends (RFC 8259, 6).
 *
 * @module
 */

/** A number, or what begins like one. */
export interface NumberSpan {
  /** Where it ends, or cannot go on: a digit must stand there. */
  readonly stop: number;
  /** Whether it is a number. */
  readonly isValid: boolean;
  /** Whether it is written without a fraction and an exponent. */
  readonly isInteger: boolean;
}

/** Finds the end of the number that begins at `start`, before `end`. */
export function spanNumber(
  bytes: Uint8Array,
  start: number,
  end: number,
): NumberSpan {
  let at = bytes[start] === 0x2d ? start + 1 : start;
  let isInteger = true;
  // Nothing follows a leading zero.
  let stop = bytes[at] === 0x30 && at < end
    ? at + 1
    : afterDigits(bytes, at, end);
  if (stop > at && stop < end && bytes[stop] === 0x2e) {
    isInteger = false;
    at = stop + 1;
    stop = afterDigits(bytes, at, end);
  }
  if (stop > at && stop < end && (bytes[stop]! | 0x20) === 0x65) {
    isInteger = false;
    at = stop + 1;
    const isSigned = at < end && (bytes[at] === 0x2b || bytes[at] === 0x2d);
    if (isSigned) at++;
    stop = afterDigits(bytes, at, end);
  }
  return { stop, isValid: stop > at, isInteger };
}

function afterDigits(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && bytes[at]! >= 0x30 && bytes[at]! <= 0x39) at++;
  return at;
}
