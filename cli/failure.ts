/**
 * What a failure looks like: a code, a message and what to type next, or one JSON value.
 *
 * @module
 */

import {
  exitStatus,
  isBadArgument,
  isMnemError,
  type Json,
  type MnemErrorCode,
} from "@mnem/core";
import { UsageError } from "./given.ts";
import { fieldsOf } from "./json_fields.ts";
import {
  shellWord,
  shown,
  shownJson,
  visible,
  visibleLines,
  withoutControls,
} from "./render/visible.ts";
import type { JsonObject } from "./report.ts";

/** A failure, ready to be written to standard error. */
export interface Failure {
  /** The exit status. */
  readonly status: number;
  /** For a person. */
  readonly lines: readonly string[];
  /** For a program: `{error: {code, message, data?}}`. */
  readonly json: Json;
}

/** What is known of the call that failed. */
export interface FailureContext {
  /** The command; undefined if none was recognised. */
  readonly command: string | undefined;
  /** The place of the store, where one was named. */
  readonly store: string | undefined;
  /** A branch whose name is like a word that was typed. */
  readonly similar: string | undefined;
}

/** Describes an error that ended a call. */
export function describeFailure(
  error: unknown,
  context: FailureContext,
): Failure {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  const [first = "", ...more] = message.split("\n");
  const prefix = error instanceof UsageError ? "mnem: " : `mnem: ${code}: `;
  return {
    status: exitStatus(error),
    lines: [
      prefix + visible(first),
      ...more.map((line) => `  ${visible(line)}`),
      ...detailsOf(error),
      ...hintsOf(error, code, context).map((hint) =>
        `hint: ${withoutControls(hint)}`
      ),
    ],
    json: { error: { code, message, ...dataOf(error) } },
  };
}

function codeOf(
  error: unknown,
): MnemErrorCode | "invalid_argument" | "internal" {
  if (isMnemError(error)) return error.code;
  return isBadArgument(error) ? "invalid_argument" : "internal";
}

function dataOf(error: unknown): JsonObject {
  if (!isMnemError(error)) return {};
  const data = {
    ...error.data,
    ...(error.outcome === "unknown" ? { outcome: "unknown" } : {}),
  };
  return Object.keys(data).length === 0 ? {} : { data };
}

/** What is known beyond the message: both values of a lost `base`, the place of a defect. */
function detailsOf(error: unknown): string[] {
  if (isMnemError(error)) {
    const conflicts = error.data?.["conflicts"];
    return Array.isArray(conflicts) ? conflicts.flatMap(lostBaseLines) : [];
  }
  if (isBadArgument(error) || !(error instanceof Error)) return [];
  return visibleLines(error.stack ?? "").slice(1);
}

function lostBaseLines(conflict: Json): string[] {
  const { id, base, head } = fieldsOf(conflict);
  return [
    `  ${shown(String(id))}`,
    `    as you had read it  ${contentText(base)}`,
    `    as it is now        ${contentText(head)}`,
  ];
}

function contentText(node: Json | undefined): string {
  return node === null || node === undefined
    ? "(not in memory)"
    : shownJson(fieldsOf(node)["content"] ?? null);
}

const LISTS = ['"mnem branch" lists the branches, "mnem log" the commits'];

const HINTS: { readonly [code: string]: readonly string[] } = {
  not_found: [
    '"mnem recall" lists the nodes in memory, "mnem log" the commits',
  ],
  invalid_ref: LISTS,
  busy: ["another process is writing; try again"],
  corrupt_store: ['"mnem verify" names what is damaged'],
  format_version: ["a newer mnem made it; install that one"],
  store_exists: ["mnem status"],
  internal: ["this is a defect of mnem: please report it with the lines above"],
};

/** What is of more use after one command. */
const COMMAND_HINTS: ReadonlyMap<string, readonly string[]> = new Map([
  ["branch not_found", LISTS],
  [
    "import corrupt_store",
    ['nothing was imported; if it is not the bundle, "mnem verify" the store'],
  ],
  [
    "import store_exists",
    ["--prefix takes the branches into the store that is there"],
  ],
  [
    "import conflict",
    [
      "--prefix=theirs/ takes the branches in beside those that are there, to be merged",
    ],
  ],
  ["verify corrupt_store", []],
]);

function hintsOf(
  error: unknown,
  code: string,
  { command, store, similar }: FailureContext,
): readonly string[] {
  if (error instanceof UsageError || code === "invalid_argument") {
    return [command === undefined ? "mnem help" : `mnem help ${command}`];
  }
  if (code === "no_store") {
    const at = store === undefined ? "" : ` --store=${shellWord(store)}`;
    return [`mnem init${at}`];
  }
  if (similar !== undefined) return [`did you mean ${shown(similar)}?`];
  if (isMnemError(error) && error.outcome === "unknown") {
    return ['it may have been written all the same; "mnem log" tells'];
  }
  const head = isMnemError(error, "conflict") && error.data?.["head"];
  if (typeof head === "string") {
    return [`think again about what it is now, then --base ${head}`];
  }
  return COMMAND_HINTS.get(`${command} ${code}`) ?? HINTS[code] ?? [];
}
