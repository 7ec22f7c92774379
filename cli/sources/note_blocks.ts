/**
 * The blocks of a Markdown note with their lines: headings, paragraphs, list items, fences, and the
 * fields before them all.
 *
 * @module
 */

import type { Lines } from "./fact.ts";
import type { TextLine } from "./text_lines.ts";

/** A block of a note. */
export interface NoteBlock extends Lines {
  /**
   * A heading, a paragraph or what else stands for itself, an item of a list, a field of the front
   * matter, a comment, or lines that cannot be read.
   */
  readonly kind: "heading" | "text" | "item" | "field" | "comment" | "fault";
  /** What it says, its lines joined as they flow; of a field its value; of a fault what is wrong. */
  readonly text: string;
  /** As it stands in the file. */
  readonly raw: string;
  /** Of a heading its level, 1 to 6; of an item its indentation in columns; else 0. */
  readonly depth: number;
  /** Of a field its name. */
  readonly name?: string;
}

// No two parts of an expression take the same characters: its time must not grow with their square.
const HEADING = /^ {0,3}(#{1,6})(?![^ \t])(.*)$/;
const RULE = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/;
const UNDERLINE = /^ {0,3}(?:(=+)|(-+))[ \t]*$/;
const ITEM = /^([ \t]*)(?:[-*+]|\d{1,9}[.)])(?:[ \t]+(.*))?$/;
const FENCE = /^[ \t]*(`{3,}(?=[^`]*$)|~{3,})/;
const COMMENT = /^ {0,3}<!--/;
const QUOTE = /^ {0,3}>/;
const FIELD = /^([^\s:#-][^:]*):(?:[ \t]+(.*))?$/;
const TABLE_LINE = /^[ \t|:]*-[ \t|:-]*$/;
const INDENT_COLUMNS = 4;

/** Returns the blocks of the lines of a note. */
export function noteBlocks(lines: readonly TextLine[]): NoteBlock[] {
  return new BlockReader(lines).read();
}

class BlockReader {
  readonly #lines: readonly TextLine[];
  readonly #blocks: NoteBlock[] = [];
  #at = 0;
  /** The first line from where we are that ends a comment, as far as it was looked for. */
  #commentEnd = 0;

  constructor(lines: readonly TextLine[]) {
    this.#lines = lines;
  }

  read(): NoteBlock[] {
    this.#frontMatter();
    while (this.#at < this.#lines.length) this.#block();
    return this.#blocks;
  }

  #text(at: number = this.#at): string {
    return this.#lines[at]?.text ?? "";
  }

  /** Whether a line is there that can be read and is not empty. */
  #isText(at: number = this.#at): boolean {
    const line = this.#lines[at];
    return line?.fault === undefined && this.#text(at).trim() !== "";
  }

  #frontMatter(): void {
    if (this.#text().trimEnd() !== "---") return;
    const end = this.#lines.findIndex(({ text }, at) =>
      at > 0 && /^(?:---|\.\.\.)\s*$/.test(text)
    );
    if (end < 0) return;
    for (this.#at = 1; this.#at < end;) {
      const [, name, value = ""] = FIELD.exec(this.#text()) ?? [];
      let to = this.#at + 1;
      while (to < end && !FIELD.test(this.#text(to))) to += 1;
      if (name !== undefined) this.#field(name.trimEnd(), value, to);
      else this.#faults(this.#at, to);
      this.#at = to;
    }
    this.#at = end + 1;
  }

  #field(name: string, value: string, to: number): void {
    const rest = this.#lines.slice(this.#at + 1, to).map(({ text }) => text)
      .filter((text) => text.trim() !== "" && !/^\s*#/.test(text));
    const [, quoted] = /^"([^"\\]*)"$|^'([^']*)'$/.exec(value) ?? [];
    const text = [quoted ?? value.trim(), ...rest].join("\n").trim();
    this.#faults(this.#at, to);
    this.#add("field", to, { text, name });
  }

  #faults(from: number, to: number): void {
    for (const { number, fault } of this.#lines.slice(from, to)) {
      if (fault === undefined) continue;
      this.#blocks.push({
        kind: "fault",
        first: number,
        last: number,
        text: fault,
        raw: "",
        depth: 0,
      });
    }
  }

  #block(): void {
    if (!this.#isText()) {
      this.#faults(this.#at, this.#at + 1);
      this.#at += 1;
      return;
    }
    const line = this.#text();
    const [, marks, heading = ""] = HEADING.exec(line) ?? [];
    if (marks !== undefined) {
      const to = this.#at + 1;
      const text = withoutMarks(heading.trim());
      this.#add("heading", to, { text, depth: marks.length });
      this.#at = to;
    } else if (RULE.test(line)) this.#at += 1;
    else if (FENCE.test(line)) this.#fence();
    else if (COMMENT.test(line)) this.#comment();
    else if (ITEM.test(line)) this.#item();
    else this.#paragraph();
  }

  #fence(): void {
    const to = this.#endOfFence(this.#at);
    this.#add("text", to, { text: this.#raw(to) });
    this.#at = to;
  }

  /** Returns the line after a fence; one that is never closed goes to the end of the note. */
  #endOfFence(from: number, opening: string = this.#text(from)): number {
    const [, marks = ""] = FENCE.exec(opening) ?? [];
    const close = new RegExp(`^[ \\t]*\\${marks[0]}{${marks.length},}[ \\t]*$`);
    for (let to = from + 1; to < this.#lines.length; to++) {
      if (close.test(this.#text(to))) return to + 1;
    }
    return this.#lines.length;
  }

  #comment(): void {
    if (this.#commentEnd < this.#at) this.#commentEnd = this.#at;
    while (
      this.#commentEnd < this.#lines.length &&
      !this.#text(this.#commentEnd).includes("-->")
    ) this.#commentEnd += 1;
    const to = this.#commentEnd;
    const isAlone = /-->\s*$/.test(this.#text(to));
    if (!isAlone) return this.#paragraph();
    this.#add("comment", to + 1, { text: "" });
    this.#at = to + 1;
  }

  /** An item with all that is indented under it, but for items of its own. */
  #item(): void {
    const [, space = "", first = ""] = ITEM.exec(this.#text()) ?? [];
    const depth = columnsOf(space);
    const flow = new Flow(first);
    let to = this.#at + 1;
    if (FENCE.test(first)) {
      const after = this.#endOfFence(this.#at, first);
      for (; to < after; to++) flow.line(this.#text(to));
    }
    let end = to;
    for (; to < this.#lines.length; to++) {
      if (!this.#isText(to)) {
        if (this.#lines[to]?.fault !== undefined) break;
        continue;
      }
      const line = this.#text(to);
      const isApart = end < to;
      const isInside = columnsOf(/^[ \t]*/.exec(line)?.[0] ?? "") > depth + 1;
      const isQuote = QUOTE.test(line) && !isInside;
      if (
        ITEM.test(line) || isApart && !isInside || isQuote || this.#begins(to)
      ) {
        if (!isInside || !FENCE.test(line)) break;
      }
      if (isApart) flow.paragraph();
      if (isInside && FENCE.test(line)) {
        const after = this.#endOfFence(to);
        for (; to < after; to++) flow.line(this.#text(to));
        to -= 1;
      } else flow.word(line);
      end = to + 1;
    }
    this.#add("item", end, { text: flow.text, depth });
    this.#at = end;
  }

  #paragraph(): void {
    const isCode = columnsOf(/^[ \t]*/.exec(this.#text())?.[0] ?? "") >=
      INDENT_COLUMNS;
    let to = this.#at + 1;
    while (this.#isText(to)) {
      const under = isCode ? null : UNDERLINE.exec(this.#text(to));
      if (under !== null) {
        const text = this.#flow(to);
        this.#add("heading", to + 1, { text, depth: under[1] ? 1 : 2 });
        this.#at = to + 1;
        return;
      }
      const isQuote = QUOTE.test(this.#text(to)) && !QUOTE.test(this.#text());
      if (isQuote || this.#begins(to) || this.#interrupts(to)) break;
      to += 1;
    }
    const isRaw = isCode || /^ {0,3}[>|]/.test(this.#text()) ||
      TABLE_LINE.test(this.#text(this.#at + 1));
    this.#add("text", to, { text: isRaw ? this.#raw(to) : this.#flow(to) });
    this.#at = to;
  }

  /** Whether a line begins a block of its own wherever it stands. */
  #begins(at: number): boolean {
    const line = this.#text(at);
    return HEADING.test(line) || RULE.test(line) || FENCE.test(line) ||
      COMMENT.test(line);
  }

  /** Whether an item ends the paragraph before it: a number in running text does not. */
  #interrupts(at: number): boolean {
    return /^[ \t]*(?:[-*+]|1[.)])[ \t]+\S/.test(this.#text(at));
  }

  #flow(to: number): string {
    const flow = new Flow("");
    for (let at = this.#at; at < to; at++) flow.word(this.#text(at));
    return flow.text;
  }

  #raw(to: number): string {
    return this.#lines.slice(this.#at, to).map(({ text }) => text).join("\n")
      .trimEnd();
  }

  #add(
    kind: NoteBlock["kind"],
    to: number,
    { text, depth = 0, name }: {
      readonly text: string;
      readonly depth?: number;
      readonly name?: string;
    },
  ): void {
    const lines = this.#lines.slice(this.#at, to);
    const first = lines[0]?.number ?? 0;
    const last = lines.at(-1)?.number ?? first;
    const fault = lines.find((line) => line.fault !== undefined);
    const block = { first, last, raw: this.#raw(to), depth };
    const named = name === undefined ? {} : { name };
    this.#blocks.push(
      fault?.fault === undefined || kind === "field"
        ? { kind, text, ...block, ...named }
        : { kind: "fault", text: fault.fault, ...block, first: fault.number },
    );
  }
}

/** Text as it flows: lines joined by spaces, paragraphs kept apart. */
class Flow {
  readonly #parts: string[] = [];
  /** What stands before the next word. */
  #space: "" | " " | "\n" = "";

  constructor(text: string) {
    if (text.trim() !== "") this.word(text);
  }

  get text(): string {
    return this.#parts.join("");
  }

  word(line: string): void {
    this.#parts.push(this.#space, line.trim());
    this.#space = " ";
  }

  line(line: string): void {
    this.#parts.push(this.#space === "" ? "" : "\n", line);
    this.#space = "\n";
  }

  paragraph(): void {
    if (this.#parts.length === 0) return;
    this.#parts.push("\n\n");
    this.#space = "";
  }
}

/** Returns the text of a heading without the marks that close it. */
function withoutMarks(text: string): string {
  let end = text.length;
  while (text.charAt(end - 1) === "#") end -= 1;
  const isClosed = end === 0 || /[ \t]/.test(text.charAt(end - 1));
  return isClosed ? text.slice(0, end).trimEnd() : text;
}

function columnsOf(space: string): number {
  return [...space].reduce(
    (column, one) => one === "\t" ? column + 4 - column % 4 : column + 1,
    0,
  );
}
