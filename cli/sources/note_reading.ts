/**
 * A Markdown file such as CLAUDE.md, or a folder of notes, as a source of facts.
 *
 * @module
 */

import { realpath, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { UsageError } from "../given.ts";
import { shown } from "../render/visible.ts";
import type { Finding } from "./fact.ts";
import type { ReadingOptions } from "./facts_import.ts";
import type { NoteImport } from "./note_facts.ts";
import { isNoteName, noteFiles, readNote } from "./note_files.ts";
import { isUnder, nameUnder } from "./source_place.ts";
import { markOf, type Reading, type ReadItem } from "./take_in.ts";

/** What evidence says of nodes that come from notes, by import or by watching. */
export const NOTE_MARK: string = markOf("markdown");

/**
 * Returns the reading of a note or of a folder of them.
 *
 * @throws {UsageError} If there is neither.
 */
export async function noteReading(options: ReadingOptions): Promise<Reading> {
  const { path, typed, name, prefix } = options;
  const found = await stat(path).catch((error) => {
    throw new UsageError(`cannot read ${shown(typed)}: ${error.message}`);
  });
  const isFolder = found.isDirectory();
  if (!isFolder && !found.isFile()) {
    throw new UsageError(
      `cannot read ${shown(typed)}: it must be a file or a folder`,
    );
  }
  return {
    mark: NOTE_MARK,
    prefix,
    covers: (source) => isFolder ? isUnder(name, source) : source === name,
    items: () =>
      isFolder ? itemsIn(path, name) : noteItems(path, basename(path), {
        source: name,
        root: undefined,
      }),
  };
}

async function* itemsIn(
  folder: string,
  name: string,
): AsyncGenerator<ReadItem> {
  const root = await realpath(folder);
  for await (const { inside, finding } of noteFiles(folder)) {
    const source = nameUnder(name, inside);
    if (finding !== undefined) yield { source, parsed: finding };
    else yield* noteItems(join(root, inside), inside, { source, root });
  }
}

/** Yields what one note says, and which files it names that are not read with it. */
export async function* noteItems(
  path: string,
  file: string,
  { source, root }: {
    /** What evidence calls it. */
    readonly source: string;
    /** The real path of the folder that is read; undefined: it is read alone. */
    readonly root: string | undefined;
  },
): AsyncGenerator<ReadItem> {
  const { parsed, imports } = await readNote(path, file);
  for (const one of parsed) yield { source, parsed: one };
  for (const one of imports) {
    const finding = await importFinding(one, dirname(path), root);
    if (finding !== undefined) yield { source, parsed: finding };
  }
}

async function importFinding(
  { path, line }: NoteImport,
  folder: string,
  root: string | undefined,
): Promise<Finding | undefined> {
  const said = JSON.stringify(`@${path}`);
  const isHome = path.startsWith("~/");
  const target = resolve(folder, path);
  const isThere = isHome || await stat(target).then(() => true, () => false);
  if (!isThere && !isNoteName(path)) return undefined;
  const inside = root === undefined ? ".." : relative(root, target);
  const isRead = isThere && !isHome && inside.split(sep)[0] !== ".." &&
    isNoteName(target);
  if (isRead) return undefined;
  const reason = isThere
    ? `${said} is not followed; import it as a source of its own`
    : `${said} is not there`;
  return { kind: "passed-over", line, reason };
}
