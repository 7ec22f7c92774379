/**
 * Where the stores that come with LangGraph break a rule of the kit, and why: each reason with the
 * rules that it breaks.
 *
 * @module
 */

/** Reasons, each with the ids of the rules that it explains. */
export type Reasons = ReadonlyMap<string, readonly string[]>;

/** `InMemoryStore` of `@langchain/langgraph-checkpoint` 1.2.2. */
export const IN_MEMORY_REASONS: Reasons = new Map([
  ["its batch refuses the empty namespace, which BaseStore.get lets through", [
    "get/empty-namespace-is-null",
  ]],
  ["it takes any value, and any key", [
    "put/refuses-a-string",
    "put/refuses-a-number",
    "put/refuses-an-array",
    "put/refuses-undefined",
    "key/refuses-a-number",
  ]],
  ["it holds the objects that it was given, not JSON", [
    "value/date-as-iso-text",
    "value/to-json",
    "value/undefined-field-is-dropped",
    "value/refuses-bigint",
    "value/refuses-nan",
    "value/refuses-infinity",
    "value/refuses-map",
    "value/refuses-set",
    "value/refuses-function",
    "value/refuses-symbol",
    "value/refuses-cycle",
    "value/refuses-undefined-in-a-list",
    "batch/a-bad-value-writes-nothing",
  ]],
  ["it copies nothing: values, items, Dates and namespaces are its own", [
    "copy/what-was-put",
    "copy/what-is-being-put",
    "copy/what-was-got",
    "copy/what-was-found",
    "copy/two-reads-share-nothing",
    "copy/an-item-that-is-held",
    "copy/namespaces",
    "copy/dates",
  ]],
  ["a namespace is listed for ever once it was named by a put or delete", [
    "delete/missing-creates-nothing",
    "list/emptied-vanishes",
  ]],
  ["puts of one batch are kept by their labels and key joined by colons", [
    "key/pairs-that-join-alike-in-one-batch",
  ]],
  ["a put is answered by null", ["batch/writes-answer-undefined"]],
  [
    "an operation that it does not know is left out of the results, and a list " +
    "is known by matchConditions alone",
    [
      "batch/list-without-conditions",
      "batch/refuses-an-unknown-operation",
    ],
  ],
  ["items stand by namespace first", ["order/namespaces-do-not-matter"]],
  ["limit, offset and maxDepth go to Array.slice unchecked", [
    "page/refuses-a-negative-limit",
    "page/refuses-a-negative-offset",
    "page/refuses-a-limit-that-is-no-integer",
    "list/refuses-depth-below-one",
    "list/refuses-limits-below-zero",
  ]],
  ["objects and lists are compared by reference", [
    "filter/lists-by-content",
    "filter/objects-by-content",
    "filter/objects-are-equal-whole",
    "filter/fields-with-signs",
    "operator/eq-of-objects",
    "operator/in-of-objects",
  ]],
  ["an empty object or list in a filter counts as operators that are all met", [
    "filter/empty-object",
    "filter/empty-list",
  ]],
  ["fields are read with those that objects inherit", [
    "filter/inherited-values",
  ]],
  ["ranges compare what Number() makes of both sides", [
    "operator/ranges-skip-what-is-no-number",
    "operator/ranges-of-texts",
    "operator/ranges-of-texts-by-code-point",
    "operator/ranges-never-mix",
  ]],
  ["a filter that it does not know finds nothing", [
    "operator/refuses-an-unknown-operator",
    "operator/refuses-operators-above-fields",
    "operator/refuses-a-mixture",
  ]],
  ["without embeddings a query is ignored", [
    "query/finds-a-part-of-a-text",
    "query/finds-deep-texts",
    "query/ignores-case",
    "query/finds-names-of-fields",
    "query/finds-the-key",
    "query/quotes-and-lines",
    "query/no-signs-of-json",
    "query/no-patterns",
    "query/with-a-filter",
  ]],
  ["namespaces are sorted by localeCompare", ["list/order-is-of-bytes"]],
]);

/** `PostgresStore` of `@langchain/langgraph-checkpoint-postgres` 1.0.5, on PostgreSQL 15. */
export const POSTGRES_REASONS: Reasons = new Map([
  ["the empty namespace is refused everywhere, also as a prefix of searches", [
    "get/empty-namespace-is-null",
    "search/empty-prefix-finds-all",
  ]],
  ["whatever JSON.stringify takes is stored, and any key as text", [
    "put/refuses-a-string",
    "put/refuses-a-number",
    "put/refuses-an-array",
    "key/refuses-a-number",
  ]],
  ["JSON.stringify changes what JSON cannot hold in silence", [
    "value/refuses-nan",
    "value/refuses-infinity",
    "value/refuses-map",
    "value/refuses-set",
    "value/refuses-function",
    "value/refuses-symbol",
    "value/refuses-undefined-in-a-list",
  ]],
  ["a value is taken when its row is written, after the call", [
    "copy/what-is-being-put",
  ]],
  [
    "its rule for namespaces is that of BaseStore before 1.1.6: a colon is fine",
    [
      "namespace/put-refuses-a-label-with-a-colon",
      "namespace/get-refuses-bad-labels",
      "namespace/delete-refuses-bad-labels",
      "namespace/search-refuses-bad-labels",
      "namespace/batch-put-refuses-bad-labels",
      "namespace/batch-get-refuses-bad-labels",
      "namespace/batch-search-refuses-bad-labels",
    ],
  ],
  ["listNamespaces looks at no label", [
    "namespace/list-refuses-bad-labels",
    "namespace/list-suffix-refuses-bad-labels",
  ]],
  ["a refused namespace is a plain Error", [
    "namespace/refusal-is-an-invalid-namespace-error",
  ]],
  ["the reserved root is refused by batch too", [
    "namespace/batch-takes-the-reserved-root",
  ]],
  ["labels with %, _ or \\ are refused, since search is a LIKE", [
    "namespace/wildcards-are-labels",
    "namespace/names-of-the-prototype-are-labels",
    "namespace/wildcards-match-nobody-else",
    "namespace/joined-labels-stay-apart",
    "key/no-two-pairs-meet",
    "search/wildcards-are-literal",
  ]],
  ["a prefix is compared as text, without a border between labels", [
    "namespace/separators-are-labels",
    "search/prefix-is-by-label",
    "list/prefix-is-by-label",
    "list/suffix-is-by-label",
    "list/other-signs-are-literal",
  ]],
  ["* in a condition is a letter like any other", [
    "list/wildcard-is-one-label",
    "list/wildcard-as-a-label",
    "list/longer-than-the-namespace",
  ]],
  ["a condition of an unknown kind is left out", [
    "list/refuses-an-unknown-condition",
  ]],
  [
    "maxDepth leaves deeper namespaces out instead of cutting them, after the " +
    "limit, and is not checked",
    [
      "list/max-depth-cuts",
      "list/conditions-before-depth",
      "list/limit-after-depth",
      "list/refuses-depth-below-one",
    ],
  ],
  ["namespaces are sorted by their joined labels", [
    "list/order-is-label-by-label",
  ]],
  ["PostgreSQL's text and jsonb hold no NUL", [
    "key/nul",
    "value/text-with-nul",
  ]],
  ["lone surrogates become U+FFFD on the way to PostgreSQL", [
    "key/lone-surrogates-never-meet",
  ]],
  ["a batch runs its operations one after the other, without a transaction", [
    "batch/get-sees-the-state-before",
    "batch/search-sees-the-state-before",
    "batch/list-sees-the-state-before",
    "batch/a-bad-namespace-writes-nothing",
    "batch/a-bad-value-writes-nothing",
    "concurrency/reads-see-whole-batches",
  ]],
  ["a list is known by matchConditions alone", [
    "batch/list-without-conditions",
  ]],
  ["search() sorts by updated_at, newest first, and batch by created_at", [
    "batch/search-is-as-the-method",
    "order/items-stand-as-created",
    "order/an-update-keeps-its-place",
    "order/created-again-is-last",
    "order/namespaces-do-not-matter",
    "page/an-update-between-pages",
  ]],
  ["LIMIT NULL is no limit", ["page/null-is-no-limit-given"]],
  [
    "limit and offset are checked by PostgreSQL, whose errors are no RangeError",
    [
      "page/refuses-a-negative-limit",
      "page/refuses-a-negative-offset",
      "page/refuses-a-limit-that-is-no-integer",
      "list/refuses-limits-below-zero",
    ],
  ],
  ["values are compared as texts, by ->>", [
    "filter/text-and-number-differ",
    "filter/null-is-a-value",
    "filter/undefined-is-missing",
    "filter/empty-list",
    "filter/lists-by-content",
    "operator/text-and-number-differ",
    "operator/eq-of-objects",
    "operator/in-of-objects",
  ]],
  ["objects are compared by containment", [
    "filter/empty-object",
    "filter/objects-are-equal-whole",
  ]],
  ["a field that is missing is neither equal nor unequal", [
    "operator/ne-finds-missing",
    "operator/nin-finds-missing",
  ]],
  ["an empty $in is left out", ["operator/in-of-nothing"]],
  ["ranges cast the field to numeric, and fail on one that is no number", [
    "operator/ranges-skip-what-is-no-number",
    "operator/ranges-of-texts",
    "operator/ranges-of-texts-by-code-point",
    "operator/ranges-never-mix",
  ]],
  ["operators that it does not know are left out", [
    "operator/refuses-an-unknown-operator",
    "operator/refuses-operators-above-fields",
    "operator/refuses-a-mixture",
  ]],
  ["a query looks at the text of the jsonb, as full text and by ILIKE", [
    "query/finds-the-key",
    "query/quotes-and-lines",
    "query/no-signs-of-json",
    "query/no-patterns",
  ]],
]);

/** Reasons by rule, as the kit takes them. */
export function deviationsOf(reasons: Reasons): { [id: string]: string } {
  return Object.fromEntries(
    [...reasons].flatMap(([reason, ids]) => ids.map((id) => [id, reason])),
  );
}
