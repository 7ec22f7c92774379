/**
 * Floats of 16, 32 and 64 bits: the shortest that keeps a value, and the value of each (IEEE 754).
 *
 * @module
 */

const single = new Float32Array(1);
const singleBits = new Uint32Array(single.buffer);

/**
 * Returns the bits of the half that has exactly this value, -0 included, or undefined when there is
 * none. The value must be finite.
 */
export function halfBits(value: number): number | undefined {
  single[0] = value;
  if (single[0] !== value) return undefined;
  const bits = singleBits[0]!;
  const sign = (bits >>> 16) & 0x8000;
  if ((bits & 0x7fffffff) === 0) return sign;
  const exponent = ((bits >>> 23) & 0xff) - 127;
  const fraction = bits & 0x7fffff;
  if (exponent >= -14 && exponent <= 15) {
    if ((fraction & 0x1fff) !== 0) return undefined;
    return sign | ((exponent + 15) << 10) | (fraction >>> 13);
  }
  if (exponent < -24 || exponent > 15) return undefined;
  // A half below 2^-14 counts units of 2^-24.
  const shift = -1 - exponent;
  const whole = fraction | 0x800000;
  if ((whole & ((1 << shift) - 1)) !== 0) return undefined;
  return sign | (whole >>> shift);
}

/** Tells whether a single has exactly this value. */
export function isSingle(value: number): boolean {
  return Math.fround(value) === value;
}

/** Returns the value of a half, given its 16 bits; an infinity for NaN too. */
function halfValue(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >>> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/**
 * Reads the big-endian float of 2, 4 or 8 bytes at the start of `view`. Undefined when it is not
 * finite, or when fewer bytes would hold the same value.
 */
export function readShortest(view: DataView): number | undefined {
  if (view.byteLength === 2) {
    const value = halfValue(view.getUint16(0));
    return Number.isFinite(value) ? value : undefined;
  }
  const isDouble = view.byteLength === 8;
  const value = isDouble ? view.getFloat64(0) : view.getFloat32(0);
  if (!Number.isFinite(value) || halfBits(value) !== undefined) {
    return undefined;
  }
  return isDouble && isSingle(value) ? undefined : value;
}
