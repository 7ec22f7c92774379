/**
 * The flags that say what a node holds and where it comes from.
 *
 * @module
 */

import { resolve } from "node:path";
import {
  type Evidence,
  EVIDENCE_FIELDS,
  type EvidenceField,
} from "@mnem/agents";
import type { Json } from "@mnem/core";
import { readFileBytes } from "./byte_stream.ts";
import type { ArgumentSpec, Call, OptionSpec } from "./command.ts";
import { type Given, jsonOf, UsageError } from "./given.ts";
import { shown } from "./render/visible.ts";

/** What is read of a file or of standard input: more than any content can hold. */
const TEXT_BYTES_MAX = 64 * 1024 * 1024;

/** The text after the id. */
export const TEXT_ARGUMENT: ArgumentSpec = {
  name: "text",
  what: "the content, stored as a string; without any content, standard input",
  optional: true,
};

/** The other ways to give a content. */
export const CONTENT_OPTIONS: readonly OptionSpec[] = [
  {
    flags: "--content-json <json>",
    what: "the content as JSON; integers are stored exactly",
  },
  {
    flags: "--content-file <file>",
    what: "the content is in this file: JSON in a .json, else text",
  },
];

/** What is said of each flag of evidence. */
const SAID: { readonly [N in EvidenceField["name"]]: string } = {
  source: "who or what said so",
  step: "step of the agent's run",
  observation: "what was observed",
  toolCall: "tool call that brought it",
  note: "anything else to know later",
};

/** Where a belief comes from. */
export const EVIDENCE_OPTIONS: readonly OptionSpec[] = [
  ...EVIDENCE_FIELDS.map(({ name, wire }) => ({
    flags: `--${wire.replace("_", "-")} <text>`,
    what: SAID[name],
  })),
  { flags: "--event-time <ms>", what: "when it happened, Unix milliseconds" },
];

/** What the flags of evidence are called in camel case. */
export const EVIDENCE_NAMES: readonly string[] = [
  ...EVIDENCE_FIELDS.map(({ name }) => name),
  "eventTime",
];

/** Reads the flags of evidence. */
export function evidenceOf(given: Given): Evidence {
  const texts = EVIDENCE_FIELDS.map(({ name }) => [name, given.text(name)]);
  return {
    ...Object.fromEntries(texts),
    eventTimeMs: given.integer("eventTime"),
  };
}

/**
 * Reads the content of a node: the text after its id, `--content-json`, `--content-file`, else standard
 * input. Of a text from a file or standard input trailing white space is left out.
 *
 * @throws {UsageError} If it is given twice, or cannot be read as text.
 * @throws {SyntaxError} If it should be JSON, and is none.
 */
export async function contentOf({ given, io }: Call): Promise<Json> {
  given.atMostOne("contentJson", "contentFile");
  const text = given.argument(1);
  const flag = ["contentJson", "contentFile"].find((name) => given.has(name));
  if (text !== undefined) {
    if (flag === undefined) return text;
    throw new UsageError("the content is given twice: as text and by a flag");
  }
  const json = given.json("contentJson");
  if (json !== undefined) return json;
  const file = given.text("contentFile") ?? "-";
  const read = await textFrom(file, io);
  return /\.json$/i.test(file) ? jsonOf(read, shown(file)) : read.trimEnd();
}

/** Reads a file of text, `-` being standard input. */
export async function textFrom(file: string, io: Call["io"]): Promise<string> {
  return file === "-"
    ? await textOf(await stdinBytes(io), "standard input")
    : await textOf(
      await readFileBytes(resolve(io.directory(), file), file),
      shown(file),
    );
}

async function stdinBytes(
  { stdin, stderr }: Call["io"],
): Promise<ReadableStream<Uint8Array>> {
  if (stdin.isTerminal) {
    await stderr.write("mnem: type the content, and Ctrl-D at the end\n");
  }
  return stdin.stream();
}

async function textOf(
  bytes: ReadableStream<Uint8Array>,
  name: string,
): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const parts: string[] = [];
  let size = 0;
  // A device has no size that could be looked at first.
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > TEXT_BYTES_MAX) {
      throw new RangeError(
        `Cannot read ${name}: the limit is ${TEXT_BYTES_MAX} bytes`,
      );
    }
    parts.push(decoded(decoder, name, chunk));
  }
  return parts.join("") + decoded(decoder, name);
}

function decoded(
  decoder: TextDecoder,
  name: string,
  part?: Uint8Array,
): string {
  try {
    return decoder.decode(part, { stream: part !== undefined });
  } catch {
    throw new UsageError(`${name} holds bytes that are not UTF-8 text`);
  }
}
