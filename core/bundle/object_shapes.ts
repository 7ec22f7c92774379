/**
 * What the objects of a bundle are made of (FORMAT.md, "Objects").
 *
 * @module
 */

import { PROVENANCE_FIELDS } from "../object/memory_node.ts";
import type { ObjectKind } from "../object/object_fields.ts";

/** How a field is written in a bundle; any other field is kept as JSON. */
export type FieldShape =
  | "kind"
  | "text"
  | "content kind"
  | "provenance"
  | "time"
  | "count"
  | "id"
  | "ids"
  | "nodes";

/** A field that the format knows. */
export interface KnownField {
  /** Its name. */
  readonly name: string;
  /** The name as UTF-8. */
  readonly utf8: Uint8Array;
  /** How its value is written. */
  readonly shape: FieldShape | undefined;
}

const encoder = new TextEncoder();

/** Every field that the format knows, whatever the kind; those of nodes first, which most objects are. */
export const FIELDS: readonly KnownField[] = ([
  ["kind", "kind"],
  ["id", "text"],
  ["content", undefined],
  ["content_kind", "content kind"],
  ["provenance", "provenance"],
  ["event_time", "time"],
  ["nodes", "nodes"],
  ["level", "count"],
  ["count", "count"],
  ["parents", "ids"],
  ["state", "id"],
  ["message", "text"],
  ["author", "text"],
  ["time", "time"],
] as const).map(([name, shape]) => ({
  name,
  shape,
  utf8: encoder.encode(name),
}));

/** What an object of one kind has. */
export interface KindShape {
  /** The kind. */
  readonly kind: ObjectKind;
  /** All fields that the format knows, in the order of a bundle. */
  readonly fields: readonly string[];
  /** Those of them that may be absent. */
  readonly optional: readonly string[];
}

/** Every kind. */
export const KINDS: readonly KindShape[] = [
  {
    kind: "memory_node",
    fields: [
      "kind",
      "id",
      "content",
      "content_kind",
      "provenance",
      "event_time",
    ],
    optional: ["provenance", "event_time"],
  },
  { kind: "state", fields: ["kind", "nodes"], optional: [] },
  {
    kind: "state_index",
    fields: ["kind", "level", "count", "nodes"],
    optional: [],
  },
  {
    kind: "commit",
    fields: ["kind", "parents", "state", "message", "author", "time"],
    optional: [],
  },
];

/** The fields of provenance in the order in which a bundle has them. */
export const PROVENANCE: readonly string[] = PROVENANCE_FIELDS.map((
  [, field],
) => field);
