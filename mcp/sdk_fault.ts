/**
 * Errors of the SDK, and those that pass through it, as a client may see them.
 *
 * @module
 */

import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { FAULT_UNITS_MAX } from "./limits.ts";
import { logError } from "./stderr_log.ts";
import { INTERNAL } from "./wire_error.ts";

/** The error member of a JSON-RPC answer. */
export interface ProtocolFault {
  /** A number of JSON-RPC's or of MCP's. */
  readonly code: number;
  /** What is wrong with the request. */
  readonly message: string;
  /** Facts for a program. */
  readonly data?: unknown;
}

/** What the SDK says of params that do not fit: what it found, as JSON over many lines. */
const ISSUES = /^(?:Invalid \S+ request: )?(\[\s*\{[^]*\}\s*\])$/;
/** What it says of a URI that it does not even look at. */
const LONG_URI = /^URI exceeds maximum length of \d+ characters/;

/**
 * Returns an error of the SDK as the client sees it. Params that do not fit are the request's fault,
 * for which the SDK answers "internal error" and a dump of its findings; and a message that quotes a
 * large frame is cut.
 */
export function shownFault(fault: ProtocolFault): ProtocolFault {
  const message = issuesOf(fault.message);
  if (message !== undefined || LONG_URI.test(fault.message)) {
    return {
      ...fault,
      code: ProtocolErrorCode.InvalidParams,
      message: cut(message ?? fault.message),
    };
  }
  const short = cut(fault.message);
  return short === fault.message ? fault : { ...fault, message: short };
}

/** Returns the error that a client is shown: nothing of one that nobody foresaw, for the SDK would show its message. */
export function readableFault(error: unknown): unknown {
  const { code, message, data } = Object(error);
  const isForeseen = Number.isSafeInteger(code);
  const shown = shownFault({
    code: isForeseen ? code : ProtocolErrorCode.InternalError,
    message: `${message}`,
    data,
  });
  if (isForeseen && shown.message === message) return error;
  if (isForeseen || shown.code !== ProtocolErrorCode.InternalError) {
    return new ProtocolError(shown.code, shown.message, data);
  }
  logError(error);
  return new ProtocolError(
    ProtocolErrorCode.InternalError,
    `${INTERNAL.code}: ${INTERNAL.message}`,
    { code: INTERNAL.code },
  );
}

function issuesOf(message: string): string | undefined {
  const [, json] = ISSUES.exec(message) ?? [];
  if (json === undefined) return undefined;
  const issues = parsed(json);
  if (issues.length === 0 || !issues.every(isIssue)) return undefined;
  const texts = issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join(".")}: ${message}`
  );
  return `Invalid request: ${texts.join("; ")}`;
}

interface Issue {
  readonly path: readonly unknown[];
  readonly message: string;
}

function isIssue(value: unknown): value is Issue {
  return typeof value === "object" && value !== null && "path" in value &&
    Array.isArray(value.path) && "message" in value &&
    typeof value.message === "string";
}

function parsed(json: string): unknown[] {
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

function cut(message: string): string {
  return message.length > FAULT_UNITS_MAX
    ? `${message.slice(0, FAULT_UNITS_MAX).toWellFormed()}...`
    : message;
}
