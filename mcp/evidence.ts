/**
 * The arguments that say where a belief comes from.
 *
 * @module
 */

import {
  type Evidence,
  EVIDENCE_FIELDS,
  type EvidenceField,
} from "@mnem/agents";
import type { z } from "zod";
import { optionalInteger, optionalText } from "./schemas.ts";

/** Arguments by their names in JSON; each field of evidence has one. */
type EvidenceArguments =
  & { readonly [W in EvidenceField["wire"]]: z.ZodType<string | undefined> }
  & { readonly event_time: z.ZodType<number | undefined> };

/** The schemas of the arguments, by name. */
export const EVIDENCE_ARGUMENTS: EvidenceArguments = {
  source: optionalText("Who or what said so: ticket, file, person"),
  step: optionalText("Step of your run"),
  observation: optionalText("What was seen, word for word"),
  tool_call: optionalText("Tool call that brought it"),
  note: optionalText("Anything else to know later"),
  event_time: optionalInteger("When it happened or was said: Unix ms"),
};

/** The same arguments without what is said of them: for a schema that is listed beside one that says it. */
export const KNOWN_EVIDENCE_ARGUMENTS: EvidenceArguments = {
  source: optionalText(),
  step: optionalText(),
  observation: optionalText(),
  tool_call: optionalText(),
  note: optionalText(),
  event_time: optionalInteger("Unix ms"),
};

/** What a call may say of where a belief comes from. */
export type EvidenceGiven = {
  readonly [A in keyof EvidenceArguments]?:
    | z.output<EvidenceArguments[A]>
    | undefined;
};

/** Returns the arguments as the verbs take them. */
export function evidenceOf(given: EvidenceGiven): Evidence {
  const texts = EVIDENCE_FIELDS.map(({ name, wire }) => [name, given[wire]]);
  return { ...Object.fromEntries(texts), eventTimeMs: given.event_time };
}
