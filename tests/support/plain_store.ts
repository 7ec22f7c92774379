/**
 * A store for LangGraph on one Map, as plain as its contract. Each part that can be got wrong is a
 * method, so that a test can get one of them wrong.
 *
 * @module
 */

import {
  BaseStore,
  type GetOperation,
  InvalidNamespaceError,
  type Item,
  type ListNamespacesOperation,
  type MatchCondition,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
} from "@langchain/langgraph-checkpoint";
import { compareTexts, jsonTextOf } from "./json_value.ts";

/** What is held of an item. */
export interface Held {
  readonly namespace: readonly string[];
  readonly key: string;
  readonly json: string;
  readonly createdMs: number;
  readonly updatedMs: number;
  /** Counts batches: which of them created it. */
  readonly born: number;
}

/** The store. */
export class PlainStore extends BaseStore {
  /** The items, by id. */
  protected held: Map<string, Held> = new Map();
  /** Batches so far that changed something. */
  changes = 0;
  /** Batches so far. */
  protected batches = 0;
  /** The clock. */
  protected readonly now: () => number;

  /** Takes its clock, in milliseconds. */
  constructor(now: () => number) {
    super();
    this.now = now;
  }

  // deno-lint-ignore require-await -- nothing is awaited: a batch is one step
  override async batch<Op extends Operation[]>(
    operations: Op,
  ): Promise<OperationResults<Op>> {
    for (const one of operations) this.refuse(one);
    const results = operations.map((one) => this.answer(one));
    this.writeAll(operations.filter((one) => "value" in one));
    return results as OperationResults<Op>;
  }

  /** Throws for an operation that cannot be carried out. */
  refuse(one: Operation): void {
    if ("namespacePrefix" in one) {
      this.refuseLabels(one.namespacePrefix);
      this.refuseNumber("limit", one.limit);
      this.refuseNumber("offset", one.offset);
      for (const [field, condition] of Object.entries(one.filter ?? {})) {
        if (field.startsWith("$")) throw new TypeError(`no operator ${field}`);
        if (isOperators(condition)) this.refuseOperators(condition);
      }
    } else if ("key" in one) {
      if (one.namespace.length === 0 && "value" in one) {
        throw new InvalidNamespaceError("the empty namespace");
      }
      this.refuseLabels(one.namespace);
      if (typeof one.key !== "string" || !one.key.isWellFormed()) {
        throw new TypeError("a key must be text");
      }
      if ("value" in one) this.refuseValue(one.value);
    } else {
      if (!("limit" in one) && !("offset" in one) && !("maxDepth" in one)) {
        throw new TypeError("an unknown operation");
      }
      this.refuseList(one);
    }
  }

  protected refuseLabels(labels: readonly unknown[]): void {
    for (const label of labels) {
      if (typeof label !== "string" || label === "" || /[.:\0]/.test(label)) {
        throw new InvalidNamespaceError(`the label ${String(label)}`);
      }
    }
  }

  protected refuseNumber(what: string, count: unknown): void {
    if (count === undefined || count === null) return;
    if (!Number.isInteger(count) || Number(count) < 0) {
      throw new RangeError(`${what} ${count}`);
    }
  }

  protected refuseOperators(operators: { readonly [name: string]: unknown }) {
    for (const name of Object.keys(operators)) {
      const isList = Array.isArray(operators[name]);
      if (!/^\$(eq|ne|gte?|lte?|n?in)$/.test(name)) {
        throw new TypeError(`no operator ${name}`);
      }
      if (/^\$n?in$/.test(name) && !isList) throw new TypeError("no list");
    }
  }

  protected refuseValue(value: unknown): void {
    if (value === null) return;
    if (!jsonTextOf(value).startsWith("{")) throw new TypeError("no object");
  }

  protected refuseList(one: ListNamespacesOperation): void {
    this.refuseNumber("limit", one.limit);
    this.refuseNumber("offset", one.offset);
    if (one.maxDepth !== undefined && !(one.maxDepth >= 1)) {
      throw new RangeError(`maxDepth ${one.maxDepth}`);
    }
    for (const { matchType } of one.matchConditions ?? []) {
      if (matchType !== "prefix" && matchType !== "suffix") {
        throw new TypeError(`no condition ${matchType}`);
      }
    }
  }

  protected answer(one: Operation): unknown {
    if ("value" in one) return this.written();
    if ("namespacePrefix" in one) return this.found(one);
    return "key" in one ? this.got(one) : this.listed(one);
  }

  protected written(): unknown {
    return undefined;
  }

  protected got({ namespace, key }: GetOperation): unknown {
    const held = this.held.get(this.idOf(namespace, key));
    return held === undefined ? null : this.itemOf(held);
  }

  protected found(one: SearchOperation): unknown {
    const items = this.ordered([...this.held.values()])
      .filter(({ namespace }) => this.below(namespace, one.namespacePrefix))
      .filter((held) => this.meets(held, one));
    return this.page(items, one).map((held) => this.resultOf(held));
  }

  protected ordered(items: Held[]): Held[] {
    return items.sort((a, b) =>
      a.born - b.born || compareTexts(nodeIdOf(a), nodeIdOf(b))
    );
  }

  protected below(
    namespace: readonly string[],
    prefix: readonly string[],
  ): boolean {
    return prefix.every((label, i) => namespace[i] === label);
  }

  protected meets(held: Held, { filter, query }: SearchOperation): boolean {
    const fields = JSON.parse(held.json);
    return Object.entries(filter ?? {}).every(([field, condition]) => {
      const value = Object.hasOwn(fields, field) ? fields[field] : undefined;
      return isOperators(condition)
        ? Object.entries(condition).every(([name, than]) =>
          this.operator(name, value, than)
        )
        : this.same(value, condition);
    }) && (!query || this.mentions(held, query));
  }

  protected operator(name: string, value: unknown, than: unknown): boolean {
    const among = (list: unknown) =>
      Array.isArray(list) && list.some((one) => this.same(value, one));
    switch (name) {
      case "$eq":
        return this.same(value, than);
      case "$ne":
        return !this.same(value, than);
      case "$in":
        return among(than);
      case "$nin":
        return !among(than);
    }
    const isDate = than instanceof Date; // as it would be stored
    const order = this.compared(value, isDate ? than.toJSON() : than);
    if (order === undefined) return false;
    if (name === "$gt") return order > 0;
    if (name === "$gte") return order >= 0;
    return name === "$lt" ? order < 0 : order <= 0;
  }

  protected same(value: unknown, than: unknown): boolean {
    if (value === undefined || than === undefined) return value === than;
    if (typeof than === "function") return false;
    return jsonTextOf(value) === jsonTextOf(than);
  }

  protected compared(value: unknown, than: unknown): number | undefined {
    if (typeof value === "number" && typeof than === "number") {
      return value - than;
    }
    return typeof value === "string" && typeof than === "string"
      ? compareTexts(value, than)
      : undefined;
  }

  protected mentions(held: Held, query: string): boolean {
    const texts = [nodeIdOf(held), held.key, ...textsOf(JSON.parse(held.json))];
    return texts.some((text) =>
      text.toLowerCase().includes(query.toLowerCase())
    );
  }

  protected page<T>(
    all: T[],
    { limit, offset }: { readonly limit?: number; readonly offset?: number },
  ): T[] {
    const from = offset ?? 0;
    return all.slice(from, from + (limit ?? 10));
  }

  protected listed(one: ListNamespacesOperation): unknown {
    const all = this.namespaces().filter((namespace) =>
      (one.matchConditions ?? []).every((each) => this.fits(namespace, each))
    );
    const cut = this.cut(all, one.maxDepth).sort(compareNamespaces);
    return this.page(cut, one);
  }

  protected namespaces(): string[][] {
    return once([...this.held.values()].map((one) => [...one.namespace]));
  }

  protected fits(namespace: string[], { matchType, path }: MatchCondition) {
    const from = matchType === "prefix" ? 0 : namespace.length - path.length;
    return path.length <= namespace.length &&
      path.every((label, i) => label === "*" || namespace[from + i] === label);
  }

  protected cut(namespaces: string[][], maxDepth: number | undefined) {
    return once(namespaces.map((one) => one.slice(0, maxDepth)));
  }

  protected writeAll(puts: readonly PutOperation[]): void {
    this.batches++;
    const before = [...this.held];
    for (const put of this.lastOfEach(puts)) this.write(put);
    const same = before.length === this.held.size &&
      before.every(([id, held]) => this.held.get(id) === held);
    if (!same) this.changes++;
  }

  protected lastOfEach(puts: readonly PutOperation[]): PutOperation[] {
    const last = new Map<string, PutOperation>();
    for (const one of puts) last.set(this.idOf(one.namespace, one.key), one);
    return [...last.values()];
  }

  protected write({ namespace, key, value }: PutOperation): void {
    const id = this.idOf(namespace, key);
    const before = this.held.get(id);
    if (value === null) this.held.delete(id);
    else {
      const json = this.jsonOf(value);
      if (json === before?.json) return;
      const nowMs = this.now();
      this.held.set(id, {
        namespace: [...namespace],
        key,
        json,
        createdMs: before?.createdMs ?? nowMs,
        updatedMs: nowMs,
        born: before?.born ?? this.batches,
      });
    }
  }

  protected jsonOf(value: Item["value"]): string {
    return jsonTextOf(value);
  }

  protected idOf(namespace: readonly string[], key: string): string {
    return JSON.stringify([namespace, key]);
  }

  protected itemOf(held: Held): Item {
    return {
      value: JSON.parse(held.json),
      key: held.key,
      namespace: [...held.namespace],
      createdAt: new Date(held.createdMs),
      updatedAt: new Date(held.updatedMs),
    };
  }

  protected resultOf(held: Held): SearchItem {
    return this.itemOf(held);
  }
}

/** Every text in a value: its own, and the names of its fields. */
export function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  const names = Array.isArray(value) ? [] : Object.keys(value);
  return [...names, ...Object.values(value).flatMap(textsOf)];
}

/** Namespaces without those that stood before. */
export function once(namespaces: string[][]): string[][] {
  return [
    ...new Map(namespaces.map((one) => [JSON.stringify(one), one])).values(),
  ];
}

function isOperators(
  condition: unknown,
): condition is { readonly [name: string]: unknown } {
  return typeof condition === "object" && condition !== null &&
    Object.keys(condition).some((name) => name.startsWith("$"));
}

/** The id of the node that an item is: by it items of one batch stand. */
function nodeIdOf({ namespace, key }: Held): string {
  return [...namespace, key].map((part) =>
    part.replaceAll("~", "~0").replaceAll(":", "~1").replaceAll("\0", "~2")
  ).join(":");
}

function compareNamespaces(a: string[], b: string[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = compareTexts(a[i]!, b[i]!);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}
