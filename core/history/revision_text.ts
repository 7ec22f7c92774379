/**
 * The syntax of revisions: a branch, HEAD or the hex digits of a commit, then any number of steps
 * back: `~n`, `^n`, `@{time}`. A time alone steps back from HEAD.
 *
 * @module
 */

import { MnemError } from "../errors.ts";
import { quote } from "../object/quote.ts";

/** One step from a commit to an ancestor. */
export type RevisionStep =
  /** So many commits back along first parents. */
  | { readonly back: number }
  /** To the parent of that number, from 1; 0 stays. */
  | { readonly parent: number }
  /** To the first-parent commit nearest the head whose time is at most this, in Unix milliseconds. */
  | { readonly atMs: number };

/** A revision, taken apart. */
export interface ParsedRevision {
  /** What to start from: "HEAD", a branch, or hex digits. */
  readonly base: string;
  /** Where to go from there. */
  readonly steps: readonly RevisionStep[];
}

const STEP = /^(?:~(\d{0,9})|\^(\d{0,9})|@\{([^{}]*)\})/;

/** Takes a revision apart. Throws `invalid_ref` for text that is none. */
export function parseRevision(text: string): ParsedRevision {
  if (typeof text !== "string") {
    throw new TypeError(`A revision must be text, got ${typeof text}`);
  }
  const start = text.search(/[~^@]/);
  const named = start < 0 ? text : text.slice(0, start);
  // A time alone is one of the current branch.
  const base = named === "" && text.startsWith("@{") ? "HEAD" : named;
  let rest = start < 0 ? "" : text.slice(start);
  if (base === "") {
    throw new MnemError(
      "invalid_ref",
      `Cannot read revision ${quote(text)}: it names no commit`,
    );
  }
  const steps: RevisionStep[] = [];
  while (rest !== "") {
    const match = STEP.exec(rest);
    if (match === null) {
      throw new MnemError(
        "invalid_ref",
        `Cannot read revision ${quote(text)}: ${
          quote(rest)
        } must be ~n, ^n or @{time}`,
      );
    }
    steps.push(readStep(match, text));
    rest = rest.slice(match[0].length);
  }
  return { base, steps };
}

function readStep(
  [, back, parent, time]: RegExpExecArray,
  text: string,
): RevisionStep {
  if (back !== undefined) return { back: back === "" ? 1 : Number(back) };
  if (parent !== undefined) {
    return { parent: parent === "" ? 1 : Number(parent) };
  }
  const atMs = parseTime(time ?? "");
  if (Number.isNaN(atMs)) {
    throw new MnemError(
      "invalid_ref",
      `Cannot read revision ${
        quote(text)
      }: the time must be like 2026-11-03T12:00Z`,
    );
  }
  return { atMs };
}

const TIME =
  /^(\d{4}-\d{2}-(\d{2}))(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/;

/** ISO 8601, in UTC unless it names a zone, or Unix milliseconds; NaN for anything else. */
function parseTime(text: string): number {
  if (/^-?\d{5,16}$/.test(text)) return Number(text);
  const [, date, day, time = "00:00", zone = "Z"] = TIME.exec(text) ?? [];
  if (date === undefined) return NaN;
  // Date takes February 30 for March 2.
  const midnight = new Date(`${date}T00:00Z`);
  if (midnight.getUTCDate() !== Number(day)) return NaN;
  return Date.parse(
    `${date}T${time}${zone.replace(/(\d{2})(\d{2})$/, "$1:$2")}`,
  );
}
