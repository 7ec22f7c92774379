/**
 * How a namespace and a key make a node id, and back: `users:u1:plan` is `plan` in `["users", "u1"]`.
 *
 * @module
 */

/** Where an item is: in a namespace, under a key. */
export interface ItemPlace {
  /** One label a level; none for a node that has no place in a namespace. */
  readonly namespace: string[];
  /** The key within the namespace. */
  readonly key: string;
}

/**
 * Returns the node id of an item: labels and key, joined by colons. In each of them `~` is written
 * `~0`, `:` is written `~1` and NUL `~2`, so that no two items share an id and ordinary names stay as
 * they are. In the empty namespace a key is a node id as it is.
 *
 * @example
 * ```ts
 * import { toId } from "@mnem/agents/items";
 *
 * if (toId(["users", "u1"], "plan") !== "users:u1:plan") throw new Error("joined by colons");
 * if (toId(["users"], "u1:plan") !== "users:u1~1plan") throw new Error("no second meaning");
 * ```
 */
export function toId(namespace: readonly string[], key: string): string {
  return namespace.length === 0
    ? key
    : [...namespace, key].map(escape).join(":");
}

/**
 * Returns the item of a node id. An id that {@linkcode toId} does not make for any namespace, such as
 * `plan` or `a::b`, is a key of the empty namespace; so every node has a place, whoever wrote it.
 */
export function fromId(id: string): ItemPlace {
  const parts = id.split(":");
  const escaped = parts.pop();
  const namespace = parts.map(unescape);
  const key = unescape(escaped ?? "");
  const isItem = namespace.length > 0 && namespace.every(isLabel) &&
    toId(namespace, key) === id;
  return isItem ? { namespace, key } : { namespace: [], key: id };
}

/** Tells whether a text may be a label of a namespace: not empty, without period, colon and NUL. */
export function isLabel(text: string): boolean {
  return text !== "" && !/[.:\0]/.test(text);
}

/** What the ids of all items in a namespace, and in those below it, begin with. */
export function idPrefix(namespace: readonly string[]): string {
  return namespace.map((label) => `${escape(label)}:`).join("");
}

function escape(text: string): string {
  return text.replaceAll("~", "~0").replaceAll(":", "~1")
    .replaceAll("\0", "~2");
}

function unescape(text: string): string {
  return text.replaceAll("~2", "\0").replaceAll("~1", ":")
    .replaceAll("~0", "~");
}
