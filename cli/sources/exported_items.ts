/**
 * What mem0 exports: a list of memories, the same under `results` with relations beside it, or an object
 * of a schema that its user gave.
 *
 * @module
 */

import {
  type Fact,
  type Finding,
  idPart,
  type Parsed,
  skipped,
} from "./fact.ts";
import { kindOf } from "./json_kind.ts";
import type { JsonPiece } from "./json_pieces.ts";
import { SeenFacts } from "./seen_facts.ts";
import { LINE_BYTES_MAX } from "./text_lines.ts";
import { type Json, parseJson, stringifyJson } from "@mnem/core";

type Fields = { readonly [name: string]: Json };

/** A value, or why it could not be read. */
interface Read {
  readonly value: Json;
  readonly finding?: Finding;
}

/** Properties of an answer that are lists of memories, or of relations. */
export const EXPORTED_LISTS = ["results", "memories", "data", "relations"];

/** What an answer says of itself. */
const ABOUT = new Set(
  "results memories data relations count total next previous page page_size id status message"
    .split(" "),
);

/** Where the text of a memory stands, the usual name first. */
const TEXTS = ["memory", "text", "content"];

/** Fields that become evidence, or say nothing of the memory itself. */
const EVIDENCE = new Set(["id", "hash", "created_at", "updated_at", "score"]);

/** More is a number of milliseconds. */
const SECONDS_MAX = 1e11;

/**
 * Yields what the pieces of an export say: `mem0/<id>` with the memory and all that is said of it,
 * `mem0-relation/<source>/<relationship>/<target>`, and of an export by schema `mem0-export/<field>`. An
 * id that comes again with something else is `<id>/2`, so that nothing of it is lost.
 */
export async function* parseExport(
  pieces: AsyncIterable<JsonPiece> | Iterable<JsonPiece>,
): AsyncGenerator<Parsed> {
  let items = 0;
  const seen = new SeenFacts();
  for await (const piece of pieces) {
    if (piece.kind === "item") items += 1;
    for (const one of parsedOf(piece, items > 0)) {
      if (one.kind === "fact") yield* apart(one, seen);
      else yield one;
    }
  }
}

function* parsedOf(piece: JsonPiece, hasItems: boolean): Generator<Parsed> {
  if (piece.kind === "item") yield* item(piece);
  else if (piece.kind === "stray") {
    yield skipped(piece.first, "it is no JSON, must be a list or an object");
  } else yield* whole(piece, hasItems);
}

/** Yields a fact; one with an id that came before, under another one. */
function* apart(fact: Fact, seen: SeenFacts): Generator<Parsed> {
  const { id, content, eventTimeMs = null, first: line } = fact;
  const said = stringifyJson([content, eventTimeMs]);
  const { same, first, count } = seen.add(id, said, line);
  if (same !== undefined) {
    return yield skipped(line, `it is the same as line ${same}`);
  }
  if (count === 1) return yield fact;
  const reason = `the node id ${
    JSON.stringify(id)
  } stands in line ${first} already; this one is number ${count}`;
  yield { kind: "warning", line, reason };
  yield { ...fact, id: `${id}/${count}` };
}

function* item(piece: JsonPiece): Generator<Parsed> {
  const { value, finding } = valueOf(piece);
  if (finding !== undefined) return yield finding;
  const fields = fieldsOf(value);
  if (fields === undefined) {
    const is = kindOf(value);
    return yield skipped(piece.first, `it is ${is}, must be an object`);
  }
  yield* piece.list === "relations"
    ? relation(piece, fields)
    : memory(piece, fields);
}

function* whole(piece: JsonPiece, hasItems: boolean): Generator<Parsed> {
  if (piece.isCut) {
    // The item that was cut has been told already.
    if (hasItems) return;
    return yield skipped(piece.last, "the file ends before the JSON does");
  }
  const { value, finding } = valueOf(piece);
  if (finding !== undefined) return yield finding;
  const fields = fieldsOf(value);
  if (fields === undefined) {
    if (Array.isArray(value)) return;
    const is = kindOf(value);
    return yield skipped(
      piece.first,
      `it is ${is}, must be a list or an object`,
    );
  }
  if (textOf(fields) !== undefined) return yield* memory(piece, fields);
  const data = fieldsOf(fields["data"]);
  const isAnswer = EXPORTED_LISTS.some((name) => Array.isArray(fields[name]));
  for (const [name, said] of Object.entries(data ?? fields)) {
    if (data === undefined && isAnswer && ABOUT.has(name)) continue;
    if (said === null) {
      const reason = `${JSON.stringify(name)} is null: nothing is known of it`;
      yield { kind: "passed-over", line: piece.first, reason };
    } else yield factOf(piece, `mem0-export/${idPart(name)}`, said);
  }
}

function* memory(piece: JsonPiece, fields: Fields): Generator<Parsed> {
  const { id } = fields;
  if (textOf(fields) === undefined) {
    const is = kindOf(fields["memory"]);
    return yield skipped(piece.first, `"memory" is ${is}, must be a text`);
  }
  if (typeof id !== "string" && typeof id !== "number") {
    return yield skipped(piece.first, `"id" is ${kindOf(id)}, must be a text`);
  }
  const created = fields["created_at"];
  const eventTimeMs = timeOf(created);
  if (eventTimeMs === undefined && created !== undefined && created !== null) {
    yield {
      kind: "warning",
      line: piece.first,
      reason: `"created_at" is no time, so that none is kept with it`,
    };
  }
  const content = Object.fromEntries(
    Object.entries(fields).filter(([name, value]) =>
      value !== null && !EVIDENCE.has(name)
    ),
  );
  const notes = ["updated_at", "hash"].flatMap((name) =>
    typeof fields[name] === "string" ? [`${name} ${fields[name]}`] : []
  );
  yield {
    ...factOf(piece, `mem0/${idPart(String(id))}`, content),
    note: notes.length === 0 ? undefined : notes.join(", "),
    eventTimeMs,
  };
}

function* relation(piece: JsonPiece, fields: Fields): Generator<Parsed> {
  const { source, relationship } = fields;
  const target = fields["target"] ?? fields["destination"];
  const parts: readonly (readonly [string, Json | undefined])[] = [
    ["source", source],
    ["relationship", relationship],
    ["target", target],
  ];
  const wrong = parts.find(([, part]) => typeof part !== "string");
  if (wrong !== undefined) {
    const [name, part] = wrong;
    const is = kindOf(part);
    return yield skipped(piece.first, `"${name}" is ${is}, must be a text`);
  }
  const id = parts.map(([, part]) => idPart(String(part))).join("/");
  yield factOf(piece, `mem0-relation/${id}`, fields);
}

function factOf({ first, last }: JsonPiece, id: string, content: Json): Fact {
  return { kind: "fact", id, content, first, last };
}

function valueOf({ bytes, size, first, isCut }: JsonPiece): Read {
  if (size > LINE_BYTES_MAX) {
    return fault(first, `it has ${size} bytes, the limit is ${LINE_BYTES_MAX}`);
  }
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return fault(first, "it holds bytes that are not UTF-8 text");
  }
  try {
    return { value: parseJson(text) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return fault(first, isCut ? `${why}; the file ends within it` : why);
  }
}

function fault(line: number, reason: string): Read {
  return { value: null, finding: skipped(line, reason) };
}

function textOf(fields: Fields): string | undefined {
  for (const name of TEXTS) {
    const text = fields[name];
    if (typeof text === "string") return text;
  }
  return undefined;
}

function fieldsOf(value: Json | undefined): Fields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : undefined;
}

/** A text of ISO 8601, of UTC if it names no zone, or a number of seconds or milliseconds since 1970. */
function timeOf(value: Json | undefined): number | undefined {
  if (typeof value === "number") {
    return Math.round(Math.abs(value) < SECONDS_MAX ? value * 1_000 : value);
  }
  if (typeof value !== "string") return undefined;
  const isZoned = /(?:Z|[+-]\d\d:?\d\d)$/i.test(value.trim());
  const hasTime = /\d[T ]\d/.test(value);
  const time = Date.parse(
    hasTime && !isZoned ? `${value.trim()}Z` : value.trim(),
  );
  return Number.isNaN(time) ? undefined : time;
}
