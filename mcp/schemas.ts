/**
 * The building blocks of the tools' schemas: forgiving to what models send, plain in the JSON Schema
 * that providers read, and blind to the content that is to be stored.
 *
 * @module
 */

import { type Json, parseJson } from "@mnem/core";
import { z } from "zod";

/** A JSON Schema document. */
export type JsonSchema = { [key: string]: unknown };

const IS_REQUIRED = "is required";

// Providers refuse type arrays, recursion and a schema without a type: so one level is spelt out.
const SCALARS = [{ type: "string" }, { type: "number" }, { type: "boolean" }];
const SCALARS_AND_OBJECTS = [
  ...SCALARS,
  { type: "object", additionalProperties: true },
];
const JSON_INPUT = [
  ...SCALARS_AND_OBJECTS,
  // An object is open unless it says otherwise, and the list of tools has a budget of bytes.
  { type: "array", items: { anyOf: [...SCALARS, { type: "object" }] } },
];
const JSON_OUTPUT = [
  ...SCALARS_AND_OBJECTS,
  { type: "array" },
  { type: "null" },
];

/** Returns the schema of a tool's arguments, or of an object among them. It names an argument that it does not know, and those that it does. */
export function argumentsOf<S extends z.ZodRawShape>(
  shape: S,
): ReturnType<typeof z.strictObject<S>> {
  const known = Object.keys(shape).join(", ");
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== "unrecognized_keys") return undefined;
      const names = issue.keys.map((name) => JSON.stringify(name)).join(", ");
      return `unknown argument ${names}, must be one of ${known}`;
    },
  });
}

/** Returns the schema of a text that must be given. */
export function requiredText(description: string): z.ZodString {
  return z.string({ error: requiredIfAbsent }).describe(description);
}

/** Returns the schema of JSON that is taken as it is: null and text that looks like JSON included. */
export function anyJson(description?: string): z.ZodType<Json> {
  return described(
    z.custom<Json>((value) => value !== undefined, IS_REQUIRED),
    description,
  ).meta({ anyOf: JSON_INPUT });
}

/** As {@linkcode anyJson}, but may be absent. */
export function optionalJson(
  description: string,
): z.ZodType<Json | undefined> {
  return z.custom<Json>().optional().meta({ description, anyOf: JSON_INPUT });
}

/** Returns the schema of an optional text. Null counts as absent. */
export function optionalText(
  description?: string,
): z.ZodType<string | undefined> {
  return described(
    z.preprocess(absentIfNull, z.string().optional()),
    description,
  );
}

/** Returns the schema of an optional integer, at least `min`. Null counts as absent, "5" as 5. */
export function optionalInteger(
  description?: string,
  min?: number,
): z.ZodType<number | undefined> {
  const integer = min === undefined ? z.int() : z.int().min(min);
  const optional = z.preprocess(
    (value) => integerIfText(absentIfNull(value)),
    integer.optional(),
  );
  return described(optional, description);
}

/** Returns the schema of an optional flag. Null counts as absent, "true" as true. */
export function optionalFlag(
  description: string,
): z.ZodType<boolean | undefined> {
  return z.preprocess(
    (value) => flagIfText(absentIfNull(value)),
    z.boolean().optional(),
  ).describe(description);
}

/** Returns the schema of a list whose elements, or itself, may come as JSON text. */
export function listOf<T extends z.ZodType>(
  element: T,
): z.ZodType<z.output<T>[]> {
  return z.preprocess(
    jsonIfText,
    z.array(z.preprocess(jsonIfText, element), { error: requiredIfAbsent }),
  );
}

/** Returns the schema of an optional word. Null counts as absent. */
export function optionalWord<const W extends string>(
  description: string,
  words: readonly W[],
): z.ZodType<W | undefined> {
  return z.preprocess(absentIfNull, z.enum(words).optional())
    .describe(description);
}

/**
 * Returns the schema of an optional object that holds one kind of value under any names, `__proto__`
 * too. It, or a value in it, may come as JSON text; null counts as absent. `schemaOf` picks what a
 * value must be, so that a complaint says which field of it is wrong.
 */
export function optionalMapOf<T extends z.ZodType>(
  description: string,
  element: T,
  schemaOf: (value: unknown) => z.ZodType<z.output<T>>,
): z.ZodType<ReadonlyMap<string, z.output<T>> | undefined> {
  const map = z.custom<object>(isObject, "must be an object")
    .transform((given, context) => {
      const parsed = new Map<string, z.output<T>>();
      for (const [name, text] of Object.entries(given)) {
        const value = jsonIfText(text);
        const { success, data, error } = schemaOf(value).safeParse(value);
        if (success) parsed.set(name, data);
        for (const { path, message } of error?.issues ?? []) {
          context.addIssue({
            code: "custom",
            path: [name, ...path],
            message,
          });
        }
      }
      return parsed;
    });
  return z.preprocess(
    (value) => jsonIfText(absentIfNull(value)),
    map.optional(),
  ).meta({
    description,
    type: "object",
    additionalProperties: listedSchema(element, "input"),
  });
}

/** Returns the JSON Schema of an input, or of an output, as a client lists it. */
export function listedSchema(
  schema: z.ZodType,
  io: "input" | "output",
): JsonSchema {
  const { $schema: _, ...listed } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      // Every integer would carry the bounds of a safe one.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) {
        delete jsonSchema.minimum;
      }
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) {
        delete jsonSchema.maximum;
      }
      // A client that kept the list must not refuse a field that a later version adds.
      if (io === "output" && jsonSchema.additionalProperties === false) {
        delete jsonSchema.additionalProperties;
      }
    },
  });
  return listed;
}

/** A stored content in a result. */
export const contentResult: z.ZodType = z.any().meta({ anyOf: JSON_OUTPUT });

/** A node in a result. */
export const nodeResult: z.ZodType = z.object({
  id: z.string(),
  content: contentResult,
  content_kind: z.string(),
  provenance: z.looseObject({}).meta({ additionalProperties: true }),
  event_time: z.any().meta({
    anyOf: [{ type: "integer", description: "Unix ms" }, { type: "null" }],
  }),
});

/** A commit in a result. */
export const commitResult: z.ZodType = z.object({
  id: z.string(),
  parents: z.array(z.string()),
  state: z.string(),
  message: z.string(),
  author: z.string(),
  time: z.int(),
});

/** Node ids and what happened to them. */
export const changesResult: z.ZodType = z.looseObject({}).meta({
  additionalProperties: {
    type: "string",
    enum: ["added", "modified", "removed"],
  },
});

function described<T extends z.ZodType>(schema: T, description?: string): T {
  return description === undefined ? schema : schema.describe(description);
}

function requiredIfAbsent(
  { input }: { readonly input?: unknown },
): string | undefined {
  return input === undefined ? IS_REQUIRED : undefined;
}

function absentIfNull(value: unknown): unknown {
  return value === null ? undefined : value;
}

function integerIfText(value: unknown): unknown {
  return typeof value === "string" && /^-?\d{1,16}$/.test(value)
    ? Number(value)
    : value;
}

function flagIfText(value: unknown): unknown {
  if (value === "true") return true;
  return value === "false" ? false : value;
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function jsonIfText(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return parseJson(value);
  } catch {
    return value;
  }
}
