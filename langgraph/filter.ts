/**
 * The filter of a search: conditions on the fields of a value, all of which must hold.
 *
 * @module
 */

import { checkContent, compareUtf8, type Json, sameContent } from "@mnem/core";
import { isPlain, kindOf, storedValue } from "@mnem/agents/items";

/** The value of an item. */
type ItemValue = { readonly [name: string]: Json };
/** A condition on a field; undefined: the value has no such field. */
type Condition = (field: Json | undefined) => boolean;

/**
 * Makes a test of values; undefined where every value passes. A field is looked for by its own name,
 * whatever dots that has. It is equal to a condition if it has the same JSON value; `$eq`, `$ne`, `$in`
 * and `$nin` go by the same equality, and a missing field is not equal to anything, so that `$ne` and
 * `$nin` let it pass. `$gt`, `$gte`, `$lt` and `$lte` compare numbers with numbers and texts with texts,
 * by code points; nothing else is in any order. `undefined` stands for a missing field.
 *
 * @throws {TypeError} For an unknown operator, for one among ordinary names, and for a filter that is
 * no plain object.
 */
export function matcherOfFilter(
  filter: unknown,
): ((value: ItemValue) => boolean) | undefined {
  if (filter === undefined || filter === null) return undefined;
  if (!isPlain(filter)) {
    throw new TypeError(
      `Cannot search: filter is ${kindOf(filter)}, must be a plain object`,
    );
  }
  const conditions = Object.entries(filter).map(([name, condition]) => {
    if (name.startsWith("$")) throw unknownOperator(name, "a field's name");
    return { name, holds: conditionOf(condition) };
  });
  if (conditions.length === 0) return undefined;
  return (value) =>
    conditions.every(({ name, holds }) =>
      holds(Object.hasOwn(value, name) ? value[name] : undefined)
    );
}

const OPERATORS: ReadonlyMap<string, (operand: unknown) => Condition> = new Map(
  [
    ["$eq", equalTo],
    ["$ne", (operand) => not(equalTo(operand))],
    ["$in", (operand) => oneOf("$in", operand)],
    ["$nin", (operand) => not(oneOf("$nin", operand))],
    ["$gt", (operand) => inOrder(operand, (order) => order > 0)],
    ["$gte", (operand) => inOrder(operand, (order) => order >= 0)],
    ["$lt", (operand) => inOrder(operand, (order) => order < 0)],
    ["$lte", (operand) => inOrder(operand, (order) => order <= 0)],
  ],
);

function conditionOf(condition: unknown): Condition {
  const operations = operationsOf(condition);
  if (operations === undefined) return equalTo(condition);
  const conditions = operations.map(([name, operand]) => {
    const operator = OPERATORS.get(name);
    if (operator === undefined) throw unknownOperator(name, "an operator");
    return operator(operand);
  });
  return (field) => conditions.every((holds) => holds(field));
}

/** The operators and operands of a condition; undefined if it is a value to be equal to. */
function operationsOf(condition: unknown): [string, unknown][] | undefined {
  const isObject = typeof condition === "object" && condition !== null &&
    !Array.isArray(condition);
  if (!isObject) return undefined;
  const entries = Object.entries(condition);
  return entries.some(([name]) => name.startsWith("$")) ? entries : undefined;
}

function unknownOperator(name: string, what: string): TypeError {
  return new TypeError(
    `Cannot search: ${JSON.stringify(name)} in the filter is not ${what}; ` +
      `operators are ${[...OPERATORS.keys()].join(", ")}`,
  );
}

function equalTo(operand: unknown): Condition {
  if (operand === undefined) return (field) => field === undefined;
  const wanted = comparable(operand);
  return (field) =>
    field !== undefined && wanted !== undefined && sameContent(field, wanted);
}

function oneOf(name: string, operand: unknown): Condition {
  if (!Array.isArray(operand)) {
    throw new TypeError(
      `Cannot search: ${name} in the filter has ${kindOf(operand)}, ` +
        "must have an array",
    );
  }
  const conditions = Array.from(operand, equalTo);
  return (field) => conditions.some((holds) => holds(field));
}

function not(condition: Condition): Condition {
  return (field) => !condition(field);
}

function inOrder(
  operand: unknown,
  holds: (order: number) => boolean,
): Condition {
  const wanted = comparable(operand);
  return (field) => {
    const order = compare(field, wanted);
    return order !== undefined && holds(order);
  };
}

/** Undefined where two values have no order. */
function compare(
  a: Json | undefined,
  b: Json | undefined,
): number | undefined {
  if (typeof a === "string" && typeof b === "string") return compareUtf8(a, b);
  if (!isNumber(a) || !isNumber(b)) return undefined;
  return a < b ? -1 : a > b ? 1 : 0;
}

function isNumber(value: Json | undefined): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

/** An operand as it would be stored; undefined for one that could not be, which nothing stored equals. */
function comparable(operand: unknown): Json | undefined {
  if (typeof operand === "bigint") return operand;
  try {
    return checkContent(storedValue(operand, "filter"), "filter");
  } catch {
    return undefined;
  }
}
