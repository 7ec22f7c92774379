/**
 * Writing: one call, one commit, which says what it did, who did it and where each belief came from.
 *
 * @module
 */

import {
  type Branch,
  type Edit,
  isMnemError,
  type Json,
  MnemError,
  type ObjectId,
  type Storable,
  type WriteOptions,
  type Written,
} from "@mnem/core";
import { checkNames } from "./check_names.ts";
import { type Evidence, EVIDENCE_FIELDS, provenanceOf } from "./evidence.ts";

/** What the commit says of itself, and what the caller had read before. */
export interface Summary {
  /** The commit's message. Left out or empty: "remember <id>", "remember <n> nodes", "forget <id>". */
  readonly summary?: string | undefined;
  /** Else the store's author, else "agent". */
  readonly author?: string | undefined;
  /** Unix milliseconds; else the store's clock. */
  readonly timeMs?: number | undefined;
  /** The commit that the caller had read (null: none); see `WriteOptions.base` of `@mnem/core`. */
  readonly base?: ObjectId | null | undefined;
  /** Makes the call once, however often it is made under this key; see `CommitOptions.key` of `@mnem/core`. */
  readonly key?: string | undefined;
}

/** One belief among several, with evidence of its own. */
export interface Item extends Evidence {
  /** The node's id. */
  readonly id: string;
  /** Any JSON value. */
  readonly content: unknown;
}

const EVIDENCE_NAMES = [
  ...EVIDENCE_FIELDS.map(({ name }) => name),
  "eventTimeMs",
];
const SUMMARY_NAMES: ReadonlySet<string> = new Set([
  "summary",
  "author",
  "timeMs",
  "base",
  "key",
]);
const REMEMBER_NAMES: ReadonlySet<string> = new Set([
  ...EVIDENCE_NAMES,
  ...SUMMARY_NAMES,
]);
const ITEM_NAMES: ReadonlySet<string> = new Set([
  "id",
  "content",
  ...EVIDENCE_NAMES,
]);

/**
 * Records one belief as one commit. The same belief with the same evidence again is no change and
 * makes no commit.
 *
 * @throws {TypeError} If the id or the content cannot be stored.
 * @throws {RangeError} If something is over a limit.
 * @throws {MnemError} `conflict` if `base` was given and the node changed since, or if `key` stands for
 * another call.
 *
 * @example
 * ```ts
 * import { openStore } from "@mnem/core";
 * import { remember } from "@mnem/agents";
 *
 * await using store = await openStore(Deno.makeTempDirSync(), { create: true });
 * await remember(store, "plan", "pro", { observation: "billing-note-8842" });
 * ```
 */
export async function remember<T>(
  store: Branch,
  id: string,
  content: T & Storable<T>,
  options: Evidence & Summary = {},
): Promise<Written> {
  checkNames(options, "options", REMEMBER_NAMES);
  const edits = [editOf(id, content, options)];
  return await store.write(
    edits,
    writeOptions(store, `remember ${String(id)}`, options),
  );
}

/**
 * Records several beliefs as one commit, all or none. An id given twice: the last wins. No items, or
 * none that is new: no commit.
 *
 * @throws {TypeError} If an item has no id or content (the message names its index, from 0), or
 * cannot be stored.
 * @throws {RangeError} If something is over a limit.
 * @throws {MnemError} `conflict` if `base` was given and one of the nodes changed since, or if `key`
 * stands for another call.
 */
export async function rememberMany(
  store: Branch,
  items: Iterable<Item>,
  options: Summary = {},
): Promise<Written> {
  if (typeof items?.[Symbol.iterator] !== "function") {
    throw new TypeError("Cannot remember: items must be iterable");
  }
  checkNames(options, "options", SUMMARY_NAMES);
  const edits = Array.from(items, editOfItem);
  const count = edits.length === 1 ? "1 node" : `${edits.length} nodes`;
  return await store.write(
    edits,
    writeOptions(store, `remember ${count}`, options),
  );
}

/**
 * Removes one node from memory as one commit. The past keeps it.
 *
 * @throws {MnemError} `not_found` if the id is not in memory; `conflict` if `base` was given and the
 * node changed since, or if `key` stands for another call.
 */
export async function forget(
  store: Branch,
  id: string,
  options: Summary = {},
): Promise<Written> {
  checkNames(options, "options", SUMMARY_NAMES);
  const about = writeOptions(store, `forget ${String(id)}`, options);
  try {
    return await store.write([{ id, remove: true }], {
      ...about,
      mustChange: true,
    });
  } catch (error) {
    if (!isMnemError(error, "not_found")) throw error;
    const { outcome } = error;
    throw new MnemError(
      "not_found",
      `Cannot forget node ${JSON.stringify(id)}: it is not in memory`,
      { cause: error, outcome },
    );
  }
}

function editOfItem(item: Item | null | undefined, index: number): Edit {
  if (item?.id === undefined) {
    throw new TypeError(`Cannot remember item ${index}: it must have an id`);
  }
  if (item.content === undefined) {
    throw new TypeError(
      `Cannot remember item ${index}: it must have a content`,
    );
  }
  checkNames(item, `item ${index}`, ITEM_NAMES);
  return editOf(item.id, item.content, item);
}

function editOf(id: string, content: unknown, evidence: Evidence): Edit {
  requireContent(id, content);
  return {
    id,
    content,
    provenance: provenanceOf(evidence),
    eventTimeMs: evidence.eventTimeMs,
  };
}

// Whether the content is JSON and within the limits is for the store to judge, which does so before
// anything is written.
function requireContent(id: string, content: unknown): asserts content is Json {
  if (content === undefined) {
    throw new TypeError(
      `Cannot remember node ${
        JSON.stringify(id)
      }: content is undefined, it must be a JSON value`,
    );
  }
}

function writeOptions(
  store: Branch,
  message: string,
  options: Summary,
): WriteOptions {
  return {
    message: options.summary || message,
    author: options.author ?? store.author ?? "agent",
    timeMs: options.timeMs,
    base: options.base,
    key: options.key,
  };
}
