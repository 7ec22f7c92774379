/**
 * Takes a bundle in: every object is checked against its id and put where it will be found again.
 *
 * @module
 */

import { fromHex, toHex } from "../object/hex.ts";
import { quote } from "../object/quote.ts";
import { type BundleHead, corruptBundle, readBundle } from "./bundle_reader.ts";
import { compareIds } from "./id_list.ts";
import { addNode, SHORT_BYTES } from "./node_items.ts";
import { KIND_TAGS, ObjectFile } from "./object_file.ts";
import { corruptObject } from "./object_reader.ts";
import type { ScratchFolder } from "./scratch_folder.ts";
import { Sorter } from "./sorter.ts";

/** Objects between two reports of progress. */
const PROGRESS_OBJECTS = 1_000;

/** A bundle that was read. */
export interface Arrival {
  /** What it says beside its objects. */
  readonly head: BundleHead;
  /** Its commits and states. */
  readonly objects: ObjectFile;
  /** Its nodes. */
  readonly nodes: Sorter;
}

const NOTHING = new Uint8Array();

/** Sees to it that no two objects have one id, or begin with the same 16 bytes of one. */
class UniqueIds {
  /** Whether the ids came in order, as those of a bundle do: only then all was seen. */
  isOrdered = true;
  readonly #last = new Uint8Array(32);
  #isFirst = true;

  add(id: Uint8Array): void {
    const order = this.#isFirst ? 1 : compareIds(id, this.#last);
    if (order < 0) this.isOrdered = false;
    if (order <= 0 || !this.#isFirst) this.#compare(id, order);
    this.#last.set(id);
    this.#isFirst = false;
  }

  #compare(id: Uint8Array, order: number): void {
    if (order === 0) throw corruptObject(toHex(id), "it is given twice");
    for (let i = 0; i < SHORT_BYTES; i++) if (id[i] !== this.#last[i]) return;
    throw corruptObject(
      toHex(id),
      `it begins with the same ${SHORT_BYTES} bytes as ${toHex(this.#last)}`,
    );
  }
}

/** The same for objects that came in any order. */
function checkAll(
  nodes: Sorter,
  graph: Sorter,
  scratch: ScratchFolder,
): void {
  const sorted = new Sorter(scratch);
  for (const { value } of nodes.sorted()) {
    sorted.add(value.subarray(0, 32), 0, NOTHING);
  }
  for (const { name } of graph.sorted()) sorted.add(name, 0, NOTHING);
  const ids = new UniqueIds();
  for (const { name } of sorted.sorted()) ids.add(name);
}

/** Reads a bundle to its end. Throws as `readBundle` does, and for refs that lead to no commit. */
export async function takeBundle(
  source: AsyncIterator<Uint8Array>,
  scratch: ScratchFolder,
  progress: (objects: number) => void,
): Promise<Arrival> {
  const nodes = new Sorter(scratch);
  const graph = new Sorter(scratch);
  let count = 0;
  const ids = new UniqueIds();
  const head = await readBundle(source, ({ kind, id, bytes }) => {
    ids.add(id);
    if (kind === "memory_node") addNode(nodes, id, bytes);
    else graph.add(id, KIND_TAGS.indexOf(kind), bytes);
    if (++count % PROGRESS_OBJECTS === 0) progress(count);
  });
  if (count % PROGRESS_OBJECTS !== 0) progress(count);
  if (!ids.isOrdered) checkAll(nodes, graph, scratch);
  const objects = ObjectFile.of(graph, scratch);
  checkRefs(head, objects);
  return { head, objects, nodes };
}

function checkRefs(
  { head, refs, defaultBranch }: BundleHead,
  objects: ObjectFile,
): void {
  for (const [name, id] of refs) {
    checkCommit(objects, id, `its ref ${quote(name)}`);
  }
  if ("commit" in head) return checkCommit(objects, head.commit, "its head");
  if (!refs.has(head.branch) && head.branch !== defaultBranch) {
    throw corruptBundle(
      `its head is on ${
        quote(head.branch)
      }, which is neither among its refs nor its default branch`,
    );
  }
}

function checkCommit(objects: ObjectFile, id: string, what: string): void {
  if (objects.find(fromHex(id))?.kind === "commit") return;
  throw corruptBundle(`${what} is ${id}, which is no commit of the bundle`);
}
