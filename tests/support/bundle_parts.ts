/**
 * Bundles put together by hand, object by object, so that each of them can be wrong in one way.
 *
 * @module
 */

import { type CborValue, isArray } from "../../core/object/cbor_value.ts";
import { encodeCbor } from "../../core/object/encode_cbor.ts";
import { fromHex } from "../../core/object/hex.ts";
import { stringifyBundleJson } from "../../core/object/json_writer.ts";
import { objectIdOf } from "../../core/object/object_id.ts";
import { compareUtf8 } from "../../core/object/utf8.ts";

/** An object as a bundle has it: ids as text. */
export type BundleFields = { readonly [field: string]: CborValue };

/** The id that an object must have. */
export function idOf(fields: BundleFields): string {
  const stored = Object.entries(fields).map(([name, value]) =>
    [name, storedForm(name, value)] as const
  );
  return objectIdOf(encodeCbor(new Map(stored)));
}

/** A node. */
export function nodeOf(id: string, content: CborValue): BundleFields {
  return { kind: "memory_node", id, content, content_kind: "note" };
}

/** A state, or the lowest chunk of one. */
export function stateOf(
  nodes: { readonly [id: string]: string },
): BundleFields {
  return { kind: "state", nodes };
}

/** A commit without parents, unless the fields say else. */
export function commitOf(fields: BundleFields): BundleFields {
  return {
    kind: "commit",
    parents: [],
    message: "m",
    author: "a",
    time: 1,
    ...fields,
  };
}

/** What a bundle is made of; each part may be replaced. */
export interface BundleParts {
  /** Objects under their own ids, */
  readonly objects: readonly BundleFields[];
  /** and others, under ids that need not be theirs. */
  readonly others?: { readonly [id: string]: CborValue };
  /** Fields beside the objects. */
  readonly head?: { readonly [field: string]: CborValue };
}

/** The text of a bundle. */
export function bundleTextOf({ objects, others, head }: BundleParts): string {
  const entries: (readonly [string, CborValue])[] = [
    ...objects.map((object) => [idOf(object), inOrder(object)] as const),
    ...Object.entries(others ?? {}),
  ];
  entries.sort(([a], [b]) => compareUtf8(a, b));
  return stringifyBundleJson(
    new Map<string, CborValue>([
      ["format_version", 1],
      ["hash_algo", "blake3"],
      ["default_branch", "main"],
      ["head", "ref: main"],
      ["refs", {}],
      ...Object.entries(head ?? {}),
      ["objects", new Map(entries)],
    ]),
    { indent: 2 },
  );
}

/** The text of a bundle of one commit, on `main`, that has these contents as `n0`, `n1` and so on. */
export function bundleOfContents(contents: readonly CborValue[]): string {
  const nodes = contents.map((content, i) => nodeOf(`n${i}`, content));
  const state = stateOf(
    Object.fromEntries(nodes.map((node, i) => [`n${i}`, idOf(node)])),
  );
  const tip = commitOf({ state: idOf(state) });
  return bundleTextOf({
    objects: [...nodes, state, tip],
    head: { refs: { main: idOf(tip) } },
  });
}

/** The fields of an object in the order of a bundle; only the first level has one of its own. */
function inOrder(fields: BundleFields): CborValue {
  const known = FIELD_ORDER.filter((name) => name in fields);
  const others = Object.keys(fields).filter((name) => !known.includes(name))
    .sort(compareUtf8);
  return new Map([...known, ...others].map((name) => [name, fields[name]!]));
}

const FIELD_ORDER = [
  "kind",
  "id",
  "content",
  "content_kind",
  "provenance",
  "event_time",
  "level",
  "count",
  "nodes",
  "parents",
  "state",
  "message",
  "author",
  "time",
];

/** Ids are bytes in an object, and text in a bundle. */
function storedForm(name: string, value: CborValue): CborValue {
  const isHex = (text: CborValue): text is string =>
    typeof text === "string" && /^[0-9a-f]{64}$/.test(text);
  if (name === "state" && isHex(value)) return fromHex(value);
  if (name === "parents" && isArray(value)) {
    return value.map((id) => isHex(id) ? fromHex(id) : id);
  }
  if (name === "nodes" && typeof value === "object" && value !== null) {
    return new Map(
      Object.entries(value).map((
        [id, object],
      ) => [id, isHex(object) ? fromHex(object) : object]),
    );
  }
  return value;
}
