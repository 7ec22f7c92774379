/**
 * Takes the facts of a source into a store: what memory holds already stays as it is, whoever said it,
 * and the rest becomes one commit, or one for every 100,000 changes.
 *
 * @module
 */

import { type ImportedItems, unsaidNodes } from "@mnem/agents/items";
import {
  type ChangeKind,
  type Edit,
  type MemoryNode,
  type ObjectId,
  sameContent,
  type Store,
  stringifyJson,
} from "@mnem/core";
import { editOf, type FactEdit } from "./fact_edit.ts";
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

/** What came of it: as of items, but with all that was found, in the order of the source. */
export interface TakenIn extends Omit<ImportedItems, "skipped"> {
  /** What was skipped, passed over or doubted. */
  readonly findings: readonly SourceFinding[];
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

/** So many facts are compared with memory at once. */
const SIFTED_FACTS = 10_000;

type FactNode = Omit<FactEdit, "kind">;

class Intake {
  readonly #reading: Reading;
  readonly #options: TakeInOptions;
  readonly #seen = new Set<string>();
  readonly #findings: SourceFinding[] = [];
  readonly #changes = new Map<string, ChangeKind>();
  readonly #replaced = new Map<string, string>();
  readonly #commits: ObjectId[] = [];
  /** What was read, and is not yet compared with memory. */
  #read: FactNode[] = [];
  /** What the next part is made of. */
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
    const { id } = edit;
    if (this.#seen.has(id)) {
      const reason = `the node id ${JSON.stringify(id)} was given before`;
      return this.#find(source, skipped(parsed.first, reason));
    }
    this.#seen.add(id);
    this.#options.progress?.(this.#seen.size);
    const { kind: _, ...rest } = edit;
    this.#read.push(rest);
    if (this.#read.length === SIFTED_FACTS) await this.#sift();
  }

  async end(): Promise<TakenIn> {
    await this.#sift();
    const vanished = await this.#vanished();
    // A line that could not be read may be what still says so.
    const isWhole = this.#findings.every(({ kind }) => kind !== "skipped");
    const removed = this.#options.prune && isWhole ? vanished : [];
    for (const id of removed) {
      this.#changes.set(id, "removed");
      await this.#hold({ id, remove: true });
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

  /** Holds of what was read only what memory does not say already. */
  async #sift(): Promise<void> {
    const read = this.#read;
    this.#read = [];
    const known = await this.#known(read);
    for (const edit of read) {
      if (this.#isNew(edit, known.get(edit.id))) await this.#hold(edit);
    }
  }

  async #hold(edit: Edit): Promise<void> {
    if (this.#options.write === undefined) return;
    this.#edits.push(edit);
    if (edit.remove !== true) {
      this.#units += stringifyJson(edit.content).length +
        (edit.provenance?.observation?.length ?? 0);
    }
    const isFull = this.#edits.length === PART_CHANGES_MAX ||
      this.#units > PART_UNITS_MAX;
    if (isFull) await this.#part();
  }

  /** Writes what is held. */
  async #part(): Promise<void> {
    const edits = this.#edits;
    this.#edits = [];
    this.#units = 0;
    if (edits.length === 0) return;
    this.#parts += 1;
    const commit = await this.#options.write?.(edits, this.#parts) ?? null;
    if (commit !== null) this.#commits.push(commit);
  }

  async #known(edits: readonly FactNode[]): Promise<Map<string, MemoryNode>> {
    const known = new Map<string, MemoryNode>();
    const ids = edits.map(({ id }) => id);
    const { store } = this.#options;
    if (store === undefined) return known;
    for await (const node of store.nodes({ ids })) known.set(node.id, node);
    return known;
  }

  #isNew(edit: FactNode, known: MemoryNode | undefined): boolean {
    const { id } = edit;
    if (known === undefined) this.#changes.set(id, "added");
    else if (isSaid(edit, known)) {
      this.#unchanged += 1;
      return false;
    } else {
      this.#changes.set(id, "modified");
      const { source = "" } = known.provenance;
      if (source !== edit.provenance.source) this.#replaced.set(id, source);
    }
    return true;
  }

  /** Nodes that this source wrote, and that it did not say this time. */
  async #vanished(): Promise<string[]> {
    const { store } = this.#options;
    const { mark, prefix } = this.#reading;
    if (store === undefined) return [];
    return await unsaidNodes(store, this.#seen, {
      prefix,
      isOurs: ({ toolCall, source = "" }) =>
        toolCall === mark && this.#reading.covers(source),
    });
  }
}

/**
 * Tells whether memory says a thing already. Where it stands is no part of it: a line that was moved is
 * no change, and its evidence keeps the line in which it was first read.
 */
function isSaid(edit: FactNode, known: MemoryNode): boolean {
  return sameContent(edit.content, known.content) &&
    known.contentKind === "note" &&
    (edit.eventTimeMs === undefined || edit.eventTimeMs === known.eventTimeMs);
}
