/**
 * The version that the command line tells.
 *
 * @module
 */

/** The version of this package; a test holds it against `deno.json`. */
export const VERSION = "0.1.0";
