/**
 * What a failure looks like to a client: a code, a message and, for some, data.
 *
 * @module
 */

import { isBadArgument, isMnemError, PAGE_BYTES_MAX } from "@mnem/core";
import { jsonBytes, type JsonObject } from "./json_text.ts";

/** A failure as the wire shows it. */
export interface WireError {
  /** A code of `MnemError`; "invalid_argument" for a bad argument; "internal" for a defect of the server. */
  readonly code: string;
  /** What happened, for the model to act on. */
  readonly message: string;
  /** Facts for a program; bounded in bytes as a page is. */
  readonly data?: JsonObject;
}

/** What a client sees of a failure that nobody foresaw. */
export const INTERNAL: WireError = {
  code: "internal",
  message: "The server failed; its log says why",
};

/**
 * Returns what a client may see of an error. Of one that nobody foresaw it sees nothing: such a
 * message can hold paths and content.
 */
export function wireError(error: unknown): WireError {
  if (isMnemError(error)) {
    const data = {
      ...(error.data === undefined ? {} : boundedData(error.data)),
      ...(error.outcome === "unknown" ? { outcome: "unknown" } : {}),
    };
    const { code, message } = error;
    return Object.keys(data).length === 0
      ? { code, message }
      : { code, message, data };
  }
  if (isBadArgument(error)) {
    return { code: "invalid_argument", message: error.message };
  }
  return INTERNAL;
}

/** Cuts the conflicts of a lost `base` to a page, at least one, and counts those left out. */
function boundedData(data: JsonObject): JsonObject {
  const { conflicts } = data;
  if (!Array.isArray(conflicts) || jsonBytes(data) <= PAGE_BYTES_MAX) {
    return data;
  }
  let bytes = 0;
  const fitting = conflicts.findIndex((conflict, index) => {
    bytes += jsonBytes(conflict) + 1;
    return index > 0 && bytes > PAGE_BYTES_MAX;
  });
  const kept = fitting === -1 ? conflicts.length : fitting;
  return {
    ...data,
    conflicts: conflicts.slice(0, kept),
    conflicts_omitted: conflicts.length - kept,
  };
}
