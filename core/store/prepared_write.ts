/**
 * Turns what a caller asks for into what can be written: every node checked and encoded, every
 * option settled. Pure, and the only place where a write can fail for a caller's mistake.
 *
 * @module
 */

import type { Clock } from "../clock.ts";
import { COMMIT_CHANGES_MAX } from "../limits.ts";
import { typeName } from "../object/check_text.ts";
import {
  checkAuthor,
  checkMessage,
  checkTime,
  type ObjectId,
} from "../object/commit.ts";
import { encodeNode } from "../object/memory_node.ts";
import { checkNodeId } from "../object/node_id.ts";
import { isObjectId } from "../object/object_id.ts";
import { quote } from "../object/quote.ts";
import { compareUtf8 } from "../object/utf8.ts";
import type { Check } from "../storage/driver.ts";
import { type AskedRequest, askedWrite } from "./asked_request.ts";
import { checkFlag, checkOptions } from "./check_options.ts";
import type { CommitOptions, Edit, WriteOptions } from "./surface.ts";

/** One edit, ready to be applied to any head. */
export interface PreparedEdit {
  /** The node id. */
  readonly id: string;
  /** The new node; null removes. */
  readonly node:
    | { readonly object: Uint8Array; readonly bytes: Uint8Array }
    | null;
}

/** A write, ready to be applied to any head. */
export interface PreparedWrite {
  /** In bytewise UTF-8 order of the ids, each id once. */
  readonly edits: readonly PreparedEdit[];
  /** What the commit says of itself. */
  readonly message: string;
  /** Who makes it. */
  readonly author: string;
  /** When, in Unix milliseconds. */
  readonly timeMs: number;
  /** The commit that the caller had read; null: none; undefined: not said. */
  readonly base: ObjectId | null | undefined;
  /** Makes a commit even where nothing changes. */
  readonly allowEmpty: boolean;
  /** Fails where nothing changes. */
  readonly mustChange: boolean;
  /** Set for a write that is made once, however often it is asked for. */
  readonly asked?: AskedRequest | undefined;
  /** Asks the guard about the branch that the commit is about to be made on. */
  readonly judge?: (branch: string) => Promise<void>;
  /** Staged rows that go with the commit, as they were read, and the mark that must not have moved. */
  readonly staged?: { readonly mark: Check; readonly rows: readonly Check[] };
}

/** What a handle gives to writes that do not say it themselves. */
export interface WriteDefaults {
  /** The author. */
  readonly author: string | undefined;
  /** The clock, read once a call. */
  readonly clock: Clock;
}

/**
 * Takes the edits of a write. Throws a TypeError for what is no list, a RangeError for more than
 * 100,000.
 */
export function gatherEdits(edits: Iterable<Edit>): readonly Edit[] {
  const isList = typeof edits === "object" && edits !== null &&
    Symbol.iterator in edits;
  if (!isList) {
    throw new TypeError(
      `Cannot use edits: ${typeName(edits)}, must be an iterable of edits`,
    );
  }
  const given: Edit[] = [];
  for (const edit of edits) {
    if (given.push(edit) > COMMIT_CHANGES_MAX) {
      throw new RangeError(
        `Cannot write more than ${COMMIT_CHANGES_MAX} edits in one commit`,
      );
    }
  }
  return given;
}

/**
 * Prepares a write. Throws TypeError or RangeError for an edit or option that cannot be stored;
 * nothing was written then. Of an id given twice the last wins.
 */
export function prepareWrite(
  edits: readonly Edit[],
  options: WriteOptions,
  defaults: WriteDefaults,
): PreparedWrite {
  const sorted = inOrder(edits.map(prepareEdit));
  // Last: a message that is made of an id shall not be blamed for it.
  const commit = prepareCommit(options, defaults);
  const asked = askedWrite(options.key, sorted);
  return { ...commit, edits: sorted, asked };
}

/** Edits in the order of their ids, of each id the last. Many at once often come so. */
function inOrder(edits: readonly PreparedEdit[]): readonly PreparedEdit[] {
  const isBehind = (edit: PreparedEdit, i: number) =>
    i > 0 && compareUtf8(edits[i - 1]!.id, edit.id) >= 0;
  if (!edits.some(isBehind)) return edits;
  const byId = new Map(edits.map((edit) => [edit.id, edit]));
  return [...byId.values()].sort((a, b) => compareUtf8(a.id, b.id));
}

/** The part of a write that is not its edits. */
export function prepareCommit(
  options: WriteOptions,
  defaults: WriteDefaults,
): Omit<PreparedWrite, "edits" | "staged" | "asked"> {
  const { message, timeMs, base, allowEmpty, mustChange } = checkOptions(
    options,
  );
  return {
    message: checkMessage(message),
    author: settleAuthor(options, defaults),
    timeMs: checkTime(timeMs === undefined ? defaults.clock() : timeMs),
    base: settleBase(base),
    allowEmpty: checkFlag("allowEmpty", allowEmpty) ?? false,
    mustChange: checkFlag("mustChange", mustChange) ?? false,
  };
}

/** The author of a commit: the option's, else the handle's, else "unknown". */
export function settleAuthor(
  options: CommitOptions,
  defaults: Pick<WriteDefaults, "author">,
): string {
  const { author = defaults.author ?? "unknown" } = options;
  return checkAuthor(author);
}

function settleBase(base: WriteOptions["base"]): PreparedWrite["base"] {
  if (base === undefined || base === null) return base;
  if (typeof base !== "string") {
    throw new TypeError(
      `"base" must be the id of a commit or null, got ${typeof base}`,
    );
  }
  if (isObjectId(base)) return base.toLowerCase();
  throw new TypeError(
    `Cannot use base ${quote(base)}: must be the id of a commit, 64 hex digits`,
  );
}

function prepareEdit(edit: Edit): PreparedEdit {
  if (typeof edit !== "object" || edit === null) {
    throw new TypeError(
      `Cannot use an edit: ${typeName(edit)}, must be an object`,
    );
  }
  const { id, remove, ...input } = edit;
  if (remove === undefined) {
    // Without content it is refused like undefined content.
    const node = { content: undefined, ...input };
    const { id: object, bytes } = encodeNode(id, node);
    return { id, node: { object, bytes } };
  }
  checkNodeId(id);
  const others = Object.values(input).some((value) => value !== undefined);
  if (remove !== true || others) {
    throw new TypeError(
      `Cannot edit node ${
        quote(id)
      }: "remove" must be true and stand without other fields`,
    );
  }
  return { id, node: null };
}
