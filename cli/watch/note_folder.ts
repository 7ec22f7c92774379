/**
 * The notes of a folder as a watch looks at them: the state of each file, and what it says.
 *
 * @module
 */

import type { BigIntStats } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { MnemError } from "@mnem/core";
import type { Parsed } from "../sources/fact.ts";
import { noteFiles } from "../sources/note_files.ts";
import { NOTE_MARK, noteItems } from "../sources/note_reading.ts";
import { nameUnder } from "../sources/source_place.ts";

/** The state of a file. */
export interface NoteStamp {
  /** Tells it from every other state. */
  readonly stamp: string;
  /** Whether it has no bytes. */
  readonly isEmpty: boolean;
}

/** What a file says. */
export interface ReadNote {
  /** The state that it was read in. */
  readonly stamp: string;
  /** What evidence calls it. */
  readonly source: string;
  /** What evidence says that an import wrote it. */
  readonly mark: string;
  /** What its node ids begin with. */
  readonly prefix: string;
  /** Facts and findings. */
  readonly parsed: readonly Parsed[];
}

/** A folder of notes. */
export interface NoteFolder {
  /** The state of every note, by its path in the folder. */
  stamps(): Promise<ReadonlyMap<string, NoteStamp>>;
  /** What a note says; undefined: it changed meanwhile, or is gone. */
  read(inside: string): Promise<ReadNote | undefined>;
  /** What evidence calls a note. */
  sourceOf(inside: string): string;
}

/** Returns the notes in a folder that evidence calls by a name. */
export function noteFolder(
  folder: string,
  { name, prefix }: { readonly name: string; readonly prefix: string },
): NoteFolder {
  const stampOf = async (inside: string): Promise<NoteStamp | undefined> => {
    const found = await stat(join(folder, inside), { bigint: true }).catch(
      () => undefined,
    );
    return found === undefined ? undefined : asStamp(found);
  };
  const sourceOf = (inside: string) => nameUnder(name, inside);
  return {
    sourceOf,
    async stamps() {
      const stamps = new Map<string, NoteStamp>();
      try {
        for await (const { inside, finding, isUnread } of noteFiles(folder)) {
          // Its notes would be taken for gone.
          if (isUnread) throw new Error(`${inside}: ${finding?.reason}`);
          const stamp = finding ? undefined : await stampOf(inside);
          if (stamp !== undefined) stamps.set(inside, stamp);
        }
      } catch (cause) {
        const why = cause instanceof Error ? cause.message : String(cause);
        const what = `Cannot look through ${JSON.stringify(name)}: ${why}`;
        throw new MnemError("store_io", what, { cause });
      }
      return stamps;
    },
    async read(inside) {
      const before = await stampOf(inside);
      const source = sourceOf(inside);
      const root = await realpath(folder);
      const parsed: Parsed[] = [];
      const path = join(root, inside);
      for await (const item of noteItems(path, inside, { source, root })) {
        parsed.push(item.parsed);
      }
      const after = await stampOf(inside);
      if (before === undefined || before.stamp !== after?.stamp) {
        return undefined;
      }
      return { stamp: before.stamp, source, mark: NOTE_MARK, prefix, parsed };
    },
  };
}

function asStamp({ mtimeNs, size, ino }: BigIntStats): NoteStamp {
  return { stamp: `${mtimeNs} ${size} ${ino}`, isEmpty: size === 0n };
}
