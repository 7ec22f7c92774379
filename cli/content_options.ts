/**
 * The flags that say what a node holds and where it comes from.
 *
 * @module
 */

import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import {
  type Evidence,
  EVIDENCE_FIELDS,
  type EvidenceField,
} from "@mnem/agents";
import type { Json } from "@mnem/core";
import type { ArgumentSpec, Call, OptionSpec } from "./command.ts";
import { type Given, UsageError } from "./given.ts";
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
    what: "the content is the text of this file",
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
 * input. Of what comes from a file or standard input trailing white space is left out.
 *
 * @throws {UsageError} If it is given twice, or cannot be read as text.
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
  const file = given.text("contentFile");
  const bytes = file === undefined || file === "-"
    ? await readStdin(io)
    : await readText(resolve(io.directory(), file), file);
  return textOf(bytes, file ?? "standard input").trimEnd();
}

/** Reads a file of text, `-` being standard input. */
export async function textFrom(file: string, io: Call["io"]): Promise<string> {
  const bytes = file === "-"
    ? await readStdin(io)
    : await readText(resolve(io.directory(), file), file);
  return textOf(bytes, file === "-" ? "standard input" : file);
}

async function readStdin({ stdin, stderr }: Call["io"]): Promise<Uint8Array> {
  if (stdin.isTerminal) {
    await stderr.write("mnem: type the content, and Ctrl-D at the end\n");
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stdin.stream()) {
    size += chunk.length;
    if (size > TEXT_BYTES_MAX) throw tooLong("standard input");
    chunks.push(chunk);
  }
  return new Uint8Array(await new Blob(chunks.map(copyOf)).arrayBuffer());
}

// A Blob takes no view of memory that others might share.
function copyOf(chunk: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(chunk);
}

async function readText(path: string, name: string): Promise<Uint8Array> {
  try {
    if ((await stat(path)).size > TEXT_BYTES_MAX) throw tooLong(name);
    return await readFile(path);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`cannot read ${shown(name)}: ${why}`);
  }
}

function textOf(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${shown(name)} holds bytes that are not UTF-8 text`);
  }
}

function tooLong(name: string): RangeError {
  return new RangeError(
    `Cannot read ${shown(name)}: the limit is ${TEXT_BYTES_MAX} bytes`,
  );
}
