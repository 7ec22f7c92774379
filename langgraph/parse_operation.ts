/**
 * The operations of a batch, told apart by their fields, checked and copied before anything is done.
 *
 * @module
 */

import { type Evidence, matcherOf, provenanceOf } from "@mnem/agents";
import type { Edit, Json, MemoryNode } from "@mnem/core";
import { matcherOfFilter } from "./filter.ts";
import {
  fromId,
  liftMeta,
  overEvidence,
  storedObject,
} from "@mnem/agents/items";
import { checkItemId } from "./checked_id.ts";
import { checkNamespace, matchesPath, type Namespace } from "./namespace.ts";

/** Asks for one item. */
export interface GetItem {
  /** Tells it from the others. */
  readonly kind: "get";
  /** The node id of the item. */
  readonly id: string;
}

/** Puts or removes one item. */
export interface PutItem {
  /** Tells it from the others. */
  readonly kind: "put";
  /** What is to become of the node. */
  readonly edit: Edit;
}

/** Which part of a list is asked for. */
export interface Page {
  /** At most so many. */
  readonly limit: number;
  /** Without so many at its beginning. */
  readonly offset: number;
}

/** Searches a namespace and those below it. */
export interface SearchItems extends Page {
  /** Tells it from the others. */
  readonly kind: "search";
  /** Where to search; everywhere if it has no label. */
  readonly namespace: Namespace;
  /** What an item must be; undefined: any. */
  readonly matches:
    | ((node: MemoryNode, value: { readonly [name: string]: Json }) => boolean)
    | undefined;
}

/** Lists namespaces. */
export interface ListNamespaces extends Page {
  /** Tells it from the others. */
  readonly kind: "list";
  /** What every namespace listed begins with, as far as that is known. */
  readonly prefixes: readonly Namespace[];
  /** Whether a namespace is asked for. */
  readonly matches: (namespace: Namespace) => boolean;
  /** Labels that are kept of each. */
  readonly depth: number;
}

/** One operation of a batch. */
export type ParsedOperation = GetItem | PutItem | SearchItems | ListNamespaces;

type Fields = { readonly [name: string]: unknown };

const SEARCH_LIMIT = 10;
const LIST_LIMIT = 100;

/**
 * Parses one operation. A value is copied: what its owner does to it later changes nothing. `index`
 * and whatever else a store for this has no use is passed over.
 *
 * @throws {TypeError} If it is no operation, or a part of it is of another type.
 * @throws {RangeError} If a limit, an offset or a depth is no number of its kind.
 * @throws {InvalidNamespaceError} If a label is none, or a write has no namespace.
 */
export function parseOperation(
  operation: unknown,
  evidence: Evidence,
): ParsedOperation {
  if (!isFields(operation)) {
    throw new TypeError("Cannot run a batch: each operation must be an object");
  }
  if ("value" in operation) return parsePut(operation, evidence);
  if ("key" in operation) {
    const { namespace, key } = operation;
    return {
      kind: "get",
      id: checkItemId(namespace, key, { mayBeEmpty: true }),
    };
  }
  if ("namespacePrefix" in operation) return parseSearch(operation);
  const isList = ["matchConditions", "maxDepth", "limit", "offset"].some(
    (name) => name in operation,
  );
  if (isList) return parseList(operation);
  throw new TypeError(
    `Cannot run a batch: an operation with the fields ${
      JSON.stringify(Object.keys(operation))
    } is neither a get, a put, a search nor a list of namespaces`,
  );
}

function parsePut(operation: Fields, defaults: Evidence): PutItem {
  const { namespace, key, value } = operation;
  const id = checkItemId(namespace, key, { mayBeEmpty: false });
  if (value === null) return { kind: "put", edit: { id, remove: true } };
  const where = `content of node ${JSON.stringify(id)}`;
  const lifted = liftMeta(storedObject(value, where), where);
  const evidence = overEvidence(lifted.evidence, defaults);
  return {
    kind: "put",
    edit: {
      id,
      content: asContent(lifted.content),
      provenance: provenanceOf(evidence),
      eventTimeMs: evidence.eventTimeMs,
    },
  };
}

function parseSearch(operation: Fields): SearchItems {
  const { namespacePrefix, filter, query } = operation;
  const isQuery = query === undefined || query === null ||
    typeof query === "string";
  if (!isQuery) {
    throw new TypeError(
      `Cannot search: query is ${typeof query}, must be a string`,
    );
  }
  const ofFilter = matcherOfFilter(filter);
  const ofQuery = query ? matcherOfQuery(query) : undefined;
  return {
    kind: "search",
    namespace: checkNamespace(namespacePrefix, { mayBeEmpty: true }),
    matches: ofFilter === undefined && ofQuery === undefined
      ? undefined
      : (node, value) =>
        (ofFilter?.(value) ?? true) && (ofQuery?.(node) ?? true),
    ...parsePage(operation, SEARCH_LIMIT),
  };
}

/** A key is looked through as it was given too, not only as its id writes it. */
function matcherOfQuery(query: string): (node: MemoryNode) => boolean {
  const matches = matcherOf(query);
  return (node) =>
    matches(node) || matches({ ...node, content: fromId(node.id).key });
}

function parseList(operation: Fields): ListNamespaces {
  const { matchConditions, maxDepth } = operation;
  const conditions = matchConditions ?? [];
  if (!Array.isArray(conditions)) {
    throw new TypeError(
      `Cannot list namespaces: matchConditions is ${typeof conditions}, ` +
        "must be an array",
    );
  }
  const paths = Array.from(conditions, parseCondition);
  const depth = maxDepth ?? Infinity;
  return {
    kind: "list",
    prefixes: paths.filter(({ end }) => end === "prefix")
      .map(({ path }) => path),
    matches: (namespace) =>
      paths.every(({ path, end }) => matchesPath(namespace, path, end)),
    depth: depth === Infinity ? depth : checkCount("maxDepth", depth, 1),
    ...parsePage(operation, LIST_LIMIT),
  };
}

function parseCondition(
  condition: unknown,
): { readonly path: Namespace; readonly end: "prefix" | "suffix" } {
  const { matchType, path }: Fields = isFields(condition) ? condition : {};
  if (matchType !== "prefix" && matchType !== "suffix") {
    throw new TypeError(
      `Cannot list namespaces: matchType is ${JSON.stringify(matchType)}, ` +
        'must be "prefix" or "suffix"',
    );
  }
  return { path: checkNamespace(path, { mayBeEmpty: true }), end: matchType };
}

function parsePage(operation: Fields, usual: number): Page {
  const { limit, offset } = operation;
  return {
    limit: checkCount("limit", limit ?? usual, 0),
    offset: checkCount("offset", offset ?? 0, 0),
  };
}

function checkCount(name: string, value: unknown, least: number): number {
  if (typeof value !== "number") {
    throw new TypeError(
      `Cannot list: ${name} is ${typeof value}, must be a number`,
    );
  }
  if (!Number.isSafeInteger(value) || value < least) {
    throw new RangeError(
      `Cannot list: ${name} is ${value}, must be an integer from ${least}`,
    );
  }
  return value;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

/** The store judges content, and writes nothing if it is none. */
function asContent(content: Fields): { readonly [name: string]: Json } {
  return content as { readonly [name: string]: Json };
}
