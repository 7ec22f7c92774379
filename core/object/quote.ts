/**
 * A caller's text inside the message of an error.
 *
 * @module
 */

const QUOTED_UNITS_MAX = 100;

/** Quotes text as JSON does, cut after 100 UTF-16 units. */
export function quote(text: string): string {
  return text.length <= QUOTED_UNITS_MAX
    ? JSON.stringify(text)
    : JSON.stringify(text.slice(0, QUOTED_UNITS_MAX) + "…");
}
