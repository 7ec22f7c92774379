/**
 * Where an item comes from: `_meta` in its value, over what its view of the store says.
 *
 * @module
 */

import { type Evidence, EVIDENCE_FIELDS } from "../evidence.ts";
import { kindOf } from "./kind_of.ts";
import { isPlain } from "./stored_value.ts";

/** The field of a value that holds where it comes from. */
const META = "_meta";

/** Names of fields in `_meta`, and in {@linkcode Evidence}. */
const META_FIELDS: Fields = [
  ...EVIDENCE_FIELDS.map(({ wire, name }) => [wire, name] as const),
  ["event_time", "eventTimeMs"],
];

const NAMED_FIELDS: Fields = META_FIELDS.map(([, name]) => [name, name]);

type Fields = readonly (readonly [string, keyof Evidence])[];
type GivenEvidence = { -readonly [F in keyof Evidence]: Evidence[F] };

/** A value without its `_meta`, and what that said. */
export interface LiftedValue {
  /** What is stored. */
  readonly content: { readonly [name: string]: unknown };
  /** What `_meta` said; empty if there was none. */
  readonly evidence: Evidence;
}

/**
 * Takes `_meta` out of the converted value of an item: the texts of evidence, and `event_time` in Unix
 * milliseconds.
 *
 * @throws {TypeError} If it has any other field or is no object, so that data is never taken for it.
 */
export function liftMeta(
  value: { readonly [name: string]: unknown },
  where: string,
): LiftedValue {
  if (!Object.hasOwn(value, META)) return { content: value, evidence: {} };
  // Whatever is no data, such as a getter, goes on as it is: the store refuses it.
  const { [META]: meta, ...others } = Object.getOwnPropertyDescriptors(value);
  return {
    content: Object.defineProperties({}, others),
    evidence: parseFields(meta?.value, `"${META}" in ${where}`, META_FIELDS),
  };
}

/**
 * Returns a copy of evidence.
 *
 * @throws {TypeError} If a field is unknown or of another type.
 */
export function checkEvidence(evidence: unknown): Evidence {
  return parseFields(evidence, "evidence", NAMED_FIELDS);
}

/** Evidence field by field: what is given, else what there was. */
export function overEvidence(given: Evidence, other: Evidence): Evidence {
  const merged: GivenEvidence = { ...other };
  for (const [, field] of META_FIELDS) {
    if (given[field] !== undefined) setField(merged, field, given[field]);
  }
  return merged;
}

function parseFields(
  given: unknown,
  what: string,
  fields: Fields,
): Evidence {
  if (!isPlain(given)) {
    throw new TypeError(
      `Cannot use ${what}: it is ${kindOf(given)}, must be a plain object`,
    );
  }
  const evidence: GivenEvidence = {};
  for (const key of Reflect.ownKeys(given)) {
    const property = Object.getOwnPropertyDescriptor(given, key) ?? {};
    if ("value" in property && property.value === undefined) continue;
    const name = String(key);
    const value: unknown = property.value;
    const field = fields.find(([known]) => known === key)?.[1];
    if (field === undefined) {
      throw new TypeError(
        `Cannot use ${what}: unknown field ${
          JSON.stringify(name)
        }, must be one of ${fields.map(([known]) => known).join(", ")}`,
      );
    }
    if (!setField(evidence, field, value)) {
      throw new TypeError(
        `Cannot use ${what}: ${name} must be ${
          field === "eventTimeMs" ? "an integer, Unix ms" : "a string"
        }, got ${kindOf(value)}`,
      );
    }
  }
  return evidence;
}

/** Sets a field if the value is of its type; tells whether it was. */
function setField(
  evidence: GivenEvidence,
  field: keyof Evidence,
  value: unknown,
): boolean {
  if (field === "eventTimeMs") {
    if (typeof value !== "number" || !Number.isSafeInteger(value)) return false;
    evidence[field] = value;
  } else {
    if (typeof value !== "string") return false;
    evidence[field] = value;
  }
  return true;
}
