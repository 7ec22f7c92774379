/**
 * What a value for LangGraph is as JSON: the slow, obvious way.
 *
 * @module
 */

/** The JSON text of a value, fields in order; throws TypeError for what no JSON can hold. */
export function jsonTextOf(value: unknown): string {
  return JSON.stringify(jsonOf(value, []));
}

/** Two texts by their code points: less than 0 when the first stands first. */
export function compareTexts(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const difference = left[i]!.codePointAt(0)! - right[i]!.codePointAt(0)!;
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function jsonOf(value: unknown, above: readonly unknown[]): unknown {
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "string") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value + 0;
  if (typeof value !== "object") {
    throw new TypeError(`no JSON: ${typeof value}`);
  }
  if (above.includes(value)) throw new TypeError("no JSON: a cycle");
  const inner = [...above, value];
  if ("toJSON" in value && typeof value.toJSON === "function") {
    return jsonOf(value.toJSON(), inner);
  }
  if (Array.isArray(value)) return value.map((one) => jsonOf(one, inner));
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) {
    throw new TypeError(`no JSON: ${prototype.constructor?.name}`);
  }
  const fields = Object.entries(value).filter(([, one]) => one !== undefined);
  fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    fields.map(([name, one]) => [name, jsonOf(one, inner)]),
  );
}
