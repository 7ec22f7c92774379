/**
 * `mnem add`: stages a node.
 *
 * @module
 */

import { provenanceOf } from "@mnem/agents";
import type { Call, Command } from "../command.ts";
import {
  CONTENT_OPTIONS,
  contentOf,
  EVIDENCE_OPTIONS,
  evidenceOf,
  TEXT_ARGUMENT,
} from "../content_options.ts";
import { shortId } from "../render/commit.ts";
import { shown } from "../render/visible.ts";

/** See the module. */
export const ADD: Command = {
  name: "add",
  summary: "stage a node for the next commit",
  arguments: [{ name: "id", what: "the node's id" }, TEXT_ARGUMENT],
  options: [
    ...CONTENT_OPTIONS,
    {
      flags: "--content-kind <kind>",
      what: "note, unless it is a claim",
      words: ["note", "claim"],
    },
    ...EVIDENCE_OPTIONS,
  ],
  examples: [
    'mnem add plan enterprise --source "contract 17"',
    "mnem add seats --content-json 240",
    "date | mnem add today",
    "mnem add -- -odd-id 'a text'",
  ],
  run: add,
};

async function add(call: Call): Promise<void> {
  const { given, report } = call;
  const id = given.required(0);
  const { eventTimeMs, ...evidence } = evidenceOf(given);
  const node = {
    content: await contentOf(call),
    contentKind: given.text("contentKind") === "claim" ? "claim" : "note",
    provenance: provenanceOf(evidence),
    eventTimeMs,
  } as const;
  const store = await call.open();
  const object = await store.stage.put(id, node);
  await report.value(() => ({ id, object }), () => [
    `staged ${shown(id)} (${shortId(object)})`,
  ]);
}
