/**
 * What is brought together by object id: the nodes of a bundle, and what names them.
 *
 * @module
 */

/** The tags, in the order in which items of one object id come. */
export const NODE_TAGS = {
  /** A commit's state holds it, under the node id that is the value. */
  named: 0,
  /** A state that no commit names holds it. */
  loose: 1,
  /** The object is a node; its bytes are the value. */
  node: 2,
  /** The object is something else. */
  other: 3,
} as const;
