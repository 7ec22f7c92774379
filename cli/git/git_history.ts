/**
 * The history of memory that lies in a git repository, read by `git` itself.
 *
 * @module
 */

import type { HistoryChange, HistoryCommit } from "@mnem/core";
import { UsageError } from "../given.ts";
import { shown } from "../render/visible.ts";
import { fromGit, type GitCommit } from "./commit_text.ts";
import { type ByteReader, GitProcess } from "./git_process.ts";
import { looseNodeOfPath, nodeOfPath, pathOfNode } from "./node_path.ts";
import type { PassedOverList } from "./passed_over.ts";

/** The text of the largest node is smaller, even where most of it is escaped. */
const FILE_BYTES_MAX = 64 * 1024 * 1024;
/** A message has 64 KiB in our stores; beyond this it is none. */
const COMMIT_BYTES_MAX = 16 * 1024 * 1024;
/** Files that are asked for before the first is read. */
const WAVE_FILES = 32;

const NUL = 0;
const NEWLINE = 0x0a;
const COLON = 0x3a;
/** What no commit is called: answered as it is, once all before it is. */
const END = "end";

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** One file that a commit changes. */
interface FileChange {
  readonly id: string;
  readonly path: string;
  readonly blob: string | null;
}

/** Yields the commits that lead to some ids of git, parents before children. */
export async function* gitCommits(
  gitDir: string,
  tips: readonly string[],
  passedOver: PassedOverList,
): AsyncGenerator<HistoryCommit> {
  const programs = [
    ["rev-list", "--topo-order", "--reverse", "--parents", "--stdin"],
    "diff-tree --stdin -r --root --no-renames --no-ext-diff -z --always"
      .split(" "),
    ["cat-file", "--batch"],
  ].map((args) => new GitProcess([`--git-dir=${gitDir}`, ...args]));
  const [list, diff, objects] = programs;
  if (!list || !diff || !objects) return;
  try {
    await list.write(tips.map((id) => `${id}\n`).join(""));
    const listed = list.end();
    listed.catch(() => {});
    const reader = new CommitReader(diff, objects, passedOver);
    while (await list.out.peek() !== undefined) {
      const line = decoder.decode(await list.out.until(NEWLINE));
      yield await reader.read(line.split(" "));
    }
    await listed;
  } finally {
    await Promise.all(programs.map((program) => program.stop()));
  }
}

class CommitReader {
  readonly #diff: GitProcess;
  readonly #objects: GitProcess;
  readonly #passedOver: PassedOverList;

  constructor(
    diff: GitProcess,
    objects: GitProcess,
    passedOver: PassedOverList,
  ) {
    this.#diff = diff;
    this.#objects = objects;
    this.#passedOver = passedOver;
  }

  /** Reads a commit, given its id and those of its parents. */
  async read([id = "", ...parents]: readonly string[]): Promise<HistoryCommit> {
    if (parents.length > 2) {
      this.#passedOver.add({
        commit: id,
        what: `it has ${parents.length} parents, of which two are taken`,
      });
    }
    await this.#objects.write(`${id}\n`);
    const bytes = await this.#object(COMMIT_BYTES_MAX);
    const commit = this.#decoded(id, bytes ?? new Uint8Array());
    const { object, form } = fromGit(commit);
    return {
      id,
      parents: parents.slice(0, 2),
      object: encoder.encode(object),
      form,
      changes: this.#changes(id, parents[0]),
    };
  }

  /** The text of a commit, whatever it is encoded in. */
  #decoded(id: string, bytes: Uint8Array): GitCommit {
    const plain = decoder.decode(bytes);
    const [head = ""] = plain.split("\n\n", 1);
    const encoding = /^encoding (.*)$/m.exec(head)?.[1] ?? "utf-8";
    let text = plain;
    try {
      const options = { fatal: true, ignoreBOM: true };
      text = new TextDecoder(encoding, options).decode(bytes);
    } catch {
      const what = `its text is not in ${shown(encoding)}`;
      this.#passedOver.add({ commit: id, what });
    }
    const [, name = "", mail = "", seconds = "0"] =
      /^author (.*?) ?<([^>\n]*)> ?(\d{1,16})/m.exec(text) ?? [];
    const at = text.indexOf("\n\n");
    return {
      ident: { name, mail },
      seconds: BigInt(seconds),
      text: at < 0 ? "" : text.slice(at + 2),
    };
  }

  async *#changes(
    commit: string,
    parent: string | undefined,
  ): AsyncGenerator<HistoryChange> {
    let wave: FileChange[] = [];
    for await (const change of this.#files(commit, parent)) {
      if (wave.push(change) < WAVE_FILES) continue;
      yield* this.#nodes(commit, wave);
      wave = [];
    }
    yield* this.#nodes(commit, wave);
  }

  /** Reads files, asked for at once. */
  async *#nodes(
    commit: string,
    files: readonly FileChange[],
  ): AsyncGenerator<HistoryChange> {
    const asked = files.flatMap(({ blob }) => blob === null ? [] : [blob]);
    await this.#objects.write(asked.map((blob) => `${blob}\n`).join(""));
    for (const { id, path, blob } of files) {
      if (blob === null) {
        yield { id, object: null };
        continue;
      }
      const object = await this.#object(FILE_BYTES_MAX);
      if (object !== null) yield { id, object: withoutMark(object) };
      else {this.#passedOver.add({
          commit,
          name: path,
          what: "it is too large",
        });}
    }
  }

  /** The bytes of the object that was asked for; null if they are more than so many. */
  async #object(bytesMax: number): Promise<Uint8Array | null> {
    const out = this.#objects.out;
    const head = decoder.decode(await out.until(NEWLINE));
    const size = Number(/ (\d+)$/.exec(head)?.[1] ?? NaN);
    if (Number.isNaN(size)) {
      throw new UsageError(`the repository lacks an object: ${shown(head)}`);
    }
    const bytes = size > bytesMax ? null : await out.take(size);
    await out.skip(bytes === null ? size + 1 : 1);
    return bytes;
  }

  /** The files that a commit changes against its first parent. */
  async *#files(
    commit: string,
    parent: string | undefined,
  ): AsyncGenerator<FileChange> {
    const { out } = this.#diff;
    const between = parent === undefined ? commit : `${commit} ${parent}`;
    await this.#diff.write(`${between}\n${END}\n`);
    await out.until(NUL);
    while (await out.peek() === COLON) {
      const [, mode = "", , blob = "", status = ""] = decoder
        .decode(await out.until(NUL)).split(" ");
      const path = await pathIn(out);
      const what = faultOf(path, mode, status);
      const id = nodeOfPath(path);
      if (what === undefined && id !== undefined) {
        yield { id, path, blob: status === "D" ? null : blob };
      } else if (status !== "D") {
        this.#passedOver.add({ commit, name: path, what: what ?? "" });
      }
    }
    await out.until(NEWLINE);
  }
}

/** Without the byte order mark that some editors put before a text. */
function withoutMark(text: Uint8Array): Uint8Array {
  const hasMark = text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf;
  return hasMark ? text.subarray(3) : text;
}

/** A path that is no UTF-8 is none of ours, however it is shown. */
async function pathIn(out: ByteReader): Promise<string> {
  return decoder.decode(await out.until(NUL));
}

function faultOf(
  path: string,
  mode: string,
  status: string,
): string | undefined {
  if (nodeOfPath(path) === undefined) {
    const meant = looseNodeOfPath(path);
    return meant === undefined
      ? "it is no file of a node"
      : `the file of the node ${shown(meant)} must be ${pathOfNode(meant)}`;
  }
  if (status === "D" || mode.startsWith("100")) return undefined;
  return mode === "120000" ? "it is a link" : "it is no file";
}
