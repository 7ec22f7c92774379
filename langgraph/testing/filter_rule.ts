/**
 * How a rule of filters is written down: values, and what each filter finds among them.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Item } from "@langchain/langgraph-checkpoint";
import type { StoreCase } from "./store_case.ts";
import { keySet, putEach } from "./stored_items.ts";

/** A rule that has no id yet. */
export type Rule = Omit<StoreCase, "id" | "topic">;
/** What the store holds, by key. */
export type Values = { readonly [key: string]: Item["value"] };
/** A filter, and the keys that it must find, separated by blanks. */
export type Answers = readonly (readonly [
  filter: Item["value"],
  keys: string,
])[];

/** No keys. */
export const NONE = "";
/** Each filter finds these keys and no other. */
export function finds(
  rule: string,
  values: Values,
  answers: Answers,
): Rule {
  return {
    rule,
    basis: "contract",
    async run({ store }) {
      await putEach(store, ["a"], values);
      for (const [filter, keys] of answers) {
        const found = await store.search(["a"], { filter });
        const expected = keys.split(" ").filter((key) => key !== NONE);
        assert.deepEqual(keySet(found), expected.sort(), show(filter));
      }
    },
  };
}

/** A filter, for a person. */
export function show(filter: Item["value"]): string {
  return `filter ${JSON.stringify(filter)}`;
}
