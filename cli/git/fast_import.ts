/**
 * A history as a stream for `git fast-import`: a commit for each commit, a file for each node
 * (FORMAT.md, "Git").
 *
 * @module
 */

import {
  type History,
  type HistoryChange,
  type HistoryCommit,
  type Json,
  parseJson,
} from "@mnem/core";
import { fieldsOf } from "../json_fields.ts";
import { jsonText } from "../report.ts";
import { refsOfBranches } from "./branch_ref.ts";
import { toGit } from "./commit_text.ts";
import { pathOfNode } from "./node_path.ts";

/** Changes that the trailers of a commit name, and their bytes: so much is kept at hand. */
const NAMED_MAX = 100;
const NAMED_BYTES_MAX = 1024 * 1024;
/** What of a text in a trailer is written. */
const TEXT_UNITS_MAX = 200;
/** What is passed on at once. */
const PIECE_BYTES = 64 * 1024;

/** The ref that commits are made on; it is gone at the end. */
const WORKING_REF = "refs/mnem/export";
const NO_COMMIT = "0".repeat(40);

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Yields the stream piece by piece. */
export async function* fastImport(
  history: History,
): AsyncGenerator<Uint8Array> {
  const stream = new FastImport();
  stream.line("feature done");
  for await (const commit of history.commits) {
    for await (const _ of stream.commit(commit)) {
      if (stream.isFull) yield stream.take();
    }
  }
  stream.refs(history);
  stream.line("done");
  yield stream.take();
}

class FastImport {
  readonly #marks = new Map<string, number>();
  // Commits that no other one and no ref leads to.
  readonly #tips = new Set<string>();
  #pieces: Uint8Array[] = [];
  #size = 0;

  get isFull(): boolean {
    return this.#size >= PIECE_BYTES;
  }

  take(): Uint8Array {
    const bytes = new Uint8Array(this.#size);
    let at = 0;
    for (const piece of this.#pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    this.#pieces = [];
    this.#size = 0;
    return bytes;
  }

  line(text: string): void {
    this.#add(encoder.encode(`${text}\n`));
  }

  /** Writes a commit; yields now and then. */
  async *commit(
    { id, parents, object, form = "tree", changes }: HistoryCommit,
  ): AsyncGenerator<void> {
    const items = iteratorOf(changes);
    const first = await firstOf(items);
    const lines = first.map(({ id, object }) => changeLine(id, object));
    let step = await items.next();
    if (!step.done) {
      lines.push("Mnem-More: the files tell of the others");
    }
    const { ident, seconds, text } = toGit(decoder.decode(object), {
      id,
      form,
      lines,
    });
    const who = `${ident.name} <${ident.mail}> ${seconds} +0000`;
    if (parents.length === 0) this.line(`reset ${WORKING_REF}`);
    this.line(`commit ${WORKING_REF}`);
    this.line(`mark :${this.#mark(id)}`);
    this.line(`author ${who}`);
    this.line(`committer ${who}`);
    this.#data(encoder.encode(text));
    parents.forEach((parent, i) => {
      this.#tips.delete(parent);
      this.line(`${i === 0 ? "from" : "merge"} :${this.#marks.get(parent)}`);
    });
    for (const change of first) this.#change(change);
    yield;
    for (; !step.done; step = await items.next()) {
      this.#change(step.value);
      yield;
    }
    this.line("");
  }

  refs({ refs, head }: History): void {
    const names = refsOfBranches(refs.keys());
    for (const [branch, id] of refs) {
      this.#ref(names.get(branch) ?? "", id);
    }
    if ("commit" in head) this.#ref("refs/mnem/detached", head.commit);
    else {
      const id = refs.get(head.branch);
      const ref = names.get(head.branch)?.replace("refs/heads/", "");
      if (id !== undefined) this.#ref(`refs/mnem/head/${ref}`, id);
    }
    for (const id of this.#tips) this.#ref(`refs/mnem/kept/${id}`, id);
    this.line(`reset ${WORKING_REF}`);
    this.line(`from ${NO_COMMIT}\n`);
  }

  #ref(ref: string, id: string): void {
    this.#tips.delete(id);
    this.line(`reset ${ref}`);
    this.line(`from :${this.#marks.get(id)}\n`);
  }

  #change({ id, object }: HistoryChange): void {
    const path = pathOfNode(id);
    if (object === null) return this.line(`D ${path}`);
    this.line(`M 100644 inline ${path}`);
    this.#data(fileOf(object));
  }

  #data(bytes: Uint8Array): void {
    this.line(`data ${bytes.length}`);
    this.#add(bytes);
    this.line("");
  }

  #mark(id: string): number {
    const mark = this.#marks.size + 1;
    this.#marks.set(id, mark);
    this.#tips.add(id);
    return mark;
  }

  #add(bytes: Uint8Array): void {
    this.#pieces.push(bytes);
    this.#size += bytes.length;
  }
}

/** The object as it stands in a bundle, moved to the margin. No line of JSON begins within a string. */
function fileOf(object: Uint8Array): Uint8Array {
  const text = decoder.decode(object).replaceAll("\n    ", "\n");
  return encoder.encode(`${text}\n`);
}

/** What a commit changed, in a line: the node, and where it came from. */
function changeLine(id: string, object: Uint8Array | null): string {
  const name = jsonText(shortened(id));
  if (object === null) return `Mnem-Removed: ${name}`;
  const { provenance } = fieldsOf(parseNode(object));
  return provenance === undefined
    ? `Mnem-Node: ${name}`
    : `Mnem-Node: ${name} ${jsonText(shortened(provenance))}`;
}

function parseNode(object: Uint8Array): Json {
  try {
    return parseJson(decoder.decode(object));
  } catch {
    // Nested deeper than a reader of content goes: its file says it all the same.
    return null;
  }
}

function shortened(value: Json): Json {
  if (typeof value === "string") {
    return value.length > TEXT_UNITS_MAX
      ? `${value.slice(0, TEXT_UNITS_MAX).toWellFormed()}…`
      : value;
  }
  return Object.fromEntries(
    Object.entries(fieldsOf(value)).map(([name, one]) =>
      [name, typeof one === "string" ? shortened(one) : one] as const
    ),
  );
}

async function firstOf(
  items: AsyncIterator<HistoryChange>,
): Promise<HistoryChange[]> {
  const first: HistoryChange[] = [];
  while (first.length < NAMED_MAX && !isMuch(first)) {
    const step = await items.next();
    if (step.done) break;
    first.push(step.value);
  }
  return first;
}

function isMuch(changes: readonly HistoryChange[]): boolean {
  return changes.reduce((sum, { object }) => sum + (object?.length ?? 0), 0) >
    NAMED_BYTES_MAX;
}

async function* iteratorOf(
  changes: HistoryCommit["changes"],
): AsyncGenerator<HistoryChange> {
  yield* changes;
}
