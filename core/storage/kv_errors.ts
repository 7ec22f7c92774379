/**
 * The only reader of what KV clients say when they fail. The class of their errors tells nothing (the
 * same failure is an Error here and a TypeError there), so the first line of the message decides.
 *
 * @module
 */

import { isMnemError, MnemError, type MnemErrorCode } from "../errors.ts";

/** Where and when a storage call failed. */
export interface FailedCall {
  /** The store as its user named it. */
  readonly location: string;
  /** What was being done. */
  readonly during: "open" | "read" | "write";
}

interface Meaning {
  readonly line: RegExp;
  readonly code: MnemErrorCode;
  /** What is the case, in our words; absent: the client's own first line says it best. */
  readonly says?: string;
  /** The cause of the error says why. */
  readonly because?: true;
  /** KV answers so only before anything is written. */
  readonly untouched?: true;
}

/** What the codecs of the npm client say of a stored value that is not bytes. */
export const NOT_BYTES = "The value is not bytes";

const LOCKED = /^database (table |schema )?is locked/;

const FULL =
  /^database or disk is full|^cannot commit - no transaction is active/;

const STOPPED = /^Database is closed|^db not found/;

const ACTIONS = {
  open: "Cannot open store",
  read: "Cannot read store",
  write: "Cannot write to store",
} as const;

const MEANINGS: readonly Meaning[] = [
  {
    line: LOCKED,
    code: "busy",
    says: "another process holds the lock of its file",
    untouched: true,
  },
  {
    line: /^file is not a database/,
    code: "corrupt_store",
    says: "its file is not a SQLite database",
  },
  {
    line: /^database disk image is malformed/,
    code: "corrupt_store",
    says: "its file is damaged",
  },
  {
    line:
      /^The value encoding \d+ is unknown|^Unsupported encoding: |^could not deserialize value|^The value is not bytes/,
    code: "corrupt_store",
    says: "a value is not bytes",
  },
  {
    // Both decode the keys that they list.
    line:
      /^(invalid (utf8|tag)|unexpected end of file)$|^Unsupported typecode: |^Offset is outside the bounds of the DataView|^The number NaN cannot/,
    code: "corrupt_store",
    says: "a key in its file is damaged",
  },
  {
    line:
      /^Query returned no rows|^no such (table|column)|^table \S+ already exists/,
    code: "corrupt_store",
    says: "the tables in its file are not those of Deno KV",
  },
  {
    // Nothing here closes a handle under a call, so the engine ended by itself.
    line: STOPPED,
    code: "corrupt_store",
    says: "the engine of Deno KV stopped, as it does on a damaged file",
  },
  {
    line: /^unable to open database file/,
    code: "store_io",
    says: "its file cannot be opened; the folder must exist and be writable",
  },
  {
    line:
      /^Can not write to a read-only database|^attempt to write a readonly database/,
    code: "store_io",
    says: "its folder and file must be writable, and one is not",
    untouched: true,
  },
  {
    line: FULL,
    code: "store_io",
    says: "the disk is full",
  },
  {
    line: /^Bad resource ID|^Cannot call '\.\w+' after '\.close'/,
    code: "store_io",
    says: "its handle was closed before",
    untouched: true,
  },
  {
    line: /^No default napi interface/,
    code: "store_io",
    says:
      "the addon of @deno/kv cannot be loaded; run Deno with --unstable-kv, or with -A on a platform that has the addon",
    because: true,
  },
  {
    line: /^Missing DENO_KV_ACCESS_TOKEN|^Set the DENO_KV_ACCESS_TOKEN/,
    code: "store_io",
    says:
      "the environment variable DENO_KV_ACCESS_TOKEN must hold its access token",
    untouched: true,
  },
  {
    // The first status that is named is that of the answer: others stand in what a server says.
    line: /^((?!\bstatus\b).)*\bstatus[:=]? ?40[13]\b/,
    code: "store_io",
    says: "the server refused the access token in DENO_KV_ACCESS_TOKEN",
    untouched: true,
  },
  {
    line:
      /failed to connect|^fetch failed|^error sending request|\bECONNREFUSED\b|^Unable to connect/,
    code: "store_io",
    says: "its server cannot be reached",
  },
  {
    line: /^error reading a body|^terminated$|\bclosed unexpectedly/,
    code: "store_io",
    says: "its server broke off its answer",
  },
  {
    line:
      /^Bad DatabaseMetadata|^Unexpected response content-type|^Unsupported version|^No endpoints|^Unable to find endpoint|^snapshotRead: response checks failed|^commit failed with status|^Unknown wire type/,
    code: "store_io",
    says: "its server does not speak KV Connect",
  },
];

/**
 * Turns what a KV client threw into an {@linkcode MnemError}: `busy` for a lock, `corrupt_store` for a
 * damaged or foreign file, `store_io` for all else. The error is kept as `cause`; an
 * {@linkcode MnemError} comes back as it is. The outcome of a write is "unknown", unless KV answers
 * so only before it writes.
 */
export function storageError(error: unknown, call: FailedCall): MnemError {
  if (isMnemError(error)) return error;
  const line = firstLine(error);
  const meaning = MEANINGS.find((one) => one.line.test(line));
  const why = meaning?.because && error instanceof Error && error.cause;
  const text = [meaning?.says ?? line, ...why ? [firstLine(why)] : []];
  const unanswered = call.during === "write" && !meaning?.untouched;
  return new MnemError(
    meaning?.code ?? "store_io",
    `${ACTIONS[call.during]} "${call.location}": ${text.join(": ")}`,
    { cause: error, outcome: unanswered ? "unknown" : "none" },
  );
}

/**
 * Tells whether a call failed because another writer held the lock, so that nothing was written and
 * it may be tried again. Looks through an {@linkcode MnemError} at its cause.
 */
export function isLocked(error: unknown): boolean {
  return LOCKED.test(firstLine(isMnemError(error) ? error.cause : error));
}

/** Tells whether a call failed for want of room: to try again at once is of no use. */
export function isFull(error: unknown): boolean {
  return FULL.test(firstLine(isMnemError(error) ? error.cause : error));
}

/**
 * Tells whether the engine below a handle has stopped by itself. To close such a handle would end
 * the process.
 */
export function isStopped(error: unknown): boolean {
  return STOPPED.test(firstLine(error));
}

/**
 * Returns the first line of an error's message. What follows repeats it or is the stack of the
 * addon. Whatever stands after "Bearer" is an access token: some clients quote the header.
 */
export function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const [line = ""] = text.split(/\r?\n/, 1);
  return line.replace(/\bBearer\s+[^\s"']+/gi, "Bearer ***").trim();
}
