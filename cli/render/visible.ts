/**
 * Stored text on a terminal: nothing of it may move the cursor, change colours, hide or turn text
 * around, whoever wrote it.
 *
 * @module
 */

import { type Json, stringifyJson } from "@mnem/core";

/**
 * Controls of C0 and C1, DEL, the soft hyphen, marks that change direction, separators that break a
 * line, and the byte order mark. The joiners of emoji and of Persian words stay.
 */
const HIDDEN =
  // deno-lint-ignore no-control-regex -- they are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

const SHORT: { readonly [unit: string]: string } = {
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

/** Returns text in one line, every hidden character as a JSON escape. */
export function visible(text: string): string {
  return text.replace(
    HIDDEN,
    (unit) =>
      SHORT[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Returns the lines of a text, each visible. */
export function visibleLines(text: string): string[] {
  return text.split(/\r?\n/).map(visible);
}

/** Returns an id or a name: as it is where nothing can be mistaken, else as a JSON string. */
export function shown(text: string): string {
  const isPlain = text !== "" && text.trim() === text &&
    !/["\\]/.test(text) && visible(text) === text;
  return isPlain ? text : visible(JSON.stringify(text));
}

/** Returns a value as JSON in one line. What is escaped stands only in strings, so it is the same value. */
export function shownJson(value: Json): string {
  return visible(stringifyJson(value));
}

/** Returns what a user can type for a word in a shell. */
export function shellWord(text: string): string {
  if (/^[\w./:@%+,=-]+$/.test(text)) return text;
  const seen = visible(text);
  return seen === text
    ? `'${text.replaceAll("'", `'\\''`)}'`
    : `$'${visible(text.replaceAll("\\", "\\\\")).replaceAll("'", "\\'")}'`;
}

/** Colours are the only escape sequences that the command line itself writes. */
const COLOUR = String.raw`\u001b\[[0-9;]*m`;
const UNEXPECTED = new RegExp(
  `${COLOUR}|[\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f]`,
  "g",
);

/** The last look at what goes to a terminal: a control that no renderer has escaped is escaped here. */
export function withoutControls(text: string): string {
  return text.replace(
    UNEXPECTED,
    (match) => match.length > 1 ? match : visible(match),
  );
}
