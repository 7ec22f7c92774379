/**
 * The fields of the format's own objects, recognized without making a text.
 *
 * @module
 */

/** By length and ends, in which no two are alike. */
const FIELDS: ReadonlyMap<number, string> = new Map(
  [
    "id",
    "kind",
    "content",
    "content_kind",
    "event_time",
    "provenance",
    "agent_step",
    "observation",
    "tool_call",
    "source",
    "note",
    "time",
    "state",
    "author",
    "message",
    "parents",
  ].map((name) => [
    looksOf(name.length, name.charCodeAt(0), name.charCodeAt(name.length - 1)),
    name,
  ]),
);

/** The field that a part of some bytes spells, if it is one of the format: to look up a new text costs more. */
export function formatField(
  bytes: Uint8Array,
  from: number,
  to: number,
): string | undefined {
  const name = FIELDS.get(
    looksOf(to - from, bytes[from] ?? 0, bytes[to - 1] ?? 0),
  );
  if (name?.length !== to - from) return undefined;
  for (let i = 1; i < name.length - 1; i++) {
    if (bytes[from + i] !== name.charCodeAt(i)) return undefined;
  }
  return name;
}

function looksOf(length: number, first: number, last: number): number {
  return length << 16 | first << 8 | last;
}
