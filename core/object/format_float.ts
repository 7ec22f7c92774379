/**
 * Floats as the text of a bundle has them.
 *
 * @module
 */

/**
 * Writes a finite number as a float, so that reading it again gives the same bits and never an
 * integer: shortest digits, positional with at least `.0` when 1e-5 <= |x| < 1e16 or zero, else with
 * an exponent (`1e+300`, `1.5e-7`).
 */
export function formatFloat(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-5 || size >= 1e16)) return value.toExponential();
  const digits = Object.is(value, -0) ? "-0" : String(value);
  return Number.isInteger(value) ? digits + ".0" : digits;
}
