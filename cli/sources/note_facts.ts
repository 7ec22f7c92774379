/**
 * What a Markdown note says, fact by fact: each paragraph, item of a list, fence and field of the front
 * matter, under the headings and items that it stands under.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { digestOf } from "./digest.ts";
import { type Fact, idPart, type Parsed, skipped } from "./fact.ts";
import { type NoteBlock, noteBlocks } from "./note_blocks.ts";
import type { TextLine } from "./text_lines.ts";
import { SeenFacts } from "./seen_facts.ts";

/** Another file that a note asks to be read with it, as `@path`. */
export interface NoteImport {
  /** As it is written, without the `@`. */
  readonly path: string;
  /** Where. */
  readonly line: number;
}

/** What was read of a note. */
export interface NoteFacts {
  /** Facts and findings in the order of the note. */
  readonly parsed: readonly Parsed[];
  /** The files that it names. */
  readonly imports: readonly NoteImport[];
}

const NAME_WORDS = 8;
const NAME_UNITS = 80;
/** So far a name is looked for: the time that it takes grows with the square. */
const LOOKED_UNITS = 1_000;
/** A path of headings and items that is longer is a digest and the name; so an id fits in a store. */
const PATH_BYTES_MAX = 700;
const DIGEST_DIGITS = 16;
/** So long may be what stands before a colon and names what follows. */
const LABEL_WORDS = 5;

/**
 * Returns the facts of a note. The id of one is `<file>#<headings>/<name>`: headings and names in lower
 * case with hyphens, as in a link to a heading. The name is what stands before a colon or in bold at its
 * beginning, else its first eight words; so a fact keeps its id while it is moved, or while what follows
 * its name is edited. One with the id of another above it has `~2` at its end. Where headings and name
 * have over 700 bytes, `~` and a digest of them stand for the headings.
 */
export function noteFacts(
  lines: readonly TextLine[],
  file: string,
): NoteFacts {
  const note = new Note(file);
  for (const block of noteBlocks(lines)) note.block(block);
  return note;
}

class Note implements NoteFacts {
  readonly parsed: Parsed[] = [];
  readonly imports: NoteImport[] = [];
  readonly #file: string;
  readonly #headings: { readonly level: number; readonly name: string }[] = [];
  readonly #items: { readonly depth: number; readonly name: string }[] = [];
  /** By their ids without a number. */
  readonly #seen = new SeenFacts();

  constructor(file: string) {
    this.#file = file;
  }

  block(block: NoteBlock): void {
    const { kind, text, first, depth } = block;
    if (kind !== "item") this.#items.length = 0;
    switch (kind) {
      case "heading": {
        while ((this.#headings.at(-1)?.level ?? 0) >= depth) {
          this.#headings.pop();
        }
        this.#headings.push({ level: depth, name: linkName(text) });
        return;
      }
      case "fault":
        return void this.parsed.push(skipped(first, text));
      case "comment":
        return void this.parsed.push({
          kind: "passed-over",
          line: first,
          reason: "it is a comment",
        });
      case "field":
        return this.#fact(block, ["~front", idPart(block.name ?? "")]);
      case "item":
      case "text": {
        while (kind === "item" && (this.#items.at(-1)?.depth ?? -1) >= depth) {
          this.#items.pop();
        }
        const above = [...this.#headings, ...this.#items];
        // An item is called after its first paragraph.
        const name = nameOf(
          kind === "item" ? text.split("\n", 1)[0] ?? "" : text,
        );
        if (kind === "item") this.#items.push({ depth, name });
        if (text.trim() === "") return;
        this.#fact(block, [...above.map((one) => one.name), name]);
        this.#findImports(block);
      }
    }
  }

  #fact({ text, raw, first, last }: NoteBlock, path: readonly string[]): void {
    const base = `${this.#file}#${pathText(path)}`;
    const { same, count } = this.#seen.add(base, text, first);
    if (same !== undefined) {
      // Nothing is wrong with it, and nothing is lost: what ends a block of HTML often comes again.
      const reason = `it is the same as line ${same}`;
      return void this.parsed.push({
        kind: "passed-over",
        line: first,
        reason,
      });
    }
    const id = count === 1 ? base : `${base}~${count}`;
    const fact: Fact = {
      kind: "fact",
      id,
      content: text,
      first,
      last,
      observation: raw,
    };
    this.parsed.push(fact);
  }

  /** Looks for `@path` outside code. */
  #findImports({ raw, first }: NoteBlock): void {
    if (/^[ \t]*(?:`{3}|~{3})/.test(raw)) return;
    for (const [at, line] of raw.split("\n").entries()) {
      const said = line.replaceAll(/`[^`]*`/g, "");
      for (const [, path = ""] of said.matchAll(/(?:^|[\s(])@([^\s()`]+)/g)) {
        this.imports.push({
          path: path.replace(/[.,;:!?]+$/, ""),
          line: first + at,
        });
      }
    }
  }
}

function pathText(path: readonly string[]): string {
  const whole = path.join("/");
  if (Buffer.byteLength(whole) <= PATH_BYTES_MAX) return whole;
  const digest = digestOf(whole).slice(0, DIGEST_DIGITS);
  return `~${digest}/${firstUnits(path.at(-1) ?? "")}`;
}

/** Returns so much of a text as a name has, no character cut in two. */
function firstUnits(text: string): string {
  const first = text.slice(0, NAME_UNITS);
  return first.isWellFormed() ? first : first.slice(0, -1);
}

/** Returns what a fact is called: what stands before a colon or in bold, else its first words. */
function nameOf(text: string): string {
  const said = text.replace(/^\[[ xX]\][ \t]+/, "");
  const [, bold = ""] = /^(?:\*\*|__)(.+?)(?:\*\*|__)/.exec(said) ?? [];
  if (bold !== "") return linkName(bold);
  const [, before = ""] = /^([^:\n]+):(?:\s|$)/.exec(said) ?? [];
  const label = before.trimEnd();
  const isLabel = label !== "" && label.split(/\s+/).length <= LABEL_WORDS;
  return linkName(isLabel ? label : said.split(/\s+/, NAME_WORDS).join(" "));
}

/** Returns text as a link to a heading writes it: lower case, hyphens, no punctuation. */
function linkName(text: string): string {
  const said = text.slice(0, LOOKED_UNITS).replaceAll(
    /!?\[([^\]]*)\]\([^)]*\)/g,
    "$1",
  );
  const words = said.toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}_\s-]+/gu, " ").replaceAll(/[\s-]+/g, "-");
  const name = firstUnits(words).replace(/^-|-$/g, "");
  return name === "" ? "-" : name;
}
