/**
 * What one atomic write may hold, counted the same way whichever client carries it out: the stricter
 * of the two clients in each respect, so that a write that passes here passes everywhere.
 *
 * @module
 */

import { invariant } from "../errors.ts";
import {
  ATOMIC_BYTES_MAX,
  ATOMIC_CHECKS_MAX,
  ATOMIC_KEY_BYTES_MAX,
  ATOMIC_MUTATIONS_MAX,
  KEY_BYTES_MAX,
  KV_VALUE_BYTES_MAX,
} from "../limits.ts";
import { utf8Length } from "../object/utf8.ts";
import type { AtomicWrite, Key } from "./driver.ts";

/** What an atomic write costs of each bound. */
export interface AtomicCost {
  /** Checks; at most {@linkcode ATOMIC_CHECKS_MAX}. */
  readonly checks: number;
  /** Rows set and deleted; at most {@linkcode ATOMIC_MUTATIONS_MAX}. */
  readonly mutations: number;
  /** Values + 2 * keys set + keys deleted + keys checked, in bytes; at most {@linkcode ATOMIC_BYTES_MAX}. */
  readonly bytes: number;
  /** Keys set, in bytes; at most {@linkcode ATOMIC_KEY_BYTES_MAX}. */
  readonly setKeyBytes: number;
}

/**
 * Counts the bytes of a key as KV encodes it: each part has a byte of type and a byte of end, and a
 * zero byte inside a part takes two. An ill-formed text is a defect of ours: KV would store it as
 * another one.
 */
export function keyBytes(key: Key): number {
  let bytes = 0;
  for (const part of key) {
    bytes += 2 +
      (typeof part === "string"
        ? textBytes(part)
        : part.length + zeroBytes(part));
  }
  return bytes;
}

/** Counts what an atomic write costs; costs add up, so a planner can sum those of single rows. */
export function atomicCost(write: AtomicWrite): AtomicCost {
  return costOf(write, keyBytes);
}

function costOf(
  { checks = [], sets = [], deletes = [] }: AtomicWrite,
  sizeOf: (key: Key) => number,
): AtomicCost {
  let bytes = 0;
  let setKeyBytes = 0;
  for (const { key, value } of sets) {
    setKeyBytes += sizeOf(key);
    bytes += value.length;
  }
  bytes += 2 * setKeyBytes;
  for (const key of deletes) bytes += sizeOf(key);
  for (const { key } of checks) bytes += sizeOf(key);
  return {
    checks: checks.length,
    mutations: sets.length + deletes.length,
    bytes,
    setKeyBytes,
  };
}

/**
 * Throws a plain Error, a defect of ours, for a write that some client would refuse: over a bound
 * of {@linkcode AtomicCost}, a key over {@linkcode KEY_BYTES_MAX}, or a value over
 * {@linkcode KV_VALUE_BYTES_MAX}.
 */
export function assertWithinBudget(write: AtomicWrite): void {
  for (const { value } of write.sets ?? []) {
    invariant(value instanceof Uint8Array, "a value is a Uint8Array");
    assertAtMost("bytes in a value", value.length, KV_VALUE_BYTES_MAX);
  }
  const cost = costOf(write, checkedBytes);
  assertAtMost("checks in an atomic write", cost.checks, ATOMIC_CHECKS_MAX);
  assertAtMost(
    "mutations in an atomic write",
    cost.mutations,
    ATOMIC_MUTATIONS_MAX,
  );
  assertAtMost("bytes in an atomic write", cost.bytes, ATOMIC_BYTES_MAX);
  assertAtMost(
    "bytes of keys set in an atomic write",
    cost.setKeyBytes,
    ATOMIC_KEY_BYTES_MAX,
  );
}

/** Throws a plain Error, a defect of ours, for a key that is empty or too long. */
export function assertKey(key: Key): void {
  checkedBytes(key);
}

function checkedBytes(key: Key): number {
  invariant(key.length > 0, "a key has parts");
  const bytes = keyBytes(key);
  assertAtMost("bytes in a key", bytes, KEY_BYTES_MAX);
  return bytes;
}

function assertAtMost(what: string, count: number, most: number): void {
  // The text is made only for a failure: this runs for every key.
  if (count > most) invariant(false, `at most ${most} ${what}, not ${count}`);
}

function textBytes(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x80) return otherTextBytes(text);
    if (unit === 0) bytes++;
  }
  return bytes;
}

function otherTextBytes(text: string): number {
  invariant(text.isWellFormed(), "a text in a key is well-formed");
  let zeros = 0;
  for (let at = text.indexOf("\0"); at >= 0; at = text.indexOf("\0", at + 1)) {
    zeros++;
  }
  return utf8Length(text) + zeros;
}

function zeroBytes(bytes: Uint8Array): number {
  let zeros = 0;
  for (const byte of bytes) if (byte === 0) zeros++;
  return zeros;
}
