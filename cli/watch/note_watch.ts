/**
 * A folder of notes that is watched: what was saved becomes a commit once it is at rest.
 *
 * Whatever tells that something changed is a hint and no more: the folder is looked through, and each
 * file compared with what it was. So an editor may save as it likes, in place, by a rename or with a
 * copy beside it, and an event that is lost costs only time.
 *
 * @module
 */

import type { ChangeKind, Edit, ObjectId, Written } from "@mnem/core";
import { editOf } from "../sources/fact_edit.ts";
import { PART_CHANGES_MAX, type SourceFinding } from "../sources/take_in.ts";
import type { NoteFolder, ReadNote } from "./note_folder.ts";

/** What is done beside looking at files. */
export interface WatchWorld {
  /** Calls back after some milliseconds, unless the function that it returns is called before. */
  later(call: () => void, ms: number): () => void;
  /** Makes a commit; one that changes nothing makes none. */
  write(edits: readonly Edit[], message: string): Promise<Written>;
  /** Tells whether a node is still what this file said. */
  isOurs(id: string, source: string): Promise<boolean>;
  /** Told what was committed, or what could not be read. */
  saved(saved: Saved): Promise<void>;
  /** Told of an error; says whether to try again in a while. Else the watch ends with it. */
  failed(error: unknown): Promise<boolean>;
}

/** What came of a save. */
export interface Saved {
  /** The files, as evidence names them. */
  readonly files: readonly string[];
  /** The commit and what it changed. */
  readonly written: Written;
  /** What was skipped and why. */
  readonly findings: readonly SourceFinding[];
}

/** What a file was when it was last looked at. */
export interface KnownNote {
  /** Tells one state of the file from another. */
  readonly stamp: string;
  /** The content of each fact, as JSON text. */
  readonly facts: ReadonlyMap<string, string>;
}

/** A file is at rest when nothing was heard for so long. */
export const QUIET_MS = 200;
/** So long after it was first heard of, a change is looked at though there is no rest. */
export const LATEST_MS = 2_000;
/** How long to wait after a failure. */
export const RETRY_MS = 1_000;

/** A change of one file, ready to be committed. */
interface Change {
  readonly inside: string;
  /** Undefined: the file is gone. */
  readonly now: KnownNote | undefined;
  readonly source: string;
  readonly edits: readonly Edit[];
  readonly findings: readonly SourceFinding[];
}

/** See the module. */
export class NoteWatch {
  readonly #folder: NoteFolder;
  readonly #world: WatchWorld;
  readonly #known: Map<string, KnownNote>;
  /** Files that were gone or empty at the last look: an editor may be about to write them. */
  #doubts = new Set<string>();
  #cancel: (() => void) | undefined;
  #cancelLatest: (() => void) | undefined;
  #running: Promise<void> = Promise.resolve();
  #end: (error?: unknown) => void = () => {};
  /** Settles when the watch was stopped and its last commit is made; rejects with what ended it. */
  readonly ended: Promise<void>;
  #isStopped = false;

  /** Watches a folder from what is known of its files. */
  constructor(
    folder: NoteFolder,
    known: ReadonlyMap<string, KnownNote>,
    world: WatchWorld,
  ) {
    this.#folder = folder;
    this.#world = world;
    this.#known = new Map(known);
    this.ended = new Promise((resolve, reject) => {
      this.#end = (error) => error === undefined ? resolve() : reject(error);
    });
  }

  /** Something may have changed. */
  hint(): void {
    this.#lookAfter(QUIET_MS);
    if (this.#isStopped) return;
    this.#cancelLatest ??= this.#world.later(() => this.#lookNow(), LATEST_MS);
  }

  /** Looks a last time, and ends. A note that is gone or empty is left as it was. */
  stop(): void {
    this.#isStopped = true;
    this.#cancelAll();
    this.#running = this.#running.then(() => this.#look())
      .then(() => this.#end(), (error) => this.#end(error));
  }

  #lookAfter(ms: number): void {
    if (this.#isStopped) return;
    this.#cancel?.();
    this.#cancel = this.#world.later(() => this.#lookNow(), ms);
  }

  #lookNow(): void {
    this.#cancelAll();
    this.#running = this.#running.then(() => this.#look()).catch((error) =>
      this.#end(error)
    );
  }

  #cancelAll(): void {
    this.#cancel?.();
    this.#cancelLatest?.();
    this.#cancel = this.#cancelLatest = undefined;
  }

  async #look(): Promise<void> {
    try {
      const stamps = await this.#folder.stamps();
      const changed = [...stamps].filter(([inside, { stamp }]) =>
        this.#known.get(inside)?.stamp !== stamp
      );
      const gone = [...this.#known.keys()].filter((one) => !stamps.has(one));
      const emptied = changed.filter(([inside, { isEmpty }]) =>
        isEmpty && (this.#known.get(inside)?.facts.size ?? 0) > 0
      ).map(([inside]) => inside);
      const isDoubtful = this.#isDoubtful([...gone, ...emptied]);
      if (isDoubtful && !this.#isStopped) return this.#lookAfter(QUIET_MS);
      const saved = changed.map(([inside]) => inside);
      await this.#take(
        isDoubtful ? saved.filter((one) => !emptied.includes(one)) : saved,
        isDoubtful ? [] : gone,
      );
    } catch (error) {
      if (!await this.#world.failed(error)) throw error;
      this.#lookAfter(RETRY_MS);
    }
  }

  /** Whether a file is gone or empty that was not so at the last look. */
  #isDoubtful(inside: readonly string[]): boolean {
    const isNew = inside.some((one) => !this.#doubts.has(one));
    this.#doubts = new Set(inside);
    return isNew;
  }

  async #take(
    changed: readonly string[],
    gone: readonly string[],
  ): Promise<void> {
    const changes: Change[] = [];
    for (const inside of changed) {
      const note = await this.#folder.read(inside);
      // It was written to while it was read: another look will come.
      if (note === undefined) this.#lookAfter(QUIET_MS);
      else changes.push(await this.#changeOf(inside, note));
    }
    for (const inside of gone) changes.push(await this.#goneOf(inside));
    const isMove = gone.length > 0;
    const groups = isMove ? [changes] : changes.map((change) => [change]);
    for (const group of groups) await this.#commit(group);
  }

  async #changeOf(inside: string, note: ReadNote): Promise<Change> {
    const before = this.#known.get(inside)?.facts ?? new Map<string, string>();
    const facts = new Map<string, string>();
    const edits: Edit[] = [];
    const findings: SourceFinding[] = [];
    const { source, mark, prefix } = note;
    for (const parsed of note.parsed) {
      const edit = parsed.kind === "fact"
        ? editOf(parsed, { source, mark, prefix })
        : parsed;
      if (edit.kind !== "edit") {
        findings.push({ source, ...edit });
        continue;
      }
      const { kind: _, ...rest } = edit;
      const said = JSON.stringify(rest.content);
      facts.set(rest.id, said);
      if (before.get(rest.id) !== said) edits.push(rest);
    }
    // A line that could not be read may be what still says so.
    const isWhole = findings.every(({ kind }) => kind !== "skipped");
    for (const [id, said] of before) {
      if (facts.has(id)) continue;
      if (!isWhole) facts.set(id, said);
      else if (await this.#world.isOurs(id, source)) {
        edits.push({ id, remove: true });
      }
    }
    const now = { stamp: note.stamp, facts };
    return { inside, now, source, edits, findings };
  }

  async #goneOf(inside: string): Promise<Change> {
    const source = this.#folder.sourceOf(inside);
    const edits: Edit[] = [];
    for (const id of this.#known.get(inside)?.facts.keys() ?? []) {
      if (await this.#world.isOurs(id, source)) {
        edits.push({ id, remove: true });
      }
    }
    return { inside, now: undefined, source, edits, findings: [] };
  }

  async #commit(changes: readonly Change[]): Promise<void> {
    // What moved from one file to another is removed there and written here: the last edit counts.
    const edits = changes.flatMap((change) => change.edits).sort((a, b) =>
      Number(b.remove ?? false) - Number(a.remove ?? false)
    );
    const written = await this.#write(edits, messageOf(changes));
    for (const { inside, now } of changes) {
      if (now === undefined) this.#known.delete(inside);
      else this.#known.set(inside, now);
    }
    const findings = changes.flatMap((change) => change.findings);
    if (written.changes.size === 0 && findings.length === 0) return;
    const files = changes.map(({ source }) => source);
    await this.#world.saved({ files, written, findings });
  }

  /** Makes a commit, or one for every so many edits. Where one fails, the next look makes the rest. */
  async #write(edits: readonly Edit[], message: string): Promise<Written> {
    let commit: ObjectId | null = null;
    const changes = new Map<string, ChangeKind>();
    for (let at = 0; at < edits.length; at += PART_CHANGES_MAX) {
      const part = edits.slice(at, at + PART_CHANGES_MAX);
      const written = await this.#world.write(part, message);
      commit = written.commit ?? commit;
      for (const [id, kind] of written.changes) changes.set(id, kind);
    }
    return { commit, changes };
  }
}

function messageOf(changes: readonly Change[]): string {
  const saved = changes.filter(({ now }) => now !== undefined);
  const gone = changes.filter(({ now }) => now === undefined);
  const parts = [["save", saved], ["remove", gone]] as const;
  return parts.filter(([, of]) => of.length > 0).map(([verb, of]) =>
    of.length === 1 ? `${verb} ${of[0]!.source}` : `${verb} ${of.length} notes`
  ).join(", ");
}
