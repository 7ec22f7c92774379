/**
 * Takes a bundle in: every object is checked against its id and put where it will be found again.
 *
 * @module
 */

import { fromHex, toHex } from "../object/hex.ts";
import { quote } from "../object/quote.ts";
import { type BundleHead, corruptBundle, readBundle } from "./bundle_reader.ts";
import { compareIds } from "./id_list.ts";
import { NODE_TAGS } from "./node_tags.ts";
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
  /** Its nodes, and marks for all other objects. */
  readonly nodes: Sorter;
}

const NOTHING = new Uint8Array();

/** Reads a bundle to its end. Throws as `readBundle` does, and for refs that lead to no commit. */
export async function takeBundle(
  source: AsyncIterator<Uint8Array>,
  scratch: ScratchFolder,
  progress: (objects: number) => void,
): Promise<Arrival> {
  const nodes = new Sorter(scratch);
  const graph = new Sorter(scratch);
  let count = 0;
  const head = await readBundle(source, ({ kind, id, bytes }) => {
    if (kind === "memory_node") nodes.add(id, NODE_TAGS.node, bytes);
    else {
      graph.add(id, KIND_TAGS.indexOf(kind), bytes);
      nodes.add(id, NODE_TAGS.other, NOTHING);
    }
    if (++count % PROGRESS_OBJECTS === 0) progress(count);
  });
  if (count % PROGRESS_OBJECTS !== 0) progress(count);
  const objects = new ObjectFile(scratch);
  let last: Uint8Array | undefined;
  for (const { name, tag, value } of graph.sorted()) {
    if (last !== undefined && compareIds(last, name) === 0) {
      throw corruptObject(toHex(name), "it is given twice");
    }
    objects.append(name, tag, value);
    last = name.slice();
  }
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
