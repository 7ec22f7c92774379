/**
 * What a commit says of itself, as a commit of git does: an author with a mail address, seconds, and
 * all else in trailers below the message (FORMAT.md, "Git").
 *
 * @module
 */

import { type Json, parseJson, stringifyJson } from "@mnem/core";
import { fieldsOf } from "../json_fields.ts";
import { jsonText } from "../report.ts";

/** Who made a commit of git. */
export interface Ident {
  /** The name. */
  readonly name: string;
  /** The mail address; may be empty. */
  readonly mail: string;
}

/** A commit of git, but for its files and parents. */
export interface GitCommit {
  /** Who made it. */
  readonly ident: Ident;
  /** When, in Unix seconds. */
  readonly seconds: bigint;
  /** Its message, trailers included. */
  readonly text: string;
}

/** What git's own programs can show as a date. */
const SECONDS_MAX = 253_402_300_799n;

const NO_NAME = "unknown";
const TRAILER = /^Mnem-([A-Z][A-Za-z-]*): (.*)$/;
const NO_STATE = "0".repeat(64);
const KNOWN = ["kind", "parents", "state", "message", "author", "time"];

/** Returns a commit for git; `object` is its JSON text in a bundle, `lines` are further trailers. */
export function toGit(
  object: string,
  { id, form, lines }: {
    readonly id: string;
    readonly form: string;
    readonly lines: readonly string[];
  },
): GitCommit {
  const fields = fieldsOf(parseJson(object));
  const message = String(fields["message"]);
  const author = String(fields["author"]);
  const time = String(fields["time"]);
  const others = Object.entries(fields).filter(([name]) =>
    !KNOWN.includes(name)
  );
  const ident = identOf(author);
  // Git ends a message where there is a zero.
  const shown = message.replaceAll("\0", "\u2400");
  const trailers = [
    `Mnem-Commit: ${id}`,
    `Mnem-Time: ${time}`,
    `Mnem-State: ${form}`,
    ...authorOf(ident) === author ? [] : [`Mnem-Author: ${jsonText(author)}`],
    ...shown === message ? [] : [`Mnem-Message: ${jsonText(message)}`],
    ...others.length === 0
      ? []
      : [`Mnem-Fields: ${jsonText(Object.fromEntries(others))}`],
    ...lines,
  ];
  return {
    ident,
    seconds: secondsOf(BigInt(time)),
    text: `${shown}\n\n${trailers.join("\n")}\n`,
  };
}

/** Returns the JSON text of a commit of a bundle, and how its state is identified. */
export function fromGit(
  { ident, seconds, text }: GitCommit,
): { readonly object: string; readonly form: "tree" | "flat" } {
  const { message, trailers } = splitMessage(text);
  const given = (name: string): Json | undefined => {
    const value = trailers.get(name);
    return value === undefined ? undefined : jsonOrNothing(value);
  };
  const author = given("Author");
  const whole = given("Message");
  const time = given("Time");
  const isTime = (typeof time === "number" || typeof time === "bigint") &&
    Number.isInteger(Number(time)) && secondsOf(BigInt(time)) === seconds;
  const object = {
    kind: "commit",
    parents: [],
    state: NO_STATE,
    message: typeof whole === "string" &&
        whole.replaceAll("\0", "\u2400") === message
      ? whole
      : message,
    author: typeof author === "string" && sameIdent(identOf(author), ident)
      ? author
      : authorOf(ident),
    time: isTime ? time : seconds * 1000n,
  };
  const others = Object.entries(fieldsOf(given("Fields") ?? null)).filter((
    [name],
  ) => !KNOWN.includes(name));
  return {
    object: stringifyJson({ ...Object.fromEntries(others), ...object }),
    form: trailers.get("State") === "flat" ? "flat" : "tree",
  };
}

/** An author as git has one. What git cannot have in a name is a space. */
export function identOf(author: string): Ident {
  const [, name, mail] = /^([^<>\n\0]+) <([^<>\n\0]+)>$/.exec(author) ?? [];
  if (name !== undefined && mail !== undefined && isPlain(name, mail)) {
    return { name, mail };
  }
  const plain = author.replace(/[<>\n\0]+/g, " ").trim();
  return { name: plain === "" ? NO_NAME : plain, mail: "" };
}

/** Who made a commit of git, as an author. */
export function authorOf({ name, mail }: Ident): string {
  if (mail === "") return name;
  return name === "" ? `<${mail}>` : `${name} <${mail}>`;
}

function isPlain(...texts: readonly string[]): boolean {
  return texts.every((text) => text.trim() === text && text !== "");
}

function sameIdent(a: Ident, b: Ident): boolean {
  return a.name === b.name && a.mail === b.mail;
}

/** Milliseconds as the nearest second that git has. */
function secondsOf(timeMs: bigint): bigint {
  if (timeMs < 0n) return 0n;
  const seconds = timeMs / 1000n;
  return seconds > SECONDS_MAX ? SECONDS_MAX : seconds;
}

/** Takes our trailers out of the last paragraph of a message, wherever others stand there. */
function splitMessage(
  text: string,
): {
  readonly message: string;
  readonly trailers: ReadonlyMap<string, string>;
} {
  const end = text.replace(/\n+$/, "");
  const start = end.lastIndexOf("\n\n") + 2;
  const lines = start < 2 ? [] : end.slice(start).split("\n");
  const trailers = new Map(
    lines.flatMap((line) => {
      const [, name, value] = TRAILER.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value]];
    }),
  );
  if (!trailers.has("Commit")) return { message: end, trailers: new Map() };
  const others = lines.filter((line) => !TRAILER.test(line));
  const message = others.length === 0
    ? end.slice(0, start - 2)
    : end.slice(0, start) + others.join("\n");
  return { message, trailers };
}

function jsonOrNothing(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
