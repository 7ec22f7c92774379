/**
 * The Markdown files of a folder, and what of it is left aside.
 *
 * @module
 */

import type { Dirent } from "node:fs";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";
import { compareUtf8 } from "@mnem/core";
import { type Finding, skipped } from "./fact.ts";
import { type NoteFacts, noteFacts } from "./note_facts.ts";
import { slashed } from "./source_place.ts";
import { type TextLine, textLines } from "./text_lines.ts";

/** A file of a folder, or why something in it is none. */
export interface NoteFile {
  /** Its path from the folder, with slashes. */
  readonly inside: string;
  /** Why it is not read; undefined: it is. */
  readonly finding: Finding | undefined;
  /** Whether it is a folder that could not be looked into. */
  readonly isUnread?: boolean;
}

/** A note that is larger is no note. */
export const NOTE_BYTES_MAX: number = 8 * 1024 * 1024;

/** So far a file is looked through for what text does not hold. */
const LOOKED_BYTES = 8_192;

/** Tells whether a path is that of a note which is not hidden. */
export function isNoteName(path: string): boolean {
  const name = basename(path);
  return /\.(?:md|markdown)$/i.test(name) && !name.startsWith(".");
}

/**
 * Yields the notes in a folder and in those below it, bytewise by name. Hidden files and folders are
 * passed over, a link is not followed, and what is no Markdown is not spoken of.
 */
export async function* noteFiles(root: string): AsyncGenerator<NoteFile> {
  yield* inFolder(await realpath(root), "");
}

async function* inFolder(
  root: string,
  folder: string,
): AsyncGenerator<NoteFile> {
  let entries: Dirent[];
  try {
    entries = await readdir(join(root, folder), { withFileTypes: true });
  } catch (error) {
    const reason = `it cannot be read: ${messageOf(error)}`;
    const finding = skipped(undefined, reason);
    return yield { inside: folder, finding, isUnread: true };
  }
  entries.sort((a, b) => compareUtf8(a.name, b.name));
  for (const entry of entries) {
    const inside = folder === "" ? entry.name : `${folder}/${entry.name}`;
    const isNote = /\.(?:md|markdown)$/i.test(entry.name);
    if (entry.name.startsWith(".")) {
      if (isNote || entry.isDirectory()) {
        yield { inside, finding: passedOver("it is hidden") };
      }
    } else if (entry.isSymbolicLink()) {
      const finding = await linkFinding(root, inside);
      if (finding !== undefined) yield { inside, finding };
    } else if (entry.isDirectory()) yield* inFolder(root, inside);
    else if (isNote) {
      const finding = entry.isFile()
        ? undefined
        : skipped(undefined, "it is no file");
      yield { inside, finding };
    }
  }
}

async function linkFinding(
  root: string,
  inside: string,
): Promise<Finding | undefined> {
  const path = join(root, inside);
  let target: string;
  try {
    target = await realpath(path);
    const found = await stat(path);
    if (!found.isDirectory() && !isNoteName(target)) return undefined;
  } catch {
    return isNoteName(inside)
      ? skipped(undefined, "the link leads to nothing")
      : undefined;
  }
  const to = relative(root, target);
  const isOut = to === ".." || to.startsWith(`..${sep}`) || to === target;
  return isOut
    ? skipped(undefined, "the link leads out of the folder")
    : passedOver(`it is a link to ${slashed(to) || "."}, which is read there`);
}

/** Reads one note; `file` is what its node ids begin with. */
export async function readNote(
  path: string,
  file: string,
): Promise<NoteFacts> {
  try {
    const { size } = await stat(path);
    if (size > NOTE_BYTES_MAX) {
      return refused(`it has ${size} bytes, the limit is ${NOTE_BYTES_MAX}`);
    }
    const bytes = await readFile(path);
    if (bytes.subarray(0, LOOKED_BYTES).includes(0)) {
      return refused("it holds a NUL: it is no text");
    }
    const lines: TextLine[] = [];
    for await (const line of textLines([bytes])) lines.push(line);
    return noteFacts(lines, file);
  } catch (error) {
    return refused(`it cannot be read: ${messageOf(error)}`);
  }
}

function refused(reason: string): NoteFacts {
  return { parsed: [skipped(undefined, reason)], imports: [] };
}

function passedOver(reason: string): Finding {
  return { kind: "passed-over", line: undefined, reason };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
