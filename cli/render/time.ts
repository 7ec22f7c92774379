/**
 * Points in time as people read them.
 *
 * @module
 */

/** Returns Unix milliseconds as `YYYY-MM-DD HH:MM:SSZ`, in UTC; beyond what a date can be, as they are. */
export function shownTime(timeMs: number): string {
  const date = new Date(timeMs);
  return Number.isNaN(date.getTime())
    ? `${timeMs} ms`
    : date.toISOString().replace("T", " ").replace(/\.\d+Z$/, "Z");
}
