/**
 * A commit: one change of memory, who made it, when and why.
 *
 * @module
 */

import { AUTHOR_BYTES_MAX, MESSAGE_BYTES_MAX } from "../limits.ts";
import { CborWriter } from "./cbor_writer.ts";
import { checkText, typeName } from "./check_text.ts";
import { toHex } from "./hex.ts";
import { readFields } from "./object_fields.ts";

/** 64 lowercase hex digits: BLAKE3-256 of an object's canonical bytes. */
export type ObjectId = string;

/** A commit as it is read. */
export interface Commit {
  /** BLAKE3-256 of the commit's bytes. */
  readonly id: ObjectId;
  /** None: a root; two: a merge, ours first. */
  readonly parents: readonly ObjectId[];
  /** The id of the state that the commit recorded. */
  readonly state: ObjectId;
  /** What the commit did, in the words of its author. */
  readonly message: string;
  /** Who made it. */
  readonly author: string;
  /** When it was made, in Unix milliseconds. */
  readonly timeMs: number;
}

/** Encodes a commit canonically (FORMAT.md, "Objects"). Checks nothing: see {@linkcode checkMessage} and its like. */
export function encodeCommit(commit: Omit<Commit, "id">): Uint8Array {
  const writer = new CborWriter();
  writer.map(6);
  writer.text("kind");
  writer.text("commit");
  writer.text("time");
  writer.int(commit.timeMs);
  writer.text("state");
  writer.id(commit.state);
  writer.text("author");
  writer.text(commit.author);
  writer.text("message");
  writer.text(commit.message);
  writer.text("parents");
  writer.array(commit.parents.length);
  for (const parent of commit.parents) writer.id(parent);
  return writer.finish();
}

/**
 * Decodes a commit, ignoring fields that it does not know. A time beyond 2^53, which only an import
 * brings, is rounded. Throws an MnemError `corrupt_store` for anything but a commit,
 * `format_version` for an object of a kind that this version does not know.
 */
export function decodeCommit(bytes: Uint8Array): Omit<Commit, "id"> {
  const fields = readFields(bytes, "commit");
  return {
    parents: fields.ids("parents").map(toHex),
    state: toHex(fields.id("state")),
    message: fields.text("message"),
    author: fields.text("author"),
    timeMs: fields.time("time"),
  };
}

/** Returns a commit's message as it is; it may be empty. Throws as {@linkcode checkText} does, over 64 KiB. */
export function checkMessage(message: unknown): string {
  return checkText(message, { what: "message", bytesMax: MESSAGE_BYTES_MAX });
}

/** Returns a commit's author as it is; it may be empty. Throws as {@linkcode checkText} does, over 4 KiB. */
export function checkAuthor(author: unknown): string {
  return checkText(author, { what: "author", bytesMax: AUTHOR_BYTES_MAX });
}

/**
 * Returns a time in Unix milliseconds as it is, 0 for -0. Throws a TypeError unless it is a number,
 * a RangeError unless it is an integer within 2^53 - 1. `what` names it in the error.
 */
export function checkTime(timeMs: unknown, what = "time"): number {
  if (typeof timeMs !== "number") {
    throw new TypeError(
      `Cannot use ${what}: ${
        typeName(timeMs)
      }, must be a number of milliseconds`,
    );
  }
  if (!Number.isSafeInteger(timeMs)) {
    throw new RangeError(
      `Cannot use ${what}: ${timeMs}, must be an integer of milliseconds within 2^53 - 1`,
    );
  }
  return timeMs === 0 ? 0 : timeMs;
}
