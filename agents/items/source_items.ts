/**
 * Every item of a store of LangGraph, by what every such store can do: listing its namespaces and
 * searching in them, page by page.
 *
 * @module
 */

/** An item as a store gives it. */
export interface SourceItem {
  /** One label a level. */
  readonly namespace: string[];
  /** The key within the namespace. */
  readonly key: string;
  /** What is stored under it. */
  readonly value: unknown;
  /** When it was first put. */
  readonly createdAt?: unknown;
  /** When it was last put. */
  readonly updatedAt?: unknown;
}

/** What is asked of a store: LangGraph's `BaseStore` has it. */
export interface SourceStore {
  /** Lists namespaces, of which those that hold an item must be some. */
  listNamespaces(
    options: { limit: number; offset: number },
  ): Promise<string[][]>;
  /** Finds the items in a namespace and in those below it. */
  search(
    namespacePrefix: string[],
    options: { limit: number; offset: number },
  ): Promise<SourceItem[]>;
}

const PAGE_ITEMS = 1_000;

/** Yields the items of a store in pages, each item once. */
export async function* readItems(
  source: SourceStore,
): AsyncGenerator<SourceItem[]> {
  const namespaces = pages(
    (page) => source.listNamespaces(page),
    (labels) => JSON.stringify(labels),
  );
  const roots = new Set<string>();
  for await (const page of namespaces) {
    for (const [root] of page) if (root !== undefined) roots.add(root);
  }
  for (const root of [...roots].sort()) {
    const items = pages(
      (page) => source.search([root], page),
      ({ namespace, key }) => JSON.stringify([namespace, key]),
    );
    for await (const page of items) {
      // A store that matches text would give `users2` for `users` too.
      yield page.filter(({ namespace }) => namespace[0] === root);
    }
  }
}

/** Yields page by page what was not in one before; a store that gives nothing new has no more. */
async function* pages<T>(
  read: (page: { limit: number; offset: number }) => Promise<T[]>,
  nameOf: (one: T) => string,
): AsyncGenerator<T[]> {
  const seen = new Set<string>();
  for (let offset = 0;;) {
    const page = await read({ limit: PAGE_ITEMS, offset });
    const news = page.filter((one) => {
      const name = nameOf(one);
      const isNew = !seen.has(name);
      seen.add(name);
      return isNew;
    });
    if (news.length === 0) return;
    yield news;
    offset += page.length;
  }
}
