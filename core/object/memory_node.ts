/**
 * A memory node: one thing that an agent believes, and where it learned it.
 *
 * @module
 */

import { MnemError } from "../errors.ts";
import { PROVENANCE_FIELD_BYTES_MAX } from "../limits.ts";
import { CborWriter } from "./cbor_writer.ts";
import { checkText, type TextRule, typeName } from "./check_text.ts";
import { checkTime } from "./commit.ts";
import { sameContent, writeContent } from "./content.ts";
import { blake3 } from "./hash.ts";
import type { Json } from "./json.ts";
import { checkNodeId } from "./node_id.ts";
import { readFields } from "./object_fields.ts";
import { quote } from "./quote.ts";

/** Where a belief came from. Every field is optional; an empty string counts as set. */
export interface Provenance {
  /** The step of the agent's run. */
  readonly agentStep?: string;
  /** The observation that the belief rests on. */
  readonly observation?: string;
  /** The tool call that brought the observation. */
  readonly toolCall?: string;
  /** The document, ticket, thread or person behind it. */
  readonly source?: string;
  /** Anything else a reader should know. */
  readonly note?: string;
}

/** One node of memory. */
export interface MemoryNode<T = Json> {
  /** The caller's name for the node. */
  readonly id: string;
  /** Numbers by value: a stored 1.0 reads as 1, and writing 1 over it is no change. */
  readonly content: T;
  /** Whether the content is a note or a claim. */
  readonly contentKind: "note" | "claim";
  /** Where the content came from. */
  readonly provenance: Provenance;
  /** When it happened, if that differs from when it was written, in Unix milliseconds. */
  readonly eventTimeMs?: number;
}

/** What a caller gives for a node; its id stands beside it. */
export type NodeInput<T = Json> = {
  /** Any JSON value. */
  readonly content: T;
  /** "note" unless said otherwise. */
  readonly contentKind?: "note" | "claim" | undefined;
  /** Where the content came from. */
  readonly provenance?: Provenance | undefined;
  /** When it happened, in Unix milliseconds. */
  readonly eventTimeMs?: number | undefined;
};

/** The fields of provenance in the order of JSON: their names here, and in JSON and objects. */
export const PROVENANCE_FIELDS = [
  ["agentStep", "agent_step"],
  ["observation", "observation"],
  ["toolCall", "tool_call"],
  ["source", "source"],
  ["note", "note"],
] as const satisfies readonly (readonly [keyof Provenance, string])[];

/** The same in the order of the keys of an object: the shorter first, then bytewise. */
const ENCODED_FIELDS = PROVENANCE_FIELDS.toSorted(([, a], [, b]) =>
  a.length - b.length || (a < b ? -1 : 1)
);

const INPUT_FIELDS: ReadonlySet<string> = new Set([
  "id",
  "content",
  "contentKind",
  "provenance",
  "eventTimeMs",
]);
const PROVENANCE_NAMES: ReadonlySet<string> = new Set(
  PROVENANCE_FIELDS.map(([name]) => name),
);

/**
 * Checks and encodes a node canonically (FORMAT.md, "Objects"); `id` of the result is its object
 * id, 32 bytes. The bytes lie in room that they share with others (see `brief_bytes.ts`). Fields that
 * are `undefined` count as absent. Throws a TypeError for a field of another type or name, for content
 * that is not JSON, a RangeError over a limit, which it states.
 */
export function encodeNode(
  id: string,
  input: NodeInput<unknown>,
): { readonly bytes: Uint8Array; readonly id: Uint8Array } {
  checkNodeId(id);
  const about = new AboutNode(id);
  checkNames(input, about);
  const contentKind = checkKind(input.contentKind, about);
  const provenance = checkProvenance(input.provenance, about);
  const eventTimeMs = input.eventTimeMs === undefined
    ? undefined
    : checkTime(input.eventTimeMs, `event time of ${about.what}`);

  const writer = new CborWriter();
  const hasEvidence = provenance.length > 0;
  writer.map(4 + Number(hasEvidence) + Number(eventTimeMs !== undefined));
  writer.text("id");
  writer.text(id);
  writer.text("kind");
  writer.text("memory_node");
  writer.text("content");
  writeContent(writer, input.content, about);
  if (eventTimeMs !== undefined) {
    writer.text("event_time");
    writer.int(eventTimeMs);
  }
  if (hasEvidence) {
    writer.text("provenance");
    writer.map(provenance.length);
    for (const [name, text] of provenance) {
      writer.text(name);
      writer.text(text);
    }
  }
  writer.text("content_kind");
  writer.text(contentKind);
  const bytes = writer.finishBrief();
  return { bytes, id: blake3(bytes) };
}

/**
 * Decodes a node: fresh objects, the caller's to change. Ignores fields that it does not know; an
 * event time beyond 2^53, which only an import brings, is rounded. Throws an MnemError
 * `corrupt_store` for anything but a node, `format_version` for an object of a kind that this
 * version does not know.
 */
export function decodeNode(bytes: Uint8Array): MemoryNode {
  const fields = readFields(bytes, "memory_node");
  const contentKind = fields.text("content_kind");
  if (contentKind !== "note" && contentKind !== "claim") {
    throw new MnemError(
      "corrupt_store",
      `Cannot decode memory_node: content_kind ${
        quote(contentKind)
      }, must be "note" or "claim"`,
    );
  }
  const provenance: { -readonly [Name in keyof Provenance]: string } = {};
  if (fields.has("provenance")) {
    const evidence = fields.map("provenance");
    for (const [name, stored] of PROVENANCE_FIELDS) {
      if (evidence.has(stored)) provenance[name] = evidence.text(stored);
    }
  }
  return {
    id: fields.text("id"),
    content: fields.json("content"),
    contentKind,
    provenance,
    ...(fields.has("event_time") && { eventTimeMs: fields.time("event_time") }),
  };
}

/** Tells whether two nodes say the same from the same evidence: content by value, kind, provenance and event time. Their ids do not count. */
export function sameNode(a: MemoryNode, b: MemoryNode): boolean {
  return a.contentKind === b.contentKind &&
    a.eventTimeMs === b.eventTimeMs &&
    PROVENANCE_FIELDS.every(([name]) =>
      a.provenance[name] === b.provenance[name]
    ) &&
    sameContent(a.content, b.content);
}

/**
 * How errors name a node. Only they ask: to quote an id costs as much as to encode a node. A class,
 * because an object with getters of its own costs half as much, too.
 */
class AboutNode {
  readonly names = INPUT_FIELDS;
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }

  get what(): string {
    return `node ${quote(this.id)}`;
  }

  get where(): string {
    return `content of ${this.what}`;
  }
}

/** How errors name the provenance of a node. */
class AboutProvenance {
  readonly names = PROVENANCE_NAMES;
  readonly node: AboutNode;

  constructor(node: AboutNode) {
    this.node = node;
  }

  get what(): string {
    return `provenance of ${this.node.what}`;
  }
}

/** What a field of provenance must be. */
class FieldRule implements TextRule {
  readonly bytesMax = PROVENANCE_FIELD_BYTES_MAX;
  readonly name: string;
  readonly about: AboutProvenance;

  constructor(name: string, about: AboutProvenance) {
    this.name = name;
    this.about = about;
  }

  get what(): string {
    return `${this.name} in ${this.about.what}`;
  }
}

function checkNames(
  value: unknown,
  options: { readonly what: string; readonly names: ReadonlySet<string> },
): asserts value is object {
  const { names } = options;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new TypeError(
      `Cannot use ${options.what}: ${
        Array.isArray(value) ? "an array" : typeName(value)
      }, must be an object`,
    );
  }
  for (const name of Object.keys(value)) {
    if (!names.has(name) && Reflect.get(value, name) !== undefined) {
      throw new TypeError(
        `Cannot use ${options.what}: unknown field ${
          quote(name)
        }, must be one of ${[...names].join(", ")}`,
      );
    }
  }
}

function checkKind(
  kind: unknown,
  node: { readonly what: string },
): "note" | "claim" {
  if (kind === undefined || kind === "note") return "note";
  if (kind === "claim") return "claim";
  throw new TypeError(
    `Cannot use contentKind of ${node.what}: ${
      typeof kind === "string" ? quote(kind) : typeName(kind)
    }, must be "note" or "claim"`,
  );
}

/** Returns the fields that are set, by their names in the format and in its order. */
function checkProvenance(
  provenance: unknown,
  node: AboutNode,
): (readonly [string, string])[] {
  if (provenance === undefined) return [];
  const about = new AboutProvenance(node);
  checkNames(provenance, about);
  const set: (readonly [string, string])[] = [];
  for (const [name, stored] of ENCODED_FIELDS) {
    const text: unknown = Reflect.get(provenance, name);
    if (text === undefined) continue;
    set.push([stored, checkText(text, new FieldRule(name, about))]);
  }
  return set;
}
