/**
 * Checks of what callers give to a store, beside the nodes and commits themselves.
 *
 * @module
 */

import { checkText, typeName } from "../object/check_text.ts";
import type { LogOptions, NodesOptions } from "./surface.ts";

/** Which commits to list, checked; `limit` is Infinity unless given. */
export interface CheckedLog {
  /** At most so many. */
  readonly limit: number;
  /** Follow first parents only. */
  readonly firstParent: boolean;
  /** Only commits that change this node. */
  readonly node: string | undefined;
}

/** Options: an object. Throws a TypeError for anything else. */
export function checkOptions<T>(options: T): T {
  if (typeof options !== "object" || options === null) {
    throw new TypeError(
      `Cannot use options: ${typeName(options)}, must be an object`,
    );
  }
  return options;
}

/** A flag: true or false, or nothing. Throws a TypeError for anything else. */
export function checkFlag(name: string, value: unknown): boolean | undefined {
  if (value === undefined || typeof value === "boolean") return value;
  throw new TypeError(
    `"${name}" must be true or false, got ${typeName(value)}`,
  );
}

/** A function. Throws a TypeError for anything else. */
export function checkFunction(name: string, value: unknown): void {
  if (typeof value === "function") return;
  throw new TypeError(`"${name}" must be a function, got ${typeName(value)}`);
}

/** A signal, or nothing. Throws a TypeError for anything else. */
export function checkSignal(signal: unknown): void {
  if (signal === undefined || signal instanceof AbortSignal) return;
  throw new TypeError(
    `"signal" must be an AbortSignal, got ${typeName(signal)}`,
  );
}

/** An id to look for: any text, for an import brings ids that a write refuses. */
export function checkAnyId(id: unknown): string {
  return checkText(id, { what: "node id", bytesMax: Infinity });
}

/** Checks which nodes to list. */
export function checkRange(options: NodesOptions): NodesOptions {
  const { ids, prefix, after, limit } = checkOptions(options);
  const bytesMax = Infinity;
  if (ids !== undefined && !Array.isArray(ids)) {
    throw new TypeError(`"ids" must be an array, got ${typeName(ids)}`);
  }
  if (prefix !== undefined) checkText(prefix, { what: "prefix", bytesMax });
  if (after !== undefined) checkText(after, { what: "after", bytesMax });
  return {
    ids: ids?.map(checkAnyId),
    prefix,
    after,
    limit: checkCount("limit", limit),
  };
}

/** Checks which commits to list. */
export function checkLog(options: LogOptions): CheckedLog {
  const { limit, firstParent, node } = checkOptions(options);
  if (node !== undefined) checkAnyId(node);
  return {
    limit: checkCount("limit", limit) ?? Infinity,
    firstParent: checkFlag("firstParent", firstParent) ?? false,
    node,
  };
}

/** A count: an integer of 0 or more, or nothing. Throws TypeError or RangeError for anything else. */
export function checkCount(name: string, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "number") {
    throw new TypeError(`"${name}" must be a number, got ${typeof value}`);
  }
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new RangeError(
      `"${name}" must be an integer of 0 or more, got ${value}`,
    );
  }
  return value;
}
