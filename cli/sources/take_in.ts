/**
 * Takes the facts of a source into a store: what memory holds already stays as it is, whoever said it,
 * and the rest becomes one commit, or one for every 100,000 changes.
 *
 * @module
 */

import {
  type ChangeKind,
  type Edit,
  type MemoryNode,
  type ObjectId,
  sameContent,
  type Store,
  stringifyJson,
} from "@mnem/core";
import { editOf } from "./fact_edit.ts";
import { type Finding, type Parsed, skipped } from "./fact.ts";

/** What a source says, read part by part. */
export interface Reading {
  /** What stands in the evidence of every node that comes from it, see {@linkcode markOf}. */
  readonly mark: string;
  /** What every node id begins with. */
  readonly prefix: string;
  /** Reads it from its beginning; may be called again. */
  items(): AsyncIterable<ReadItem>;
  /** Tells whether a source named in evidence is this one or a part of it. */
  covers(source: string): boolean;
}

/** One thing that was read. */
export interface ReadItem {
  /** The file, as evidence names it. */
  readonly source: string;
  /** What it says there. */
  readonly parsed: Parsed;
}

/** A finding, and the file that it is in. */
export interface SourceFinding extends Finding {
  /** The file, as evidence names it. */
  readonly source: string;
}

/** How to take facts in. */
export interface TakeInOptions {
  /** The store that is there; undefined: none, so that everything is new. */
  readonly store: Store | undefined;
  /** Makes a commit of edits; undefined: nothing is written. `part` counts from 1. */
  readonly write?:
    | ((edits: Edit[], part: number) => Promise<ObjectId | null>)
    | undefined;
  /** Whether nodes of this source that it says no more are forgotten. */
  readonly prune?: boolean | undefined;
  /** Ends it between two facts. */
  readonly signal?: AbortSignal | undefined;
  /** Told how many facts were read. */
  readonly progress?: ((facts: number) => void) | undefined;
}

/** What came of it. */
export interface TakenIn {
  /** The commits that were made, the first one first. */
  readonly commits: readonly ObjectId[];
  /** What was, or in a dry run would be, changed. */
  readonly changes: ReadonlyMap<string, ChangeKind>;
  /** How many facts memory held already. */
  readonly unchanged: number;
  /** What else was found, in the order of the source. */
  readonly findings: readonly SourceFinding[];
  /** Ids of nodes that this source wrote and says no more, and that are kept. */
  readonly vanished: readonly string[];
  /** Ids of modified nodes whose value came from elsewhere, and from where; an empty text: not said. */
  readonly replaced: ReadonlyMap<string, string>;
}

/** So many changes are one commit: what a commit holds. */
export const PART_CHANGES_MAX = 100_000;

/** So much text is held before a part is written, in UTF-16 units of JSON. */
const PART_UNITS_MAX = 64 * 1024 * 1024;

/** Returns what stands as the tool call in the evidence of nodes from one kind of source. */
export function markOf(kind: string): string {
  return `import ${kind}`;
}

/** Reads a source and takes its facts in; see the module. */
export async function takeIn(
  reading: Reading,
  options: TakeInOptions,
): Promise<TakenIn> {
  const intake = new Intake(reading, options);
  for await (const item of reading.items()) await intake.item(item);
  return await intake.end();
}

class Intake {
  readonly #reading: Reading;
  readonly #options: TakeInOptions;
  readonly #seen = new Set<string>();
  readonly #findings: SourceFinding[] = [];
  readonly #changes = new Map<string, ChangeKind>();
  readonly #replaced = new Map<string, string>();
  readonly #commits: ObjectId[] = [];
  #edits: Edit[] = [];
  #units = 0;
  #unchanged = 0;
  #parts = 0;

  constructor(reading: Reading, options: TakeInOptions) {
    this.#reading = reading;
    this.#options = options;
  }

  async item({ source, parsed }: ReadItem): Promise<void> {
    this.#options.signal?.throwIfAborted();
    if (parsed.kind !== "fact") return this.#find(source, parsed);
    const { mark, prefix } = this.#reading;
    const edit = editOf(parsed, { source, mark, prefix });
    if (edit.kind !== "edit") return this.#find(source, edit);
    const { id, content } = edit;
    if (this.#seen.has(id)) {
      const reason = `the node id ${JSON.stringify(id)} was given before`;
      return this.#find(source, skipped(parsed.first, reason));
    }
    this.#seen.add(id);
    this.#options.progress?.(this.#seen.size);
    const { kind: _, ...rest } = edit;
    this.#edits.push(rest);
    this.#units += stringifyJson(content).length +
      (parsed.observation?.length ?? 0);
    const isFull = this.#edits.length === PART_CHANGES_MAX ||
      this.#units > PART_UNITS_MAX;
    if (isFull) await this.#part();
  }

  async end(): Promise<TakenIn> {
    const vanished = await this.#vanished();
    // A line that could not be read may be what still says so.
    const isWhole = this.#findings.every(({ kind }) => kind !== "skipped");
    const removed = this.#options.prune && isWhole ? vanished : [];
    for (const id of removed) {
      if (this.#edits.length === PART_CHANGES_MAX) await this.#part();
      this.#edits.push({ id, remove: true });
    }
    await this.#part();
    return {
      commits: this.#commits,
      changes: this.#changes,
      unchanged: this.#unchanged,
      findings: this.#findings,
      vanished: removed.length > 0 ? [] : vanished,
      replaced: this.#replaced,
    };
  }

  #find(source: string, finding: Finding): void {
    this.#findings.push({ source, ...finding });
  }

  /** Writes what is held, but for what memory says already. */
  async #part(): Promise<void> {
    const edits = this.#edits;
    this.#edits = [];
    this.#units = 0;
    if (edits.length === 0) return;
    const known = await this.#known(edits);
    const news = edits.filter((edit) => this.#isNew(edit, known.get(edit.id)));
    const { write } = this.#options;
    if (news.length === 0 || write === undefined) return;
    this.#parts += 1;
    const commit = await write(news, this.#parts);
    if (commit !== null) this.#commits.push(commit);
  }

  async #known(edits: readonly Edit[]): Promise<Map<string, MemoryNode>> {
    const known = new Map<string, MemoryNode>();
    const ids = edits.map(({ id }) => id);
    const { store } = this.#options;
    if (store === undefined) return known;
    for await (const node of store.nodes({ ids })) known.set(node.id, node);
    return known;
  }

  #isNew(edit: Edit, known: MemoryNode | undefined): boolean {
    const { id } = edit;
    if (edit.remove === true) this.#changes.set(id, "removed");
    else if (known === undefined) this.#changes.set(id, "added");
    else if (isSaid(edit, known)) {
      this.#unchanged += 1;
      return false;
    } else {
      this.#changes.set(id, "modified");
      const { source = "" } = known.provenance;
      if (source !== edit.provenance?.source) this.#replaced.set(id, source);
    }
    return true;
  }

  /** Nodes that this source wrote, and that it did not say this time. */
  async #vanished(): Promise<string[]> {
    const { store } = this.#options;
    const { mark, prefix } = this.#reading;
    const ids: string[] = [];
    if (store === undefined) return ids;
    for await (const { id, provenance } of store.nodes({ prefix })) {
      const isOurs = provenance.toolCall === mark &&
        this.#reading.covers(provenance.source ?? "");
      if (isOurs && !this.#seen.has(id)) ids.push(id);
    }
    return ids;
  }
}

/**
 * Tells whether memory says a thing already. Where it stands is no part of it: a line that was moved is
 * no change, and its evidence keeps the line in which it was first read.
 */
function isSaid(edit: Edit, known: MemoryNode): boolean {
  return edit.remove !== true && sameContent(edit.content, known.content) &&
    known.contentKind === "note" &&
    (edit.eventTimeMs === undefined || edit.eventTimeMs === known.eventTimeMs);
}
