/**
 * Which namespaces a store takes, and that no two of them meet.
 *
 * @module
 */

import assert from "node:assert/strict";
import { refusalOf, refusedAs } from "./refusal.ts";
import { type StoreCase, topic } from "./store_case.ts";
import {
  assertListed,
  fillNamespaces,
  namespaceSet,
  valueOf,
} from "./stored_items.ts";
import { untyped, type UntypedStore } from "./untyped_store.ts";

const BATCH_SEEN = "https://github.com/langchain-ai/langgraph/issues/8832";

/** Labels that no namespace may have, by what they are. */
const BAD_LABELS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["a label with a period", "a.b"],
  ["a label with a colon", "a:b"],
  ["a label with NUL", "a\0b"],
  ["an empty label", ""],
  ["a label that is a number", 1],
  ["a label that is null", null],
]);

type Rules = { [name: string]: Omit<StoreCase, "id" | "topic"> };

/** Put: a rule for each bad label. */
function putRefusals(): Rules {
  return Object.fromEntries(
    [...BAD_LABELS].map(([what, label]) => [
      `put-refuses-${what.toLowerCase().replaceAll(" ", "-")}`,
      {
        rule: `put refuses ${what}, and nothing is stored`,
        basis: "contract",
        async run({ store }) {
          await fillNamespaces(store, ["good"]);
          for (const bad of [[label], ["good", label]]) {
            await refusalOf(what, () => untyped(store).put(bad, "k", { n: 1 }));
          }
          assertListed(await store.listNamespaces(), ["good"]);
        },
      },
    ]),
  );
}

/** Another call: one rule for all bad labels. */
function refusals(
  what: string,
  call: (store: UntypedStore, namespace: readonly unknown[]) => unknown,
  rest: Pick<StoreCase, "basis" | "seen"> = { basis: "contract" },
): Rules[string] {
  return {
    rule: `${what} refuses each of these labels`,
    ...rest,
    async run({ store }) {
      await fillNamespaces(store, ["good"]);
      await call(untyped(store), ["good"]);
      for (const [name, label] of BAD_LABELS) {
        await refusalOf(
          `${what} with ${name}`,
          () => call(untyped(store), ["good", label]),
        );
      }
    },
  };
}

/** Labels that are ordinary, whatever they mean elsewhere. */
function taken(what: string, labels: readonly string[]): Rules[string] {
  return {
    rule: `${what} are ordinary labels: ${labels.join(" ")}`,
    basis: "contract",
    async run({ store }) {
      for (const label of labels) {
        await store.put([label], "k", { label });
        await store.put([label, "under"], "k", { under: label });
      }
      for (const label of labels) {
        assert.deepEqual(await valueOf(store, [label], "k"), { label });
        const found = (await store.search([label])).map(({ value }) => value);
        const texts = found.map((value) => JSON.stringify(value)).sort();
        const both = [{ label }, { under: label }];
        assert.deepEqual(texts, both.map((one) => JSON.stringify(one)).sort());
      }
      assertListed(
        await store.listNamespaces(),
        ...labels.flatMap((label) => [[label], [label, "under"]]),
      );
    },
  };
}

/** Namespaces that are not the same, however much they look it. */
function apart(
  rule: string,
  namespaces: readonly (readonly string[])[],
  seen?: string,
): Rules[string] {
  return {
    rule,
    basis: "contract",
    ...(seen === undefined ? {} : { seen }),
    async run({ store }) {
      await fillNamespaces(store, ...namespaces);
      for (const namespace of namespaces) {
        assert.deepEqual(await valueOf(store, namespace, "k"), {
          in: namespace.join("/"),
        });
        const found = await store.search([...namespace]);
        assert.deepEqual(
          namespaceSet(found.map((item) => item.namespace)),
          namespaceSet([[...namespace]]),
        );
      }
    },
  };
}

/** Rules of namespaces. */
export const NAMESPACE_CASES = topic("namespace", {
  "put-refuses-the-empty-namespace": {
    rule: "put refuses the empty namespace, and nothing is stored",
    basis: "contract",
    async run({ store }) {
      await fillNamespaces(store, ["good"]);
      await refusalOf("the empty namespace", () => store.put([], "k", {}));
      assertListed(await store.listNamespaces(), ["good"]);
    },
  },
  ...putRefusals(),
  "put-refuses-the-reserved-root": {
    rule: "put refuses langgraph as the first label",
    basis: "contract",
    async run({ store }) {
      await fillNamespaces(store, ["good"]);
      await refusalOf(
        "the reserved root",
        () => store.put(["langgraph", "x"], "k", {}),
      );
      assertListed(await store.listNamespaces(), ["good"]);
    },
  },
  "reserved-root-is-a-label-further-in": {
    rule: "langgraph is an ordinary label but for the first",
    basis: "contract",
    async run({ store }) {
      await store.put(["a", "langgraph"], "k", { n: 1 });
      assert.deepEqual(await valueOf(store, ["a", "langgraph"], "k"), { n: 1 });
    },
  },
  "batch-takes-the-reserved-root": {
    rule: "batch writes below langgraph, and get, search, delete work there",
    basis: "contract",
    seen: BATCH_SEEN,
    async run({ store }) {
      const namespace = ["langgraph", "foo"];
      await store.batch([{ namespace, key: "k", value: { n: 1 } }]);
      assert.deepEqual(await valueOf(store, namespace, "k"), { n: 1 });
      assert.equal((await store.search(["langgraph"])).length, 1);
      await store.delete(namespace, "k");
      assert.equal(await store.get(namespace, "k"), null);
    },
  },
  "refusal-is-an-invalid-namespace-error": {
    rule: "a refused namespace is an InvalidNamespaceError",
    basis: "contract",
    async run({ store }) {
      const name = "InvalidNamespaceError";
      for (const bad of [[], ["a.b"], ["langgraph"]]) {
        const put = () => store.put(bad, "k", {});
        await refusedAs(name, JSON.stringify(bad), put);
      }
    },
  },
  "get-refuses-bad-labels": refusals(
    "get",
    (store, namespace) => store.get(namespace, "k"),
  ),
  "delete-refuses-bad-labels": refusals(
    "delete",
    (store, namespace) => store.delete(namespace, "other"),
  ),
  "search-refuses-bad-labels": refusals(
    "search",
    (store, prefix) => store.search(prefix),
  ),
  "list-refuses-bad-labels": refusals(
    "listNamespaces by prefix",
    (store, prefix) => store.listNamespaces({ prefix }),
  ),
  "list-suffix-refuses-bad-labels": refusals(
    "listNamespaces by suffix",
    (store, suffix) => store.listNamespaces({ suffix }),
  ),
  "batch-put-refuses-bad-labels": refusals(
    "a put by batch",
    (store, namespace) => store.batch([{ namespace, key: "k", value: {} }]),
    { basis: "reference", seen: BATCH_SEEN },
  ),
  "batch-get-refuses-bad-labels": refusals(
    "a get by batch",
    (store, namespace) => store.batch([{ namespace, key: "k" }]),
    { basis: "reference", seen: BATCH_SEEN },
  ),
  "batch-search-refuses-bad-labels": refusals(
    "a search by batch",
    (store, namespacePrefix) => store.batch([{ namespacePrefix }]),
    { basis: "reference", seen: BATCH_SEEN },
  ),
  "batch-refuses-the-empty-namespace": {
    rule: "batch puts and deletes nothing in the empty namespace",
    basis: "reference",
    seen: BATCH_SEEN,
    async run({ store }) {
      await fillNamespaces(store, ["good"]);
      for (const value of [{ n: 1 }, null]) {
        const put = { namespace: [], key: "k", value };
        await refusalOf("the empty namespace", () => store.batch([put]));
      }
      assertListed(await store.listNamespaces(), ["good"]);
    },
  },
  "wildcards-are-labels": taken("wildcards", ["*", "%", "_", "?", "\\"]),
  "separators-are-labels": taken("separators", [
    "/",
    "~",
    "~1",
    "|",
    "#",
    " ",
  ]),
  "words-of-any-script-are-labels": taken("words of any script", [
    "é",
    "日本語",
    "😀",
  ]),
  "names-of-the-prototype-are-labels": taken("names that objects inherit", [
    "__proto__",
    "constructor",
    "toString",
  ]),
  "case-matters": apart("labels differ by case", [["User"], ["user"]]),
  "forms-of-unicode-stay-apart": apart(
    "composed and decomposed text are two labels",
    [["caf\u00e9"], ["cafe\u0301"]],
  ),
  "order-of-labels-matters": apart("labels stand in an order", [
    ["a", "b"],
    ["b", "a"],
  ]),
  "wildcards-match-nobody-else": apart(
    "no label is a pattern that another one fits",
    [["john-doe"], ["john_doe"], ["johnxdoe"]],
    "https://github.com/langchain-ai/langgraph/issues/8300",
  ),
  "joined-labels-stay-apart": apart(
    "namespaces that look alike when joined are apart",
    [["team", "a"], ["team_a"], ["team-a"], ["team/a"], ["team~a"]],
    "https://github.com/moorcheh-ai/memanto/pull/1317",
  ),
  "labels-can-be-many": apart("a namespace of twenty labels is one", [
    Array.from({ length: 20 }, (_, i) => `l${i}`),
    Array.from({ length: 20 }, (_, i) => `l${i + 1}`),
  ]),
});
