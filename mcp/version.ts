/**
 * The version that the server tells.
 *
 * @module
 */

/** The version of this package; a test holds it against `deno.json`. */
export const VERSION = "0.1.0";
