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

/** The shape of each field that the format knows, whatever the kind. */
export const FIELDS: ReadonlyMap<string, FieldShape> = new Map<
  string,
  FieldShape
>([
  ["kind", "kind"],
  ["id", "text"],
  ["content_kind", "content kind"],
  ["provenance", "provenance"],
  ["event_time", "time"],
  ["level", "count"],
  ["count", "count"],
  ["nodes", "nodes"],
  ["parents", "ids"],
  ["state", "id"],
  ["message", "text"],
  ["author", "text"],
  ["time", "time"],
]);

/** Fields in the order in which a bundle has them; those that it need not have come with a mark. */
interface KindShape {
  /** The kind. */
  readonly kind: ObjectKind;
  /** All fields that the format knows, in the order of a bundle. */
  readonly fields: readonly string[];
  /** Those of them that may be absent. */
  readonly optional: ReadonlySet<string>;
}

/** Every kind, by its name. */
export const KINDS: ReadonlyMap<string, KindShape> = new Map(
  ([
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
      optional: new Set(["provenance", "event_time"]),
    },
    { kind: "state", fields: ["kind", "nodes"], optional: new Set() },
    {
      kind: "state_index",
      fields: ["kind", "level", "count", "nodes"],
      optional: new Set(),
    },
    {
      kind: "commit",
      fields: ["kind", "parents", "state", "message", "author", "time"],
      optional: new Set(),
    },
  ] satisfies readonly KindShape[]).map((shape) => [shape.kind, shape]),
);

/** The fields of provenance in the order in which a bundle has them. */
export const PROVENANCE: readonly string[] = PROVENANCE_FIELDS.map((
  [, field],
) => field);
