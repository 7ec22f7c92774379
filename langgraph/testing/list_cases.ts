/**
 * `listNamespaces`.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { BaseStore } from "@langchain/langgraph-checkpoint";
import { refusalOf, refusedAs } from "./refusal.ts";
import { type StoreCase, topic } from "./store_case.ts";
import { assertListed, fillNamespaces } from "./stored_items.ts";
import { untyped } from "./untyped_store.ts";

type Rule = Omit<StoreCase, "id" | "topic">;
type Question = NonNullable<Parameters<BaseStore["listNamespaces"]>[0]>;

const BORDER_SEEN = "https://github.com/langchain-ai/langgraphjs/pull/2825";
const GHOST_SEEN = "https://github.com/langchain-ai/langgraph/issues/8734";

/** With these namespaces stored, written as `a/b`, each question lists those and no other. */
function lists(
  rule: string,
  stored: readonly string[],
  answers: readonly (readonly [Question, ...string[]])[],
): Rule {
  return {
    rule,
    basis: "contract",
    async run({ store }) {
      await fillNamespaces(store, ...stored.map((one) => one.split("/")));
      for (const [question, ...expected] of answers) {
        assertListed(
          await store.listNamespaces(question),
          ...expected.map((one) => one.split("/")),
        );
      }
    },
  };
}

/** Namespaces in the order of the list. */
function stands(rule: string, ordered: readonly string[][]): Rule {
  return {
    rule,
    basis: "choice",
    async run({ store }) {
      await fillNamespaces(store, ...[...ordered].reverse());
      assert.deepEqual(await store.listNamespaces(), ordered);
    },
  };
}

function refuses(what: string, questions: readonly Question[]): Rule {
  return {
    rule: `${what} is a RangeError`,
    basis: "choice",
    async run({ store }) {
      await fillNamespaces(store, ["a"]);
      for (const question of questions) {
        const list = () => store.listNamespaces(question);
        await refusedAs("RangeError", JSON.stringify(question), list);
      }
      assertListed(await store.listNamespaces({ maxDepth: 1, limit: 1 }), [
        "a",
      ]);
    },
  };
}

const TREE = ["a", "a/x/1", "a/x/2", "a/y/1", "b/x/1"];

/** Which namespaces there are. */
const PRESENCE = topic("list", {
  "each-once": lists(
    "each namespace that holds an item is listed once, no parent of one",
    ["a/b/c", "d", "a/b/c"],
    [[{}, "a/b/c", "d"]],
  ),
  "none": {
    rule: "an empty store lists no namespaces",
    basis: "contract",
    async run({ store }) {
      assert.deepEqual(await store.listNamespaces(), []);
      await fillNamespaces(store, ["a"]);
      assertListed(await store.listNamespaces(), ["a"]);
    },
  },
  "emptied-vanishes": {
    rule: "a namespace whose last item was deleted is listed no more",
    basis: "choice",
    seen: GHOST_SEEN,
    async run({ store }) {
      await fillNamespaces(store, ["gone"], ["kept"]);
      await store.put(["kept"], "second", { n: 1 });
      for (const label of ["gone", "kept"]) await store.delete([label], "k");
      assertListed(await store.listNamespaces(), ["kept"]);
      await fillNamespaces(store, ["gone"]);
      assertListed(await store.listNamespaces(), ["gone"], ["kept"]);
    },
  },
});

/** Conditions. */
const CONDITIONS = topic("list", {
  "prefix-is-by-label": {
    ...lists("a prefix lists its namespace and those below", [
      "user",
      "user/1",
      "users",
      "users/1",
      "x/user",
    ], [[{ prefix: ["user"] }, "user", "user/1"], [{
      prefix: ["user", "1"],
    }, "user/1"], [{ prefix: ["use"] }]]),
    seen: BORDER_SEEN,
  },
  "suffix-is-by-label": {
    ...lists("a suffix lists what ends in these labels", [
      "users/alice",
      "users/malice",
      "alice",
      "alice/x",
    ], [[{ suffix: ["alice"] }, "users/alice", "alice"], [{
      suffix: ["users", "alice"],
    }, "users/alice"], [{ suffix: ["lice"] }]]),
    seen: BORDER_SEEN,
  },
  "wildcard-is-one-label": {
    ...lists("* in a condition stands for one label of any name", [
      "cache/a/v1",
      "cache/a/b/v1",
      "cache/v1",
      "cache/a/v2",
    ], [
      [{ prefix: ["cache", "*", "v1"] }, "cache/a/v1"],
      [{ suffix: ["cache", "*", "v1"] }, "cache/a/v1"],
      [{ suffix: ["*", "v1"] }, "cache/a/v1", "cache/a/b/v1", "cache/v1"],
      [{ prefix: ["*", "a", "*"] }, "cache/a/v1", "cache/a/b/v1", "cache/a/v2"],
      [{ prefix: ["*", "*", "*", "*"] }, "cache/a/b/v1"],
    ]),
    seen: BORDER_SEEN,
  },
  "wildcard-as-a-label": lists(
    "a namespace * is found by *, and not by another word",
    ["*", "x"],
    [[{ prefix: ["*"] }, "*", "x"], [{ prefix: ["x"] }, "x"]],
  ),
  "other-signs-are-literal": lists(
    "no other sign of a condition is a pattern",
    ["a-b", "axb", "ab"],
    [[{ prefix: ["a-b"] }, "a-b"], [{ prefix: ["a?b"] }], [{
      suffix: ["a%"],
    }], [{ prefix: ["a_b"] }]],
  ),
  "longer-than-the-namespace": lists(
    "a condition longer than a namespace does not list it",
    ["a", "a/b"],
    [[{ prefix: ["a", "b", "c"] }], [{ suffix: ["x", "a", "b"] }], [{
      prefix: ["a", "*"],
    }, "a/b"]],
  ),
  "both-conditions-are-met": lists(
    "prefix and suffix must both be met, and may overlap",
    TREE,
    [
      [{ prefix: ["a"], suffix: ["1"] }, "a/x/1", "a/y/1"],
      [{ prefix: ["a", "x"], suffix: ["x", "1"] }, "a/x/1"],
      [{ prefix: ["b"], suffix: ["2"] }],
    ],
  ),
  "empty-conditions-list-all": lists(
    "an empty prefix or suffix lists everything",
    ["a", "b/c"],
    [[{ prefix: [] }, "a", "b/c"], [{ suffix: [] }, "a", "b/c"]],
  ),
  "refuses-an-unknown-condition": {
    rule: "a condition that is neither prefix nor suffix is refused",
    basis: "reference",
    async run({ store }) {
      await fillNamespaces(store, ["a"]);
      const list = (matchType: string) =>
        untyped(store).batch([{
          matchConditions: [{ matchType, path: ["a"] }],
          limit: 10,
          offset: 0,
        }]);
      assert.deepEqual(await list("prefix"), [[["a"]]]);
      await refusalOf("the condition infix", () => list("infix"));
    },
  },
});

/** Depth, pages and order. */
const PAGES = topic("list", {
  "max-depth-cuts": lists(
    "maxDepth cuts longer namespaces, and lists each cut one once",
    TREE,
    [
      [{ maxDepth: 1 }, "a", "b"],
      [{ maxDepth: 2 }, "a", "a/x", "a/y", "b/x"],
      [{ maxDepth: 9 }, ...TREE],
    ],
  ),
  "conditions-before-depth": lists(
    "conditions look at whole namespaces, then maxDepth cuts",
    TREE,
    [
      [{ suffix: ["2"], maxDepth: 2 }, "a/x"],
      [{ prefix: ["a", "x"], maxDepth: 1 }, "a"],
    ],
  ),
  "limit-after-depth": {
    rule: "limit and offset count what is left after maxDepth",
    basis: "contract",
    async run({ store }) {
      await fillNamespaces(store, ["a", "1"], ["a", "2"], ["a", "3"], ["b"]);
      const all = await store.listNamespaces({ maxDepth: 1, limit: 2 });
      assertListed(all, ["a"], ["b"]);
      const second = { maxDepth: 1, limit: 2, offset: 1 };
      assert.deepEqual(await store.listNamespaces(second), all.slice(1));
    },
  },
  "limit-is-a-hundred": {
    rule: "without a limit a hundred are listed",
    basis: "contract",
    async run({ store }) {
      const namespaces = Array.from({ length: 103 }, (_, i) => [`n${i}`]);
      await store.batch(namespaces.map((namespace) => ({
        namespace,
        key: "k",
        value: { n: 1 },
      })));
      assert.equal((await store.listNamespaces()).length, 100);
      const all = await store.listNamespaces({ limit: 200 });
      assertListed(all, ...namespaces);
    },
  },
  "pages-cover-all-once": {
    rule: "pages one behind the other list each namespace once",
    basis: "contract",
    async run({ store }) {
      const namespaces = TREE.map((one) => one.split("/"));
      await fillNamespaces(store, ...namespaces);
      const pages = await Promise.all(
        [0, 2, 4, 6].map((offset) =>
          store.listNamespaces({ limit: 2, offset })
        ),
      );
      assert.deepEqual(pages.map(({ length }) => length), [2, 2, 1, 0]);
      assertListed(pages.flat(), ...namespaces);
    },
  },
  "limit-zero-is-nothing": lists("a limit of 0 lists nothing", ["a", "b"], [
    [{ limit: 0 }],
    [{ limit: 1, prefix: ["b"] }, "b"],
  ]),
  "order-is-of-bytes": stands("namespaces stand by the bytes of their labels", [
    ["B"],
    ["Z"],
    ["a"],
    ["users"],
    ["\u00e9"],
    ["\uffff"],
    ["\u{10000}"],
  ]),
  "order-is-label-by-label": stands("one that is a beginning stands first", [
    ["a"],
    ["a", "b"],
    ["a", "b", "c"],
    ["a", "c"],
    ["a!"],
    ["a!", "b"],
    ["ab"],
  ]),
  "refuses-depth-below-one": refuses("a maxDepth below 1", [
    { maxDepth: 0 },
    { maxDepth: -1 },
  ]),
  "refuses-limits-below-zero": refuses("a limit or offset below 0", [
    { limit: -1 },
    { offset: -1 },
  ]),
});

/** Rules of `listNamespaces`. */
export const LIST_CASES = [...PRESENCE, ...CONDITIONS, ...PAGES];
