/**
 * What a tool is made of.
 *
 * @module
 */

import type { Json, Store } from "@mnem/core";
import type { ToolAnnotations } from "@modelcontextprotocol/server";
import { z } from "zod";
import { type NextSteps, withNextStep } from "./next_step.ts";
import { type JsonSchema, listedSchema } from "./schemas.ts";

/** What a call may use beside its arguments. */
export interface ToolContext {
  /** The memory. */
  readonly store: Store;
  /** The author of commits; undefined leaves it to the store. */
  readonly author: string | undefined;
  /** Aborted when the client gave the call up. */
  readonly signal: AbortSignal;
  /** What the request's `_meta` has as key of the call; see `call_name.ts`. */
  readonly key?: unknown;
}

/** A tool as it is listed and called. */
export interface Tool {
  /** Lower case, at most 20 characters: hosts cut long ones. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** For the model. */
  readonly description: string;
  /** What hosts may assume of it. */
  readonly annotations: ToolAnnotations;
  /** Whether no other call of a server runs beside it. */
  readonly alone: boolean;
  /** The JSON Schema of its arguments. */
  readonly input: JsonSchema;
  /** The JSON Schema of its result. */
  readonly output: JsonSchema;
  /** Checks the arguments and does the work. TypeError on a bad argument, else what the store throws. */
  call(args: unknown, context: ToolContext): Promise<Json>;
}

/** What {@linkcode defineTool} needs. */
export interface ToolDefinition<I extends z.ZodType> {
  /** See {@linkcode Tool}. */
  readonly name: string;
  /** See {@linkcode Tool}. */
  readonly title: string;
  /** See {@linkcode Tool}. */
  readonly description: string;
  /** See {@linkcode Tool}. */
  readonly annotations: ToolAnnotations;
  /** See {@linkcode Tool}; false if left out. */
  readonly alone?: boolean;
  /** Parses the arguments. */
  readonly input: I;
  /** Describes the result. */
  readonly output: z.ZodType;
  /** What helps where the store refuses; nothing but the usual if left out. */
  readonly nextSteps?: NextSteps;
  /** Does the work, on arguments that hold. The root of its result is an object. */
  run(args: z.output<I>, context: ToolContext): Promise<Json>;
}

/** Makes a tool of a definition. */
export function defineTool<I extends z.ZodType>(
  definition: ToolDefinition<I>,
): Tool {
  const { name, title, description, annotations, nextSteps = {} } = definition;
  const { input } = definition;
  const takesKey = input instanceof z.ZodObject && "key" in input.shape;
  return {
    name,
    title,
    description,
    annotations,
    alone: definition.alone ?? false,
    input: listedSchema(input, "input"),
    output: listedSchema(definition.output, "output"),
    call(args: unknown, context: ToolContext): Promise<Json> {
      const parsed = input.safeParse(args ?? {});
      if (!parsed.success) {
        throw new TypeError(`Cannot ${name}: ${problems(parsed.error)}`);
      }
      // Before the commit a call can be given up; after it, it has happened.
      context.signal.throwIfAborted();
      return definition.run(parsed.data, context).catch((error: unknown) => {
        const isRepeatable = takesKey && hasKey(args, context);
        throw withNextStep(error, nextSteps, isRepeatable);
      });
    },
  };
}

/** Whether a call has a key, so that it may be made again whatever became of it. */
function hasKey(args: unknown, { key }: ToolContext): boolean {
  return (Object(args)["key"] ?? key ?? undefined) !== undefined;
}

function problems(error: z.ZodError): string {
  return error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join(".")}: ${message}`
  ).join("; ");
}
