/**
 * `mnem recall`: reads memory.
 *
 * @module
 */

import { recallAll, type RecallAllOptions, toWire } from "@mnem/agents";
import { type MemoryNode, MnemError, type Store } from "@mnem/core";
import { type Call, type Command, EXIT_ABSENT } from "../command.ts";
import { UsageError } from "../given.ts";
import { nodeLines } from "../render/node.ts";
import { shellWord } from "../render/visible.ts";
import { NO_COMMIT } from "../written.ts";

/** See the module. */
export const RECALL: Command = {
  name: "recall",
  summary: "read one node, or all of memory",
  more:
    "A node that is not in memory ends with status 3; with --json its result is null. With --limit or --cursor one page is read, else everything.",
  arguments: [{ name: "id", what: "one node (else all)", optional: true }],
  options: [
    { flags: "--at <revision>", what: "as of this commit (else HEAD)" },
    { flags: "--prefix <text>", what: "only ids that begin so" },
    { flags: "--query <text>", what: "only nodes that hold this text" },
    { flags: "-n, --limit <count>", what: "a page of so many" },
    { flags: "--cursor <text>", what: "where the page before ended" },
  ],
  examples: [
    "mnem recall plan",
    "mnem recall plan --at HEAD~2",
    "mnem recall --prefix customer/ --json",
  ],
  run: recall,
};

async function recall(call: Call): Promise<number> {
  const id = call.given.argument(0);
  if (id === undefined) return await readAll(call);
  for (const name of ["prefix", "query", "limit", "cursor"]) {
    if (call.given.has(name)) {
      throw new UsageError(`--${name} is for a list, not beside an id`);
    }
  }
  return await readOne(call, id);
}

async function readOne(
  { given, report, open }: Call,
  id: string,
): Promise<number> {
  const store = await open();
  const memory = await store.at(given.text("at"));
  const node = await memory.node(id);
  if (node === null && !report.isJson) {
    throw new MnemError(
      "not_found",
      `Cannot recall node ${JSON.stringify(id)}: it is not in memory`,
    );
  }
  await report.value(
    () => ({
      result: node === null ? null : toWire(node),
      as_of: memory.commit?.id ?? NO_COMMIT,
    }),
    () => node === null ? [] : nodeLines(node, report.style),
  );
  return node === null ? EXIT_ABSENT : 0;
}

async function readAll({ given, report, open }: Call): Promise<number> {
  const isPage = given.has("limit") || given.has("cursor");
  const options = {
    at: given.text("at"),
    prefix: given.text("prefix"),
    query: given.text("query"),
    limit: given.integer("limit", 1),
    cursor: given.text("cursor"),
  };
  const store = await open();
  const pages = new Pages(store, options, isPage);
  await report.list(pages.nodes(), {
    json: (node) => toWire(node),
    text: (node) => nodeLines(node, report.style),
    none: "(empty)",
    after: () => ({
      ...pages.cursor === undefined ? {} : { next_cursor: pages.cursor },
      as_of: pages.asOf,
    }),
  });
  if (pages.cursor !== undefined) {
    await report.hint(`there are more: --cursor=${shellWord(pages.cursor)}`);
  }
  return 0;
}

/** One page of memory, or one after another. */
class Pages {
  /** The commit that is read. */
  asOf: string = NO_COMMIT;
  /** Where the next page would begin, if it is not read here. */
  cursor: string | undefined;
  readonly #store: Store;
  readonly #options: RecallAllOptions;
  readonly #isOne: boolean;

  constructor(store: Store, options: RecallAllOptions, isOne: boolean) {
    this.#store = store;
    this.#options = options;
    this.#isOne = isOne;
  }

  async *nodes(): AsyncIterable<MemoryNode> {
    let { cursor } = this.#options;
    do {
      const page = await recallAll(this.#store, { ...this.#options, cursor });
      this.asOf = page.asOf ?? NO_COMMIT;
      yield* page.nodes;
      cursor = page.cursor;
    } while (cursor !== undefined && !this.#isOne);
    this.cursor = cursor;
  }
}
