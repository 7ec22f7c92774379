/**
 * The kit can fail: stores that get one thing wrong each, and the rules that catch them.
 *
 * @module
 */

import assert from "node:assert/strict";
import type {
  BaseStore,
  GetOperation,
  Item,
  ListNamespacesOperation,
  MatchCondition,
  Operation,
  OperationResults,
  PutOperation,
  SearchItem,
  SearchOperation,
} from "@langchain/langgraph-checkpoint";
import { STORE_CASES, type Subject } from "@mnem/langgraph/testing";
import {
  type Held,
  once,
  PlainStore,
  textsOf,
} from "../support/plain_store.ts";

type Now = () => number;
interface Fault {
  /** Rules that must catch it, each of them. */
  readonly caughtBy: readonly string[];
  readonly make: (now: Now) => BaseStore;
}

/** A fault by what is wrong. */
const FAULTS: { readonly [what: string]: Fault } = {
  "an absent item reads as undefined": {
    caughtBy: ["get/missing-is-null", "batch/results-stand-by-position"],
    make: (now) =>
      new class extends PlainStore {
        override got(one: GetOperation) {
          return super.got(one) ?? undefined;
        }
      }(now),
  },
  "get looks in namespaces above too": {
    caughtBy: ["get/namespace-is-matched-whole"],
    make: (now) =>
      new class extends PlainStore {
        override got(one: GetOperation) {
          return super.got(one) ??
            super.got({ ...one, namespace: one.namespace.slice(0, -1) });
        }
      }(now),
  },
  "get looks for the key anywhere when it has no namespace": {
    caughtBy: ["get/empty-namespace-is-null"],
    make: (now) =>
      new class extends PlainStore {
        override got({ namespace, key }: GetOperation) {
          const any = [...this.held.values()].find((one) => one.key === key);
          return namespace.length === 0 && any !== undefined
            ? this.itemOf(any)
            : super.got({ namespace, key });
        }
      }(now),
  },
  "times have the names of Python": {
    caughtBy: ["get/item-has-its-fields", "search/results-are-items"],
    make: (now) =>
      new class extends PlainStore {
        override itemOf(held: Held): Item {
          const { createdAt, updatedAt, ...rest } = super.itemOf(held);
          const times = { created_at: createdAt, updated_at: updatedAt };
          return { ...rest, ...times } as unknown as Item;
        }
      }(now),
  },
  "reading makes a namespace": {
    caughtBy: ["get/creates-nothing", "search/unknown-prefix-finds-nothing"],
    make: (now) =>
      new class extends PlainStore {
        #read: string[][] = [];
        override answer(one: Operation) {
          const read = "namespacePrefix" in one ? one.namespacePrefix : [];
          if (read.length > 0) this.#read.push(read);
          if ("key" in one) this.#read.push([...one.namespace]);
          return super.answer(one);
        }
        override namespaces() {
          return once([...super.namespaces(), ...this.#read]);
        }
      }(now),
  },
  "what is no object is stored": {
    caughtBy: [
      "put/refuses-a-string",
      "put/refuses-a-number",
      "put/refuses-an-array",
      "put/refuses-undefined",
    ],
    make: (now) =>
      new class extends PlainStore {
        override refuseValue() {}
        override jsonOf(value: unknown) {
          return JSON.stringify(value) ?? "{}";
        }
      }(now),
  },
  "a put answers the item": {
    caughtBy: ["put/resolves-to-undefined", "batch/writes-answer-undefined"],
    make: (now) =>
      new class extends PlainStore {
        override written() {
          return { written: true };
        }
        override async put(
          namespace: string[],
          key: string,
          value: Item["value"],
        ) {
          await super.put(namespace, key, value);
          return key as unknown as void;
        }
      }(now),
  },
  "a put merges into the value": {
    caughtBy: ["put/replaces-the-whole-value"],
    make: (now) =>
      new class extends PlainStore {
        override write(one: PutOperation) {
          const held = this.held.get(this.idOf(one.namespace, one.key));
          const before = held === undefined ? {} : JSON.parse(held.json);
          const value = one.value && { ...before, ...one.value };
          super.write({ ...one, value });
        }
      }(now),
  },
  "a deleted value comes back into the next one": {
    caughtBy: ["delete/put-again-is-new"],
    make: (now) =>
      new class extends PlainStore {
        #gone = new Map<string, Item["value"]>();
        override write(one: PutOperation) {
          const id = this.idOf(one.namespace, one.key);
          const held = this.held.get(id);
          const gone = this.#gone.get(id);
          if (one.value === null && held !== undefined) {
            this.#gone.set(id, JSON.parse(held.json));
          }
          super.write({
            ...one,
            value: one.value && { ...gone, ...one.value },
          });
        }
      }(now),
  },
  "a put goes to every namespace that has the key": {
    caughtBy: ["put/keys-are-apart"],
    make: (now) =>
      new class extends PlainStore {
        override idOf(_namespace: readonly string[], key: string) {
          return key;
        }
      }(now),
  },
  "an item without an index is not found": {
    caughtBy: ["put/index-is-accepted"],
    make: (now) =>
      new class extends PlainStore {
        #hidden = new Set<string>();
        override write(one: PutOperation) {
          if (one.index === false) {
            this.#hidden.add(this.idOf(one.namespace, one.key));
          }
          super.write(one);
        }
        override meets(held: Held, one: SearchOperation) {
          return super.meets(held, one) &&
            !this.#hidden.has(this.idOf(held.namespace, held.key));
        }
      }(now),
  },
  "an item whose time is over is not there": {
    caughtBy: ["put/other-options-are-accepted"],
    make: (now) =>
      new class extends PlainStore {
        override write(one: PutOperation) {
          if (!("ttl" in one)) super.write(one);
        }
      }(now),
  },
  "a delete takes what lies below too": {
    caughtBy: ["delete/namespace-is-matched-whole"],
    make: (now) =>
      new class extends PlainStore {
        override write(one: PutOperation) {
          super.write(one);
          if (one.value !== null) return;
          for (const [id, { namespace, key }] of this.held) {
            if (key === one.key && this.below(namespace, one.namespace)) {
              this.held.delete(id);
            }
          }
        }
      }(now),
  },
  "a delete leaves the item to searches": {
    caughtBy: ["delete/removes-the-item", "key/names-of-files"],
    make: (now) =>
      new class extends PlainStore {
        #gone: Held[] = [];
        override write(one: PutOperation) {
          const held = this.held.get(this.idOf(one.namespace, one.key));
          if (one.value === null && held !== undefined) this.#gone.push(held);
          super.write(one);
        }
        override ordered(items: Held[]) {
          return super.ordered([...items, ...this.#gone]);
        }
      }(now),
  },
  "deleting what is not there is an error": {
    caughtBy: ["delete/missing-is-no-error"],
    make: (now) =>
      new class extends PlainStore {
        override write(one: PutOperation) {
          const id = this.idOf(one.namespace, one.key);
          if (one.value === null && !this.held.has(id)) {
            throw new Error("not found");
          }
          super.write(one);
        }
      }(now),
  },
  "namespaces are listed for ever, and by deletes too": {
    caughtBy: ["delete/missing-creates-nothing", "list/emptied-vanishes"],
    make: (now) =>
      new class extends PlainStore {
        #seen: string[][] = [];
        override write(one: PutOperation) {
          this.#seen.push([...one.namespace]);
          super.write(one);
        }
        override namespaces() {
          return once(this.#seen);
        }
      }(now),
  },
  "no label is refused": {
    caughtBy: STORE_CASES.filter(({ id }) =>
      /^namespace\/(put|get|delete|search|list|list-suffix|batch|batch-\w+)-refuses/
        .test(id)
    ).map(({ id }) => id),
    make: (now) => {
      const store = new class extends PlainStore {
        override refuse() {}
      }(now);
      const open = (operation: Operation) =>
        store.batch([operation]).then(([one]) => one);
      return Object.assign(store, {
        put: (namespace: string[], key: string, value: Item["value"]) =>
          open({ namespace, key, value }),
        get: (namespace: string[], key: string) => open({ namespace, key }),
        delete: (namespace: string[], key: string) =>
          open({ namespace, key, value: null }),
        search: (namespacePrefix: string[], options: object) =>
          open({ namespacePrefix, ...options }),
        listNamespaces: (
          { prefix, suffix, ...rest }: {
            readonly prefix?: string[];
            readonly suffix?: string[];
          } = {},
        ) =>
          open({
            matchConditions: [
              { matchType: "prefix", path: prefix ?? [] },
              { matchType: "suffix", path: suffix ?? [] },
            ],
            limit: 100,
            offset: 0,
            ...rest,
          }),
      }) as unknown as BaseStore;
    },
  },
  "the reserved word is refused everywhere": {
    caughtBy: [
      "namespace/reserved-root-is-a-label-further-in",
      "namespace/batch-takes-the-reserved-root",
    ],
    make: (now) =>
      new class extends PlainStore {
        override refuseLabels(labels: readonly unknown[]) {
          super.refuseLabels(labels);
          if (labels.includes("langgraph")) throw new Error("reserved");
        }
      }(now),
  },
  "a refused namespace is any error": {
    caughtBy: ["namespace/refusal-is-an-invalid-namespace-error"],
    make: (now) =>
      new class extends PlainStore {
        override put(...args: Parameters<BaseStore["put"]>) {
          return super.put(...args).catch(({ message }) => {
            throw new Error(message);
          });
        }
      }(now),
  },
  "labels are words of ASCII": {
    caughtBy: [
      "namespace/wildcards-are-labels",
      "namespace/separators-are-labels",
      "namespace/words-of-any-script-are-labels",
    ],
    make: (now) =>
      new class extends PlainStore {
        override refuseLabels(labels: readonly unknown[]) {
          super.refuseLabels(labels);
          if (!labels.every((one) => /^[\w-]+$/.test(String(one)))) {
            throw new Error("a word of ASCII is needed");
          }
        }
      }(now),
  },
  "namespaces are names in an object": {
    caughtBy: ["namespace/names-of-the-prototype-are-labels"],
    make: (now) =>
      new class extends PlainStore {
        override refuseLabels(labels: readonly unknown[]) {
          super.refuseLabels(labels);
          if (labels.some((one) => String(one) in {})) {
            throw new Error("is there already");
          }
        }
      }(now),
  },
  "case does not matter": {
    caughtBy: [
      "namespace/case-matters",
      "key/case-matters",
      "filter/case-matters",
    ],
    make: (now) =>
      new class extends PlainStore {
        override idOf(namespace: readonly string[], key: string) {
          return super.idOf(namespace, key).toLowerCase();
        }
        override same(value: unknown, than: unknown) {
          return typeof value === "string" && typeof than === "string"
            ? value.toLowerCase() === than.toLowerCase()
            : super.same(value, than);
        }
      }(now),
  },
  "text is composed": {
    caughtBy: [
      "namespace/forms-of-unicode-stay-apart",
      "key/forms-of-unicode-stay-apart",
      "value/texts",
    ],
    make: (now) =>
      new class extends PlainStore {
        override idOf(namespace: readonly string[], key: string) {
          return super.idOf(namespace, key).normalize("NFC");
        }
        override jsonOf(value: Item["value"]) {
          return super.jsonOf(value).normalize("NFC");
        }
      }(now),
  },
  "labels have no order": {
    caughtBy: ["namespace/order-of-labels-matters"],
    make: (now) =>
      new class extends PlainStore {
        override idOf(namespace: readonly string[], key: string) {
          return super.idOf([...namespace].sort(), key);
        }
      }(now),
  },
  "a prefix is a pattern of LIKE": {
    caughtBy: [
      "namespace/wildcards-match-nobody-else",
      "search/wildcards-are-literal",
      "search/prefix-is-by-label",
    ],
    make: (now) =>
      new class extends PlainStore {
        override below(
          namespace: readonly string[],
          prefix: readonly string[],
        ) {
          const pattern = prefix.join(":").replace(
            /[.*+?^${}()|[\]\\]/g,
            "\\$&",
          )
            .replaceAll("%", ".*").replaceAll("_", ".");
          return new RegExp(`^${pattern}`).test(namespace.join(":"));
        }
      }(now),
  },
  "labels are joined by an underscore": {
    caughtBy: ["namespace/joined-labels-stay-apart", "key/no-two-pairs-meet"],
    make: (now) =>
      new class extends PlainStore {
        override idOf(namespace: readonly string[], key: string) {
          return [...namespace, key].join("_");
        }
      }(now),
  },
  "namespaces are ten labels deep": {
    caughtBy: ["namespace/labels-can-be-many"],
    make: (now) =>
      new class extends PlainStore {
        override refuseLabels(labels: readonly unknown[]) {
          super.refuseLabels(labels);
          if (labels.length > 10) throw new RangeError("too deep");
        }
      }(now),
  },
  "keys are names of files": {
    caughtBy: [
      "key/names-of-files",
      "key/empty",
      "key/separators",
      "key/wildcards",
      "key/nul",
      "key/long",
    ],
    make: (now) =>
      new class extends PlainStore {
        override refuse(one: Operation) {
          super.refuse(one);
          if ("key" in one && !/^[^/\\:*?\0%|#]{1,100}$/.test(one.key)) {
            throw new Error("no name of a file");
          }
        }
      }(now),
  },
  "keys are words of ASCII, in an object": {
    caughtBy: [
      "key/any-script",
      "key/names-of-the-prototype",
      "key/words-of-operations",
    ],
    make: (now) =>
      new class extends PlainStore {
        override refuse(one: Operation) {
          super.refuse(one);
          if ("key" in one && !/^[ -~]*$/.test(one.key)) {
            throw new Error("no ASCII");
          }
          if ("key" in one && (one.key in {} || one.key in one)) {
            throw new Error("is there already");
          }
        }
      }(now),
  },
  "ids are joined by a colon": {
    caughtBy: [
      "key/pairs-that-join-alike-in-one-batch",
      "key/no-two-pairs-meet",
    ],
    make: (now) =>
      new class extends PlainStore {
        override idOf(namespace: readonly string[], key: string) {
          return [...namespace, key].join(":");
        }
      }(now),
  },
  "keys are what String makes of them": {
    caughtBy: ["key/refuses-a-number", "key/lone-surrogates-never-meet"],
    make: (now) =>
      new class extends PlainStore {
        override refuse(one: Operation) {
          super.refuse(
            "key" in one
              ? { ...one, key: String(one.key).toWellFormed() }
              : one,
          );
        }
        override idOf(namespace: readonly string[], key: string) {
          return super.idOf(namespace, String(key).toWellFormed());
        }
      }(now),
  },
  "what JSON cannot hold is changed in silence": {
    caughtBy: [
      ...["nan", "infinity", "map", "set", "function", "symbol"].map((what) =>
        `value/refuses-${what}`
      ),
      "value/refuses-undefined-in-a-list",
    ],
    make: (now) =>
      new class extends PlainStore {
        override refuseValue() {}
        override jsonOf(value: unknown) {
          return JSON.stringify(value);
        }
      }(now),
  },
  "bigints and cycles become text": {
    caughtBy: [
      "value/refuses-bigint",
      "value/refuses-cycle",
      "batch/a-bad-value-writes-nothing",
    ],
    make: (now) =>
      new class extends PlainStore {
        override refuseValue() {}
        override jsonOf(value: unknown) {
          const above: unknown[] = [];
          return JSON.stringify(value, (_, one) => {
            if (typeof one === "object" && above.includes(one)) return "cycle";
            above.push(one);
            return typeof one === "bigint" ? `${one}` : one;
          });
        }
      }(now),
  },
  "objects that are not plain are refused": {
    caughtBy: ["value/date-as-iso-text", "value/to-json"],
    make: (now) =>
      new class extends PlainStore {
        override refuseValue(value: unknown) {
          super.refuseValue(value);
          const isOdd = (one: unknown): boolean =>
            typeof one === "object" && one !== null &&
            ("toJSON" in one || Object.values(one).some(isOdd));
          if (isOdd(value)) throw new TypeError("not plain");
        }
      }(now),
  },
  "fields that are undefined become null": {
    caughtBy: ["value/undefined-field-is-dropped"],
    make: (now) =>
      new class extends PlainStore {
        override jsonOf(value: Item["value"]) {
          return JSON.stringify(value, (_, one) => one ?? null);
        }
      }(now),
  },
  "values are flat": {
    caughtBy: ["value/json"],
    make: (now) =>
      new class extends PlainStore {
        override jsonOf(value: Item["value"]) {
          const flat = Object.entries(JSON.parse(super.jsonOf(value)))
            .map((
              [name, one],
            ) => [name, one instanceof Object ? `${one}` : one]);
          return JSON.stringify(Object.fromEntries(flat));
        }
      }(now),
  },
  "numbers are of four bytes": {
    caughtBy: ["value/numbers"],
    make: (now) =>
      new class extends PlainStore {
        override jsonOf(value: Item["value"]) {
          return JSON.stringify(
            value,
            (_, one) => typeof one === "number" ? Math.fround(one) : one,
          );
        }
      }(now),
  },
  "text ends at NUL, and 64 kB are enough": {
    caughtBy: ["value/text-with-nul", "value/texts", "value/lone-surrogate"],
    make: (now) =>
      new class extends PlainStore {
        override jsonOf(value: Item["value"]) {
          return JSON.stringify(value, (_, one) =>
            typeof one === "string"
              ? one.split("\0")[0]?.slice(0, 65_536).toWellFormed()
              : one);
        }
      }(now),
  },
  "a thousand fields, of common names": {
    caughtBy: ["value/many-fields", "value/names-of-fields", "value/own-proto"],
    make: (now) =>
      new class extends PlainStore {
        override itemOf(held: Held): Item {
          const item = super.itemOf(held);
          const value: Item["value"] = {};
          for (
            const [name, one] of Object.entries(item.value).slice(0, 1_000)
          ) {
            if (name === "__proto__") Object.setPrototypeOf(value, one);
            else if (name !== "") value[name] = one;
          }
          return { ...item, value };
        }
      }(now),
  },
  "values come back without a prototype": {
    caughtBy: ["value/plain-objects"],
    make: (now) =>
      new class extends PlainStore {
        override itemOf(held: Held): Item {
          const item = super.itemOf(held);
          return {
            ...item,
            value: Object.assign(Object.create(null), item.value),
          };
        }
      }(now),
  },
  "the values that are put are held": {
    caughtBy: ["copy/what-was-put"],
    make: (now) =>
      new class extends PlainStore {
        #given = new Map<string, Item["value"] | null>();
        override write(one: PutOperation) {
          super.write(one);
          this.#given.set(this.idOf(one.namespace, one.key), one.value);
        }
        override itemOf(held: Held): Item {
          const given = this.#given.get(this.idOf(held.namespace, held.key));
          return { ...super.itemOf(held), value: structuredClone(given ?? {}) };
        }
      }(now),
  },
  "the value is taken late": {
    caughtBy: ["copy/what-is-being-put"],
    make: (now) =>
      new class extends PlainStore {
        override async batch<Op extends Operation[]>(operations: Op) {
          await Promise.resolve();
          return await super.batch(operations);
        }
      }(now),
  },
  "the items that are held are handed out": {
    caughtBy: [
      "copy/what-was-got",
      "copy/what-was-found",
      "copy/two-reads-share-nothing",
      "copy/an-item-that-is-held",
      "copy/namespaces",
      "copy/dates",
    ],
    make: (now) =>
      new class extends PlainStore {
        #out = new Map<string, Item>();
        override itemOf(held: Held): Item {
          const id = this.idOf(held.namespace, held.key);
          const item = this.#out.get(id) ?? super.itemOf(held);
          this.#out.set(id, item);
          return item;
        }
        override write(one: PutOperation) {
          super.write(one);
          const id = this.idOf(one.namespace, one.key);
          const [held, out] = [this.held.get(id), this.#out.get(id)];
          if (held === undefined) this.#out.delete(id);
          else if (out !== undefined) Object.assign(out, super.itemOf(held));
        }
      }(now),
  },
  "the operations are used up": {
    caughtBy: ["copy/operations"],
    make: (now) =>
      new class extends PlainStore {
        override async batch<Op extends Operation[]>(operations: Op) {
          const results = await super.batch(operations);
          operations.length = 0;
          return results;
        }
      }(now),
  },
  "an operation that is not known is left out of the results": {
    caughtBy: [
      "batch/refuses-an-unknown-operation",
      "batch/list-without-conditions",
    ],
    make: (now) =>
      new class extends PlainStore {
        override async batch<Op extends Operation[]>(operations: Op) {
          const known = operations.filter((one) =>
            "key" in one || "namespacePrefix" in one || "matchConditions" in one
          );
          const results: unknown = await super.batch(known);
          return results as OperationResults<Op>;
        }
      }(now),
  },
  "writes have no place in the results": {
    caughtBy: [
      "batch/results-stand-by-position",
      "batch/writes-answer-undefined",
    ],
    make: (now) =>
      new class extends PlainStore {
        override async batch<Op extends Operation[]>(operations: Op) {
          const results: unknown[] = await super.batch(operations);
          const reads = operations.map((one) => !("value" in one));
          const left = results.filter((_, i) => reads[i]);
          return left as OperationResults<Op>;
        }
      }(now),
  },
  "a batch of nothing is refused": {
    caughtBy: ["batch/empty"],
    make: (now) =>
      new class extends PlainStore {
        override async batch<Op extends Operation[]>(operations: Op) {
          if (operations.length === 0) throw new RangeError("nothing to do");
          return await super.batch(operations);
        }
      }(now),
  },
  "the methods and batch answer differently": {
    caughtBy: [
      "batch/get-is-as-the-method",
      "batch/search-is-as-the-method",
      "batch/list-is-as-the-method",
      "batch/search-limit-is-ten",
    ],
    make: (now) =>
      new class extends PlainStore {
        override async get(namespace: string[], key: string) {
          const item = await super.get(namespace, key);
          return item && { ...item, found: true };
        }
        override async search(...args: Parameters<BaseStore["search"]>) {
          return (await super.search(...args)).reverse();
        }
        override async listNamespaces(
          ...args: Parameters<BaseStore["listNamespaces"]>
        ) {
          return (await super.listNamespaces(...args)).reverse();
        }
        override page<T>(
          all: T[],
          { limit = 100, offset }: { limit?: number; offset?: number },
        ) {
          return super.page(all, { limit, ...(offset ? { offset } : {}) });
        }
      }(now),
  },
  "operations run one after the other": {
    caughtBy: [
      "batch/get-sees-the-state-before",
      "batch/search-sees-the-state-before",
      "batch/list-sees-the-state-before",
      "batch/a-bad-namespace-writes-nothing",
      "batch/a-bad-value-writes-nothing",
    ],
    make: (now) =>
      new class extends PlainStore {
        override async batch<Op extends Operation[]>(operations: Op) {
          const results: unknown[] = [];
          for (const one of operations) {
            results.push(...await super.batch([one]) as unknown[]);
          }
          return results as OperationResults<Op>;
        }
      }(now),
  },
  "the first put of a key counts": {
    caughtBy: ["batch/last-put-wins", "batch/put-then-delete"],
    make: (now) =>
      new class extends PlainStore {
        override lastOfEach(puts: readonly PutOperation[]) {
          return super.lastOfEach([...puts].reverse());
        }
      }(now),
  },
  "deletes come last": {
    caughtBy: ["batch/delete-then-put"],
    make: (now) =>
      new class extends PlainStore {
        override lastOfEach(puts: readonly PutOperation[]) {
          const deletes = puts.filter(({ value }) => value === null);
          const rest = puts.filter(({ value }) => value !== null);
          return super.lastOfEach([...rest, ...deletes]);
        }
      }(now),
  },
  "a batch is cut off after a thousand": {
    caughtBy: ["batch/three-thousand-puts"],
    make: (now) =>
      new class extends PlainStore {
        override lastOfEach(puts: readonly PutOperation[]) {
          return super.lastOfEach(puts).slice(0, 1_000);
        }
      }(now),
  },
  "everything is read, changed and written back": {
    caughtBy: [
      "concurrency/no-put-is-lost",
      "concurrency/puts-and-deletes",
    ],
    make: (now) =>
      new class extends PlainStore {
        override async batch<Op extends Operation[]>(operations: Op) {
          const before = new Map(this.held);
          await Promise.resolve();
          if (operations.some((one) => "value" in one)) this.held = before;
          return await super.batch(operations);
        }
      }(now),
  },
  "two puts at once make two items": {
    caughtBy: ["concurrency/two-puts-of-one-key"],
    make: (now) =>
      new class extends PlainStore {
        #doubled: Held[] = [];
        override async batch<Op extends Operation[]>(operations: Op) {
          const had = new Set(this.held.keys());
          await Promise.resolve();
          for (const one of operations) {
            if (!("value" in one)) continue;
            const id = this.idOf(one.namespace, one.key);
            const held = this.held.get(id);
            if (held && !had.has(id)) this.#doubled.push(held);
          }
          return await super.batch(operations);
        }
        override ordered(items: Held[]) {
          return super.ordered([...items, ...this.#doubled]);
        }
      }(now),
  },
  "a batch is written bit by bit": {
    caughtBy: ["concurrency/reads-see-whole-batches"],
    make: (now) =>
      new class extends PlainStore {
        override async batch<Op extends Operation[]>(operations: Op) {
          const results = operations.map((one) => this.answer(one));
          for (const one of operations) {
            if ("value" in one) this.write(one);
            await Promise.resolve();
          }
          return results as OperationResults<Op>;
        }
      }(now),
  },
  "a prefix is compared as text": {
    caughtBy: ["search/prefix-is-by-label"],
    make: (now) =>
      new class extends PlainStore {
        override below(
          namespace: readonly string[],
          prefix: readonly string[],
        ) {
          return namespace.join(":").startsWith(prefix.join(":"));
        }
      }(now),
  },
  "a prefix needs a border, even the empty one": {
    caughtBy: ["search/empty-prefix-finds-all"],
    make: (now) =>
      new class extends PlainStore {
        override below(
          namespace: readonly string[],
          prefix: readonly string[],
        ) {
          return `${namespace.join(":")}:`.startsWith(`${prefix.join(":")}:`);
        }
      }(now),
  },
  "every result has a score": {
    caughtBy: ["search/no-score-without-ranking"],
    make: (now) =>
      new class extends PlainStore {
        override resultOf(held: Held): SearchItem {
          return { ...super.resultOf(held), score: 0 };
        }
      }(now),
  },
  "the limit is not kept": {
    caughtBy: [
      "page/limit-is-ten",
      "page/limit-is-kept",
      "page/limit-zero-is-nothing",
      "page/null-is-no-limit-given",
      "list/limit-is-a-hundred",
      "list/limit-zero-is-nothing",
      "list/pages-cover-all-once",
    ],
    make: (now) =>
      new class extends PlainStore {
        override page<T>(all: T[], { offset }: { offset?: number }) {
          return all.slice(offset ?? 0);
        }
      }(now),
  },
  "the offset is not kept": {
    caughtBy: [
      "page/offset-skips",
      "page/offset-past-the-end",
      "page/pages-cover-all-once",
      "list/pages-cover-all-once",
    ],
    make: (now) =>
      new class extends PlainStore {
        override page<T>(all: T[], { limit }: { limit?: number }) {
          return all.slice(0, limit ?? 10);
        }
      }(now),
  },
  "pages are cut before the filter": {
    caughtBy: ["page/limit-counts-what-the-filter-left"],
    make: (now) =>
      new class extends PlainStore {
        override found(one: SearchOperation) {
          const items = this.ordered([...this.held.values()]).filter((held) =>
            this.below(held.namespace, one.namespacePrefix)
          );
          return this.page(items, one).filter((held) => this.meets(held, one))
            .map((held) => this.resultOf(held));
        }
      }(now),
  },
  "no number is refused": {
    caughtBy: [
      "page/refuses-a-negative-limit",
      "page/refuses-a-negative-offset",
      "page/refuses-a-limit-that-is-no-integer",
      "list/refuses-limits-below-zero",
      "list/refuses-depth-below-one",
      "list/refuses-an-unknown-condition",
    ],
    make: (now) =>
      new class extends PlainStore {
        override refuseNumber() {}
        override refuseList() {}
      }(now),
  },
  "items stand by their keys": {
    caughtBy: ["order/items-stand-as-created", "order/created-again-is-last"],
    make: (now) =>
      new class extends PlainStore {
        override ordered(items: Held[]) {
          return items.sort((a, b) => a.key < b.key ? -1 : 1);
        }
      }(now),
  },
  "the newest stand first": {
    caughtBy: [
      "order/an-update-keeps-its-place",
      "page/an-update-between-pages",
    ],
    make: (now) =>
      new class extends PlainStore {
        override ordered(items: Held[]) {
          return items.sort((a, b) => b.updatedMs - a.updatedMs);
        }
      }(now),
  },
  "items stand by namespace": {
    caughtBy: ["order/namespaces-do-not-matter"],
    make: (now) =>
      new class extends PlainStore {
        override ordered(items: Held[]) {
          const ordered = super.ordered(items);
          const all = once(ordered.map(({ namespace }) => [...namespace]));
          return all.flatMap((one) =>
            ordered.filter(({ namespace }) => `${namespace}` === `${one}`)
          );
        }
      }(now),
  },
  "the order turns with every search": {
    caughtBy: ["order/the-same-every-time"],
    make: (now) =>
      new class extends PlainStore {
        #searches = 0;
        override ordered(items: Held[]) {
          const ordered = super.ordered(items);
          return this.#searches++ % 2 === 0 ? ordered : ordered.reverse();
        }
      }(now),
  },
  "values are compared as texts": {
    caughtBy: [
      "filter/text-and-number-differ",
      "filter/null-is-a-value",
      "filter/lists-by-content",
      "operator/text-and-number-differ",
    ],
    make: (now) =>
      new class extends PlainStore {
        override same(value: unknown, than: unknown) {
          return value !== undefined && String(value) === String(than);
        }
      }(now),
  },
  "values are compared by reference": {
    caughtBy: [
      "filter/empty-object",
      "filter/empty-list",
      "filter/lists-by-content",
      "filter/objects-by-content",
      "filter/fields-with-signs",
      "operator/eq-of-objects",
      "operator/in-of-objects",
    ],
    make: (now) =>
      new class extends PlainStore {
        override same(value: unknown, than: unknown) {
          return value === than;
        }
      }(now),
  },
  "a part of an object is enough": {
    caughtBy: ["filter/objects-are-equal-whole"],
    make: (now) =>
      new class extends PlainStore {
        override same(value: unknown, than: unknown): boolean {
          const isPart = super.same(value, than);
          if (isPart || !(value instanceof Object && than instanceof Object)) {
            return isPart;
          }
          const fields = new Map(Object.entries(value));
          return Object.entries(than).every(([name, one]) =>
            this.same(fields.get(name), one)
          );
        }
      }(now),
  },
  "only the first field counts": {
    caughtBy: ["filter/fields-are-all-met", "operator/beside-plain-fields"],
    make: (now) =>
      new class extends PlainStore {
        override meets(held: Held, one: SearchOperation) {
          const [first] = Object.entries(one.filter ?? {});
          const filter = first && Object.fromEntries([first]);
          return super.meets(held, { ...one, ...(filter && { filter }) });
        }
      }(now),
  },
  "only the last operator counts": {
    caughtBy: ["operator/all-operators-are-met"],
    make: (now) =>
      new class extends PlainStore {
        override meets(held: Held, one: SearchOperation) {
          const filter = Object.fromEntries(
            Object.entries(one.filter ?? {}).map(([name, condition]) => {
              const last = Object.entries(condition ?? {}).at(-1);
              const operator = last?.[0].startsWith("$")
                ? Object.fromEntries([last])
                : condition;
              return [name, operator];
            }),
          );
          return super.meets(held, { ...one, filter });
        }
      }(now),
  },
  "an empty filter finds nothing": {
    caughtBy: ["filter/empty-finds-all"],
    make: (now) =>
      new class extends PlainStore {
        override meets(held: Held, one: SearchOperation) {
          return super.meets(held, one) &&
            (one.filter === undefined || Object.keys(one.filter).length > 0);
        }
      }(now),
  },
  "undefined is no condition": {
    caughtBy: ["filter/undefined-is-missing"],
    make: (now) =>
      new class extends PlainStore {
        override meets(held: Held, one: SearchOperation) {
          const given = Object.entries(one.filter ?? {})
            .filter(([, than]) => than !== undefined);
          return super.meets(held, {
            ...one,
            filter: Object.fromEntries(given),
          });
        }
      }(now),
  },
  "a period is a path": {
    caughtBy: ["filter/a-period-is-no-path"],
    make: (now) =>
      new class extends PlainStore {
        override meets(held: Held, { filter, ...rest }: SearchOperation) {
          const fields = JSON.parse(held.json);
          return super.meets(held, rest) &&
            Object.entries(filter ?? {}).every(([path, than]) => {
              if (!path.includes(".")) {
                return super.meets(held, { ...rest, filter: { [path]: than } });
              }
              const value = path.split(".").reduce(
                (one, name) => one?.[name],
                fields,
              );
              return this.same(value, than);
            });
        }
      }(now),
  },
  "fields are read with what they inherit": {
    caughtBy: ["filter/inherited-values"],
    make: (now) =>
      new class extends PlainStore {
        override meets(held: Held, one: SearchOperation) {
          const fields = JSON.parse(held.json);
          return super.meets(held, { ...one, filter: {} }) &&
            Object.entries(one.filter ?? {}).every(([name, than]) =>
              fields[name] === than ||
              super.meets(held, { ...one, filter: { [name]: than } })
            );
        }
      }(now),
  },
  "names that objects inherit are no fields": {
    caughtBy: ["filter/inherited-names"],
    make: (now) =>
      new class extends PlainStore {
        override meets(held: Held, one: SearchOperation) {
          return super.meets(held, one) &&
            Object.keys(one.filter ?? {}).every((name) => !(name in {}));
        }
      }(now),
  },
  "a filter of fields finds nothing": {
    caughtBy: [
      "filter/by-text-number-boolean",
      "operator/eq",
      "operator/in",
      "operator/in-of-nothing",
    ],
    make: (now) =>
      new class extends PlainStore {
        override same() {
          return false;
        }
      }(now),
  },
  "what is missing differs from nothing": {
    caughtBy: ["operator/ne-finds-missing", "operator/nin-finds-missing"],
    make: (now) =>
      new class extends PlainStore {
        override operator(name: string, value: unknown, than: unknown) {
          return value !== undefined && super.operator(name, value, than);
        }
      }(now),
  },
  "not equal is equal": {
    caughtBy: ["operator/ne", "operator/nin"],
    make: (now) =>
      new class extends PlainStore {
        override operator(name: string, value: unknown, than: unknown) {
          return super.operator(name.replace("$n", "$"), value, than);
        }
      }(now),
  },
  "an empty list is no condition": {
    caughtBy: ["operator/in-of-nothing"],
    make: (now) =>
      new class extends PlainStore {
        override operator(name: string, value: unknown, than: unknown) {
          const isEmpty = Array.isArray(than) && than.length === 0;
          return isEmpty || super.operator(name, value, than);
        }
      }(now),
  },
  "the borders of ranges are turned": {
    caughtBy: ["operator/gt", "operator/gte", "operator/lt", "operator/lte"],
    make: (now) =>
      new class extends PlainStore {
        override operator(name: string, value: unknown, than: unknown) {
          const turned = name.endsWith("e") ? name.slice(0, -1) : `${name}e`;
          return /^\$[gl]te?$/.test(name)
            ? super.operator(turned, value, than)
            : super.operator(name, value, than);
        }
      }(now),
  },
  "ranges compare what Number makes of values": {
    caughtBy: [
      "operator/ranges-skip-what-is-no-number",
      "operator/ranges-of-texts",
      "operator/ranges-never-mix",
    ],
    make: (now) =>
      new class extends PlainStore {
        override compared(value: unknown, than: unknown) {
          const difference = Number(value) - Number(than);
          return Number.isNaN(difference) ? undefined : difference;
        }
      }(now),
  },
  "ranges compare texts": {
    caughtBy: ["operator/gte", "operator/ranges-of-texts-by-code-point"],
    make: (now) =>
      new class extends PlainStore {
        override compared(value: unknown, than: unknown) {
          return String(value) < String(than) ? -1 : value === than ? 0 : 1;
        }
      }(now),
  },
  "unknown operators are left out": {
    caughtBy: [
      "operator/refuses-an-unknown-operator",
      "operator/refuses-operators-above-fields",
      "operator/refuses-a-mixture",
    ],
    make: (now) =>
      new class extends PlainStore {
        override refuse(one: Operation) {
          if (!("namespacePrefix" in one)) super.refuse(one);
        }
        override meets(held: Held, one: SearchOperation) {
          const known = Object.entries(one.filter ?? {})
            .filter(([name]) => !name.startsWith("$"));
          return super.meets(held, {
            ...one,
            filter: Object.fromEntries(known),
          });
        }
        override operator(name: string, value: unknown, than: unknown) {
          return !/^\$([gl]te?|eq|ne|n?in)$/.test(name) ||
            super.operator(name, value, than);
        }
      }(now),
  },
  "a query is not looked at": {
    caughtBy: STORE_CASES.filter(({ topic, id }) =>
      topic === "query" && id !== "query/empty-finds-all"
    ).map(({ id }) => id),
    make: (now) =>
      new class extends PlainStore {
        override mentions() {
          return true;
        }
      }(now),
  },
  "a query is looked for in the JSON text": {
    caughtBy: ["query/quotes-and-lines", "query/no-signs-of-json"],
    make: (now) =>
      new class extends PlainStore {
        override mentions({ key, json }: Held, query: string) {
          return `${key} ${json}`.toLowerCase().includes(query.toLowerCase());
        }
      }(now),
  },
  "a query is a pattern, letter by letter": {
    caughtBy: ["query/ignores-case", "query/no-patterns"],
    make: (now) =>
      new class extends PlainStore {
        override mentions({ key, json }: Held, query: string) {
          const pattern = new RegExp(query.replaceAll("%", ".*"));
          return [key, ...textsOf(JSON.parse(json))].some((text) =>
            pattern.test(text)
          );
        }
      }(now),
  },
  "a query looks at texts on top alone": {
    caughtBy: [
      "query/finds-deep-texts",
      "query/finds-names-of-fields",
      "query/finds-the-key",
    ],
    make: (now) =>
      new class extends PlainStore {
        override mentions({ json }: Held, query: string) {
          return Object.values(JSON.parse(json)).some((one) =>
            String(one).toLowerCase().includes(query.toLowerCase())
          );
        }
      }(now),
  },
  "an empty query finds nothing": {
    caughtBy: ["query/empty-finds-all"],
    make: (now) =>
      new class extends PlainStore {
        override meets(held: Held, one: SearchOperation) {
          return one.query !== "" && super.meets(held, one);
        }
      }(now),
  },
  "parents are listed too": {
    caughtBy: ["list/each-once"],
    make: (now) =>
      new class extends PlainStore {
        override namespaces() {
          return once(
            super.namespaces().flatMap((one) =>
              one.map((_, i) => one.slice(0, i + 1))
            ),
          );
        }
      }(now),
  },
  "an empty store has one namespace, of no name": {
    caughtBy: ["list/none"],
    make: (now) =>
      new class extends PlainStore {
        override namespaces() {
          return this.held.size === 0 ? [[""]] : super.namespaces();
        }
      }(now),
  },
  "conditions compare text": {
    caughtBy: [
      "list/prefix-is-by-label",
      "list/suffix-is-by-label",
      "list/wildcard-is-one-label",
      "list/wildcard-as-a-label",
    ],
    make: (now) =>
      new class extends PlainStore {
        override fits(
          namespace: string[],
          { matchType, path }: MatchCondition,
        ) {
          const [text, part] = [namespace.join(":"), path.join(":")];
          return matchType === "prefix"
            ? text.startsWith(part)
            : text.endsWith(part);
        }
      }(now),
  },
  "conditions are patterns": {
    caughtBy: [
      "list/other-signs-are-literal",
      "list/wildcard-is-one-label",
      "list/longer-than-the-namespace",
    ],
    make: (now) =>
      new class extends PlainStore {
        override fits(
          namespace: string[],
          { matchType, path }: MatchCondition,
        ) {
          const pattern = path.join(":").replaceAll(/[*%]/g, ".*")
            .replaceAll(/[?_]/g, ".");
          const whole = matchType === "prefix"
            ? `^${pattern}(:.*)?$`
            : `^(.*:)?${pattern}$`;
          return new RegExp(whole).test(namespace.join(":")) ||
            path.length > namespace.length;
        }
      }(now),
  },
  "one condition is enough": {
    caughtBy: ["list/both-conditions-are-met"],
    make: (now) =>
      new class extends PlainStore {
        override listed(one: ListNamespacesOperation) {
          const conditions = one.matchConditions?.slice(0, 1);
          return super.listed({
            ...one,
            ...(conditions && { matchConditions: conditions }),
          });
        }
      }(now),
  },
  "an empty condition lists nothing": {
    caughtBy: ["list/empty-conditions-list-all"],
    make: (now) =>
      new class extends PlainStore {
        override fits(namespace: string[], one: MatchCondition) {
          return one.path.length > 0 && super.fits(namespace, one);
        }
      }(now),
  },
  "maxDepth leaves deeper ones out": {
    caughtBy: ["list/max-depth-cuts", "list/conditions-before-depth"],
    make: (now) =>
      new class extends PlainStore {
        override cut(namespaces: string[][], maxDepth = Infinity) {
          return namespaces.filter(({ length }) => length <= maxDepth);
        }
      }(now),
  },
  "conditions look at what maxDepth left": {
    caughtBy: ["list/conditions-before-depth"],
    make: (now) =>
      new class extends PlainStore {
        #depth: number | undefined;
        override listed(one: ListNamespacesOperation) {
          this.#depth = one.maxDepth;
          return super.listed(one);
        }
        override namespaces() {
          return once(
            super.namespaces().map((one) => one.slice(0, this.#depth)),
          );
        }
      }(now),
  },
  "maxDepth cuts the page": {
    caughtBy: ["list/limit-after-depth"],
    make: (now) =>
      new class extends PlainStore {
        override listed({ maxDepth, ...rest }: ListNamespacesOperation) {
          const page = super.listed(rest);
          return Array.isArray(page) ? this.cut(page, maxDepth) : page;
        }
      }(now),
  },
  "namespaces stand by a locale": {
    caughtBy: ["list/order-is-of-bytes"],
    make: (now) =>
      new class extends PlainStore {
        override listed(one: ListNamespacesOperation) {
          const all = this.namespaces().filter((namespace) =>
            (one.matchConditions ?? []).every((each) =>
              this.fits(namespace, each)
            )
          );
          const cut = this.cut(all, one.maxDepth).sort((a, b) =>
            a.join(":").localeCompare(b.join(":"))
          );
          return this.page(cut, one);
        }
      }(now),
  },
  "namespaces stand by their joined labels": {
    caughtBy: ["list/order-is-label-by-label"],
    make: (now) =>
      new class extends PlainStore {
        override cut(namespaces: string[][], maxDepth: number | undefined) {
          const cut = super.cut(namespaces, maxDepth);
          const joined = cut.map((one) => one.join(":")).sort();
          return Object.assign(joined.map((one) => one.split(":")), {
            sort() {
              return this;
            },
          });
        }
      }(now),
  },
  "an update is a new item": {
    caughtBy: [
      "time/update-keeps-created",
      "order/an-update-keeps-its-place",
    ],
    make: (now) =>
      new class extends PlainStore {
        override write(one: PutOperation) {
          this.held.delete(this.idOf(one.namespace, one.key));
          super.write(one);
        }
      }(now),
  },
  "updatedAt stays": {
    caughtBy: ["time/update-moves-updated"],
    make: (now) =>
      new class extends PlainStore {
        override itemOf(held: Held): Item {
          const item = super.itemOf(held);
          return { ...item, updatedAt: new Date(item.createdAt) };
        }
      }(now),
  },
  "times are those of the store": {
    caughtBy: ["time/other-items-keep-theirs", "time/update-keeps-created"],
    make: (now) =>
      new class extends PlainStore {
        #lastMs = 0;
        override write(one: PutOperation) {
          this.#lastMs = this.now();
          super.write(one);
        }
        override itemOf(held: Held): Item {
          const [createdAt, updatedAt] = [this.#lastMs, this.#lastMs]
            .map((ms) => new Date(ms));
          return {
            ...super.itemOf(held),
            createdAt: createdAt!,
            updatedAt: updatedAt!,
          };
        }
      }(now),
  },
  "a read is a use": {
    caughtBy: ["time/a-read-changes-neither"],
    make: (now) =>
      new class extends PlainStore {
        override itemOf(held: Held): Item {
          const id = this.idOf(held.namespace, held.key);
          this.held.set(id, { ...held, updatedMs: this.now() });
          return super.itemOf(held);
        }
      }(now),
  },
  "createdAt outlives a delete": {
    caughtBy: ["time/created-again-is-new"],
    make: (now) =>
      new class extends PlainStore {
        #born = new Map<string, number>();
        override write(one: PutOperation) {
          super.write(one);
          const id = this.idOf(one.namespace, one.key);
          const held = this.held.get(id);
          if (held === undefined) return;
          const createdMs = this.#born.get(id) ?? held.createdMs;
          this.#born.set(id, createdMs);
          this.held.set(id, { ...held, createdMs });
        }
      }(now),
  },
  "createdAt is a moment later": {
    caughtBy: ["time/both-begin-together", "time/created-is-never-later"],
    make: (now) =>
      new class extends PlainStore {
        override itemOf(held: Held): Item {
          const createdAt = new Date(held.createdMs + 1);
          return { ...super.itemOf(held), createdAt };
        }
      }(now),
  },
};

/** A store on a clock of its own. */
function subjectOf(make: Fault["make"]): Subject {
  let nowMs = 1_000;
  return {
    store: make(() => nowMs),
    tick: () => Promise.resolve(++nowMs > 0),
  };
}

Deno.test("STORE_CASES: a plain store keeps them all", async () => {
  for (const one of STORE_CASES) {
    await one.run(subjectOf((now) => new PlainStore(now)));
  }
});

Deno.test("STORE_CASES: each planted fault is caught, and each rule catches one", async () => {
  const missed: string[] = [];
  const idle = new Map(STORE_CASES.map((one) => [one.id, one]));
  for (const [what, { caughtBy, make }] of Object.entries(FAULTS)) {
    assert.ok(caughtBy.length > 0);
    for (const id of caughtBy) {
      const rule = STORE_CASES.find((one) => one.id === id);
      assert.ok(rule, `${id} is the id of a rule`);
      const kept = await rule.run(subjectOf(make)).then(
        () => true,
        () => false,
      );
      if (kept) missed.push(`${id} does not catch: ${what}`);
      idle.delete(id);
    }
  }
  assert.deepEqual(missed, []);
  assert.deepEqual([...idle.keys()], []);
  assert.ok(Object.keys(FAULTS).length > 90);
});
