/**
 * Bundles made by hand, with ids from another encoder and another hash: what is wrong in them is wrong
 * on purpose, and every object still hashes to its id.
 *
 * @module
 */

import { blake3 } from "@noble/hashes/blake3.js";
import { encode } from "cborg";

/** The objects of a bundle by id, as its JSON has them. */
export type BundleObjects = { [id: string]: object };

/** What stands in a bundle beside its objects. */
export interface BundleFrame {
  readonly format_version?: unknown;
  readonly hash_algo?: unknown;
  readonly default_branch?: unknown;
  readonly head?: unknown;
  readonly refs?: unknown;
}

/** Adds a node, and returns its id. */
export function addNode(
  objects: BundleObjects,
  fields: { readonly id: string; readonly content: unknown },
): string {
  return add(objects, {
    kind: "memory_node",
    ...fields,
    content_kind: "note",
  });
}

/** Adds a state of these nodes, and returns its id. */
export function addState(
  objects: BundleObjects,
  nodes: { readonly [id: string]: string },
): string {
  const state = { kind: "state", nodes };
  const links = Object.entries(nodes).map(([id, link]) =>
    [id, Uint8Array.fromHex(link)] as const
  );
  return add(objects, state, { ...state, nodes: Object.fromEntries(links) });
}

/** Adds a commit, and returns its id. */
export function addCommit(
  objects: BundleObjects,
  { parents = [], state, time = 1_000 }: {
    readonly parents?: readonly string[];
    readonly state: string;
    readonly time?: number;
  },
): string {
  const commit = {
    kind: "commit",
    parents,
    state,
    message: "made by hand",
    author: "ada",
    time,
  };
  return add(objects, commit, {
    ...commit,
    parents: parents.map((id) => Uint8Array.fromHex(id)),
    state: Uint8Array.fromHex(state),
  });
}

/** Returns the text of a bundle, its objects in the order of their ids. */
export function bundleText(
  objects: BundleObjects,
  frame: BundleFrame & { readonly refs: unknown },
): string {
  const sorted = Object.entries(objects).sort(([a], [b]) => a < b ? -1 : 1);
  return JSON.stringify({
    format_version: 1,
    hash_algo: "blake3",
    default_branch: "main",
    head: "ref: main",
    ...frame,
    objects: Object.fromEntries(sorted),
  });
}

function add(
  objects: BundleObjects,
  json: object,
  canonical: object = json,
): string {
  const id = blake3(encode(canonical)).toHex();
  objects[id] = json;
  return id;
}
