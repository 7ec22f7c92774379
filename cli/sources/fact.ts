/**
 * What a parser of a source gives: facts, each with the lines that it stands in, and what was found
 * that is no fact.
 *
 * @module
 */

import type { Json } from "@mnem/core";

/** Lines of a file, from 1. */
export interface Lines {
  /** The first one. */
  readonly first: number;
  /** The last one. */
  readonly last: number;
}

/** Something that a source says. */
export interface Fact extends Lines {
  /** Tells it from a finding. */
  readonly kind: "fact";
  /** The node id. */
  readonly id: string;
  /** The content of the node. */
  readonly content: Json;
  /** The text as it stands in the source. */
  readonly observation?: string | undefined;
  /** Anything else that the source says about it. */
  readonly note?: string | undefined;
  /** When it happened, in Unix milliseconds, if the source says so. */
  readonly eventTimeMs?: number | undefined;
}

/** Something that is to be told. */
export interface Finding {
  /**
   * `skipped`: a fault, and not imported; `passed-over`: not imported, by a rule; `warning`: a fault,
   * and imported all the same.
   */
  readonly kind: "skipped" | "passed-over" | "warning";
  /** Where it begins, from 1; undefined: the file as a whole. */
  readonly line: number | undefined;
  /** What it is, without a full stop. */
  readonly reason: string;
}

/** What a parser gives, in the order of the source. */
export type Parsed = Fact | Finding;

/** Makes what is said of something that is not imported. */
export function skipped(line: number | undefined, reason: string): Finding {
  return { kind: "skipped", line, reason };
}

/** Returns where a fact stands, as its evidence says it: `line 3`, or `lines 3-5`. */
export function linesText({ first, last }: Lines): string {
  return first === last ? `line ${first}` : `lines ${first}-${last}`;
}

/**
 * Returns a name as one part of a node id, in which `/` divides the parts: `~` is written `~0`, `/` is
 * written `~1`, NUL `~2` and an empty name `~3`, so that no two names make one part.
 */
export function idPart(name: string): string {
  if (name === "") return "~3";
  return name.replaceAll("~", "~0").replaceAll("/", "~1")
    .replaceAll("\0", "~2");
}
