/**
 * The arguments that say where a belief comes from.
 *
 * @module
 */

import type { Evidence } from "@mnem/agents";
import type { z } from "zod";
import { optionalInteger, optionalText } from "./schemas.ts";

interface EvidenceArguments {
  readonly source: z.ZodType<string | undefined>;
  readonly step: z.ZodType<string | undefined>;
  readonly observation: z.ZodType<string | undefined>;
  readonly tool_call: z.ZodType<string | undefined>;
  readonly note: z.ZodType<string | undefined>;
  readonly event_time: z.ZodType<number | undefined>;
}

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
export interface EvidenceGiven {
  /** See {@linkcode EVIDENCE_ARGUMENTS}. */
  readonly source?: string | undefined;
  /** See {@linkcode EVIDENCE_ARGUMENTS}. */
  readonly step?: string | undefined;
  /** See {@linkcode EVIDENCE_ARGUMENTS}. */
  readonly observation?: string | undefined;
  /** See {@linkcode EVIDENCE_ARGUMENTS}. */
  readonly tool_call?: string | undefined;
  /** See {@linkcode EVIDENCE_ARGUMENTS}. */
  readonly note?: string | undefined;
  /** See {@linkcode EVIDENCE_ARGUMENTS}. */
  readonly event_time?: number | undefined;
}

/** Returns the arguments as the verbs take them. */
export function evidenceOf(given: EvidenceGiven): Evidence {
  return {
    source: given.source,
    step: given.step,
    observation: given.observation,
    toolCall: given.tool_call,
    note: given.note,
    eventTimeMs: given.event_time,
  };
}
