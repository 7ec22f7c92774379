/**
 * Refuses what a caller gave by another name: a misspelt field would be lost in silence.
 *
 * @module
 */

/**
 * Throws a TypeError unless `value` is an object whose fields all have one of the names; a field
 * that is undefined counts as absent.
 */
export function checkNames(
  value: unknown,
  what: string,
  names: ReadonlySet<string>,
): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const is = value === null ? "null" : typeof value;
    throw new TypeError(`Cannot use ${what}: ${is}, must be an object`);
  }
  for (const [name, field] of Object.entries(value)) {
    if (field !== undefined && !names.has(name)) {
      throw new TypeError(
        `Cannot use ${what}: unknown field ${
          JSON.stringify(name)
        }, must be one of ${[...names].join(", ")}`,
      );
    }
  }
}
