/**
 * The arguments that say where a belief comes from.
 *
 * @module
 */

import type { Evidence } from "@mnem/agents";
import type { z } from "zod";
import { optionalInteger, optionalText } from "./schemas.ts";

/** The schemas of the arguments, by name. */
export const EVIDENCE_ARGUMENTS: {
  readonly source: z.ZodType<string | undefined>;
  readonly step: z.ZodType<string | undefined>;
  readonly observation: z.ZodType<string | undefined>;
  readonly tool_call: z.ZodType<string | undefined>;
  readonly note: z.ZodType<string | undefined>;
  readonly event_time: z.ZodType<number | undefined>;
} = {
  source: optionalText("Who or what said so: ticket, file, person"),
  step: optionalText("Step of your run"),
  observation: optionalText("What was observed, in its own words"),
  tool_call: optionalText("Tool call that brought it"),
  note: optionalText("Anything else to know later"),
  event_time: optionalInteger("When it happened, Unix ms"),
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
