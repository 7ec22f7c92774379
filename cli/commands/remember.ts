/**
 * `mnem remember`: records beliefs, one commit a call.
 *
 * @module
 */

import {
  EVIDENCE_FIELDS,
  type Item,
  remember,
  rememberMany,
} from "@mnem/agents";
import type { Call, Command } from "../command.ts";
import {
  BASE_OPTION,
  COMMIT_OPTIONS,
  ONCE_OPTION,
  summaryOf,
} from "../commit_options.ts";
import {
  CONTENT_OPTIONS,
  contentOf,
  EVIDENCE_NAMES,
  EVIDENCE_OPTIONS,
  evidenceOf,
  TEXT_ARGUMENT,
  textFrom,
} from "../content_options.ts";
import { jsonOf, UsageError } from "../given.ts";
import { reportWritten } from "../written.ts";

/** The names of evidence in JSON, and as the verbs call them. */
const WIRE_NAMES: ReadonlyMap<string, string> = new Map([
  ...EVIDENCE_FIELDS.map(({ wire, name }) => [wire, name] as const),
  ["event_time", "eventTimeMs"],
]);
const ITEM_FIELDS: readonly string[] = ["id", "content", ...WIRE_NAMES.keys()];

/** See the module. */
export const REMEMBER: Command = {
  name: "remember",
  summary: "record a belief with its evidence, as one commit",
  more:
    `An equal value with equal evidence makes no commit. --items takes several, all or none: a JSON list of {${
      ITEM_FIELDS.join(", ")
    }}.`,
  arguments: [
    { name: "id", what: "the node's id", optional: true },
    TEXT_ARGUMENT,
  ],
  options: [
    ...CONTENT_OPTIONS,
    {
      flags: "--items <file>",
      what: "several, from a file of JSON, or - for stdin",
    },
    ...EVIDENCE_OPTIONS,
    ...COMMIT_OPTIONS,
    ONCE_OPTION,
    BASE_OPTION,
  ],
  examples: [
    "mnem remember plan pro --observation billing-note-8842",
    `mnem remember seats --content-json 240 -m "count the seats"`,
    "mnem remember --items facts.json",
  ],
  run: record,
};

async function record(call: Call): Promise<void> {
  const { given, report } = call;
  const id = given.argument(0);
  const file = given.text("items");
  if ((id === undefined) === (file === undefined)) {
    throw new UsageError("an id must be given, or --items <file>");
  }
  const items = file === undefined ? undefined : await itemsOf(call, file);
  const content = items === undefined ? await contentOf(call) : null;
  const store = await call.open();
  const summary = await summaryOf(given, store);
  const written = items === undefined
    ? await remember(store, id ?? "", content, {
      ...evidenceOf(given),
      ...summary,
    })
    : await rememberMany(store, items, summary);
  await reportWritten(
    store,
    report,
    written,
    "already so: no commit was made",
  );
}

async function itemsOf({ given, io }: Call, file: string): Promise<Item[]> {
  const beside = ["contentJson", "contentFile", ...EVIDENCE_NAMES];
  if (beside.some((name) => given.has(name))) {
    throw new UsageError("with --items the evidence is given with each item");
  }
  const list: unknown = jsonOf(await textFrom(file, io), file);
  if (!Array.isArray(list)) {
    throw new UsageError(`${file} must hold a JSON list of items`);
  }
  return list.map(itemOf);
}

// What is missing or wrong in a field is for the verb to say, which names its place.
function itemOf(value: unknown, place: number): Item {
  const isObject = typeof value === "object" && value !== null &&
    !Array.isArray(value);
  const fields = Object.entries(isObject ? value : {}).map(([name, field]) => {
    if (ITEM_FIELDS.includes(name)) {
      return [WIRE_NAMES.get(name) ?? name, field];
    }
    throw new UsageError(
      `item ${place} has the field ${JSON.stringify(name)}, must have ${
        ITEM_FIELDS.join(", ")
      } only`,
    );
  });
  return Object.fromEntries(
    fields.filter(([name, field]) => field !== null || name === "content"),
  );
}
