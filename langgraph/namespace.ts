/**
 * Namespaces: arrays of labels, under LangGraph's rule for labels.
 *
 * @module
 */

import { compareUtf8 } from "@mnem/core";
import { InvalidNamespaceError } from "@langchain/langgraph-checkpoint";
import { isLabel, kindOf } from "@mnem/agents/items";

/** A hierarchical path: one label a level. */
export type Namespace = readonly string[];

/** Stands for any one label in the path of a condition. */
const WILDCARD = "*";

/**
 * Returns a copy of a namespace. Throws a TypeError unless it is an array, an InvalidNamespaceError
 * for a label that is none, and for a namespace without labels unless that is allowed.
 */
export function checkNamespace(
  namespace: unknown,
  options: { readonly mayBeEmpty: boolean },
): Namespace {
  if (!Array.isArray(namespace)) {
    throw new TypeError(
      `Cannot use namespace: ${kindOf(namespace)}, must be an array of labels`,
    );
  }
  if (namespace.length === 0 && !options.mayBeEmpty) {
    throw new InvalidNamespaceError(
      "Cannot use namespace: it has no label, must have one at least",
    );
  }
  return Array.from(namespace, checkLabel);
}

function checkLabel(label: unknown): string {
  if (typeof label !== "string") {
    throw new InvalidNamespaceError(
      `Cannot use namespace label: ${kindOf(label)}, must be a string`,
    );
  }
  if (!isLabel(label)) {
    throw new InvalidNamespaceError(
      `Cannot use namespace label ${
        JSON.stringify(label)
      }: it must not be empty, nor have a period, a colon or a NUL`,
    );
  }
  return label;
}

/** Tells whether a namespace begins with the labels of another. */
export function startsWith(namespace: Namespace, prefix: Namespace): boolean {
  return prefix.every((label, place) => namespace[place] === label);
}

/** Tells whether a namespace begins or ends with a path, in which `*` is any one label. */
export function matchesPath(
  namespace: Namespace,
  path: Namespace,
  end: "prefix" | "suffix",
): boolean {
  const from = end === "prefix" ? 0 : namespace.length - path.length;
  return path.length <= namespace.length &&
    path.every((label, place) =>
      label === WILDCARD || namespace[from + place] === label
    );
}

/** The labels of a path before its first `*`. */
export function fixedLabels(path: Namespace): Namespace {
  const place = path.indexOf(WILDCARD);
  return place === -1 ? path : path.slice(0, place);
}

/** Compares label by label, each bytewise UTF-8; a namespace comes before those below it. */
export function compareNamespaces(a: Namespace, b: Namespace): number {
  for (const [place, label] of a.entries()) {
    const other = b[place];
    if (other === undefined) return 1;
    const order = compareUtf8(label, other);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}
