/**
 * What only a caller of LangGraph's store can get wrong.
 *
 * @module
 */

import type { MnemosyneStore } from "@mnem/langgraph";
import { any, type BadInput } from "./bad_input.ts";

const CALLS:
  readonly (readonly [string, (memory: MnemosyneStore) => unknown])[] = [
    ["put: a namespace of nothing", (m) => m.put([], "k", { v: 1 })],
    ["put: an empty label", (m) => m.put([""], "k", { v: 1 })],
    ["put: a label with a dot", (m) => m.put(["a.b"], "k", { v: 1 })],
    [
      "put: the label that is LangGraph's",
      (m) => m.put(["langgraph"], "k", { v: 1 }),
    ],
    ["put: a label that is a number", (m) => m.put(any([5]), "k", { v: 1 })],
    ["put: a namespace that is text", (m) => m.put(any("ns"), "k", { v: 1 })],
    ["put: a key that is a number", (m) => m.put(["ns"], any(5), { v: 1 })],
    [
      "put: an id over 1,024 bytes",
      (m) => m.put(["ns"], "k".repeat(1_025), { v: 1 }),
    ],
    [
      "put: half a character in the key",
      (m) => m.put(["ns"], "\ud800", { v: 1 }),
    ],
    ["put: a value that is a list", (m) => m.put(["ns"], "k", any([1]))],
    ["put: a value that is text", (m) => m.put(["ns"], "k", any("text"))],
    ["put: a bigint", (m) => m.put(["ns"], "k", { v: 1n })],
    ["put: NaN", (m) => m.put(["ns"], "k", { v: NaN })],
    ["put: a function", (m) => m.put(["ns"], "k", { v: [() => 1] })],
    ["put: a circle", (m) => {
      const value: Record<string, unknown> = {};
      value["self"] = value;
      return m.put(["ns"], "k", value);
    }],
    [
      "put: _meta that is text",
      (m) => m.put(["ns"], "k", { v: 1, _meta: "because" }),
    ],
    ["search: a limit below 0", (m) => m.search(["ns"], { limit: -1 })],
    ["search: an offset of half", (m) => m.search(["ns"], { offset: 0.5 })],
    [
      "search: an operator that there is not",
      (m) => m.search(["ns"], { filter: { v: { $like: "x" } } }),
    ],
    [
      "search: a filter that is text",
      (m) => m.search(["ns"], { filter: any("v=1") }),
    ],
    ["list: a condition that there is not", (m) =>
      m.batch(any([{
        matchConditions: [{ matchType: "infix", path: ["a"] }],
        limit: 10,
        offset: 0,
      }]))],
    ["batch: no list", (m) => m.batch(any("put"))],
    ["batch: an operation that is null", (m) => m.batch(any([null]))],
    ["batch: an operation of no kind", (m) => m.batch(any([{ verb: "put" }]))],
    ["batch: a bad one behind a good one", (m) =>
      m.batch(any([
        { namespace: ["ns"], key: "good", value: { v: 1 } },
        { namespace: [], key: "k", value: { v: 1 } },
      ]))],
  ];

/** Each of them. */
export const BAD_ITEMS: readonly BadInput[] = CALLS.map((
  [name, langgraph],
) => ({
  name: `LangGraph ${name}`,
  code: "invalid_argument",
  langgraph,
}));
