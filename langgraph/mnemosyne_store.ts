/**
 * A store for LangGraph in which every change is a commit.
 *
 * @module
 */

import {
  type Evidence,
  history,
  type HistoryOptions,
  type HistoryPage,
  type Question,
  type RecallOptions,
  whenDid,
  type WhenDidResult,
  why,
} from "@mnem/agents";
import {
  type Blame,
  type Branch,
  type MergeOptions,
  type MergeResult,
  type OpenOptions,
  openStore,
  type Revision,
  type Store,
} from "@mnem/core";
import type {
  Operation,
  OperationResults,
} from "@langchain/langgraph-checkpoint";
import { withCode, withCodeNow } from "./argument_error.ts";
import { CodedStore } from "./coded_store.ts";
import { checkEvidence, overEvidence } from "@mnem/agents/items";
import { checkItemId } from "./checked_id.ts";
import { parseOperation } from "./parse_operation.ts";
import { runBatch } from "./run_batch.ts";
import { Turns } from "./turns.ts";

/** How to make a {@linkcode MnemosyneStore}. */
export interface MnemosyneStoreOptions {
  /** The author of its commits; else the store's, else "agent". */
  readonly author?: string | undefined;
}

/** What a view differs in from the store that it was made of. */
interface View {
  /** The branch it is bound to; undefined: the store's current one. */
  readonly branch: string | undefined;
  /** Where what it writes comes from, unless the value says otherwise. */
  readonly evidence: Evidence;
}

/** What a store and its views have in common. */
interface Shared {
  readonly store: Store;
  readonly author: string | undefined;
  /** The order of all calls: two views may be of one branch, and a merge reads another. */
  readonly turns: Turns;
  /** Calls that have not ended. */
  readonly pending: Set<Promise<unknown>>;
}

/** An item of any namespace, and a node that has none. */
const ANYWHERE = { mayBeEmpty: true } as const;

// Shared by every loaded copy of this module, as the brand of MnemError.
const brand = Symbol.for("mnem.langgraph_store");

/**
 * Long-term memory for LangGraph, on a Mnemosyne store: put it where an `InMemoryStore` stands.
 *
 * Everything goes through {@linkcode MnemosyneStore.batch}: its reads see the state before it, its
 * writes are one commit, and a batch that changes nothing makes none. A value carries where it comes
 * from in `_meta`, which is taken out of what is stored. A search is a filter, no ranking.
 *
 * Errors: a `MnemError` with its code for the state of the store; for a bad argument a TypeError, a
 * RangeError or LangGraph's InvalidNamespaceError, with the code `invalid_argument`. Then nothing was
 * written.
 *
 * @example
 * ```ts
 * import { MnemosyneStore } from "@mnem/langgraph";
 *
 * await using store = await MnemosyneStore.open(Deno.makeTempDirSync(), { create: true });
 * await store.put(["users", "u1"], "plan", {
 *   tier: "pro",
 *   _meta: { observation: "billing-note-8842" },
 * });
 * const { node } = await store.why(["users", "u1"], "plan");
 * if (node.provenance.observation !== "billing-note-8842") throw new Error("the evidence is kept");
 * ```
 */
export class MnemosyneStore extends CodedStore implements AsyncDisposable {
  #shared: Shared;
  #view: View = { branch: undefined, evidence: {} };
  #isOwner = false;

  /** Stands on a store that its opener closes. */
  constructor(store: Store, options: MnemosyneStoreOptions = {}) {
    super();
    this.#shared = {
      store,
      author: options.author,
      turns: new Turns(),
      pending: new Set(),
    };
    Object.defineProperty(this, brand, { value: true });
  }

  /**
   * Opens the store at a location, as `openStore` of `@mnem/core` does; closing is up to the caller.
   *
   * @throws {MnemError} `no_store` if there is none and `create` is not set.
   */
  static async open(
    location: string,
    options: OpenOptions = {},
  ): Promise<MnemosyneStore> {
    const opened = new MnemosyneStore(await openStore(location, options));
    opened.#isOwner = true;
    return opened;
  }

  /**
   * Carries out operations together, and returns a result for each, in their order: an item or null,
   * items, namespaces, or undefined for a put. All reads see the branch as it was before; all puts and
   * deletes are one commit, the last one of an item counting. If anything fails, nothing is written.
   */
  override async batch<Op extends Operation[]>(
    operations: Op,
  ): Promise<OperationResults<Op>> {
    const results = await this.#call(async () => {
      if (!Array.isArray(operations)) {
        throw new TypeError("Cannot run a batch: it must be an array");
      }
      const { evidence } = this.#view;
      const parsed = operations.map((one) => parseOperation(one, evidence));
      return await runBatch(parsed, {
        branch: this.#branch,
        turns: this.#shared.turns,
        author: this.#shared.author ?? this.#shared.store.author ?? "agent",
      });
    });
    return asResults<Op>(results);
  }

  /**
   * Returns the commit that wrote an item, with its provenance.
   *
   * @throws {MnemError} `not_found` if it is not in memory; `invalid_ref` if `at` names no commit.
   */
  async why(
    namespace: string[],
    key: string,
    options: RecallOptions = {},
  ): Promise<Blame> {
    return await this.#read((branch) =>
      why(branch, checkItemId(namespace, key, ANYWHERE), options)
    );
  }

  /**
   * Finds the commit at which something became so for an item; see `whenDid` of `@mnem/agents`.
   *
   * @throws {MnemError} `not_found` if it is not so now, or the item was never in memory.
   */
  async whenDid(
    namespace: string[],
    key: string,
    question: Question,
  ): Promise<WhenDidResult> {
    return await this.#read((branch) =>
      whenDid(branch, checkItemId(namespace, key, ANYWHERE), question)
    );
  }

  /** Lists the commits of the branch, newest first, 20 a page unless `limit` says otherwise. */
  async history(options: HistoryOptions = {}): Promise<HistoryPage> {
    return await this.#read((branch) => history(branch, options));
  }

  /**
   * Makes a branch at a revision, or where this store stands, and returns its name.
   *
   * @throws {MnemError} `conflict` if it exists at another commit; `invalid_ref` for a bad name.
   */
  async branch(
    name: string,
    options: { readonly at?: Revision | undefined } = {},
  ): Promise<string> {
    return await this.#write(async (branch) => {
      const { store } = this.#shared;
      const at = this.#view.branch === undefined && options.at === undefined
        ? undefined
        : (await branch.at(options.at)).commit?.id;
      await store.createBranch(name, { at });
      return name;
    });
  }

  /**
   * Goes on at another branch or commit. It moves everyone who uses this store, and, if that was
   * opened without a branch, all who follow its HEAD: runs side by side take
   * {@linkcode MnemosyneStore.onBranch} instead.
   *
   * @throws {TypeError} On a view that is bound to a branch.
   * @throws {MnemError} `invalid_ref` if it names no commit.
   */
  async switch(target: string): Promise<void> {
    await this.#write(async () => {
      const { branch } = this.#view;
      if (branch !== undefined) {
        throw new TypeError(
          `Cannot switch: this view is bound to branch ${
            JSON.stringify(branch)
          }, take another by onBranch`,
        );
      }
      await this.#shared.store.switchTo(target);
    });
  }

  /**
   * Brings another line of history in, as one commit. Conflicts are a result, not an error: then
   * nothing was written. Its author is the option's, else the store's, else "unknown".
   *
   * @throws {MnemError} `invalid_ref` if `theirs` names no commit.
   */
  async merge(
    theirs: Revision,
    options: MergeOptions = {},
  ): Promise<MergeResult> {
    const author = options.author ?? this.#shared.author;
    return await this.#write((branch) =>
      branch.merge(theirs, { ...options, author })
    );
  }

  /**
   * Returns a view that is bound to a branch: pass it as `store` for one run or subgraph. Nobody's
   * HEAD moves. The first call on it is `invalid_ref` if there is no such branch.
   */
  onBranch(name: string): MnemosyneStore {
    withCodeNow(() => this.#shared.store.on(name));
    return this.#viewOf({ ...this.#view, branch: name });
  }

  /**
   * Returns a view whose writes come from there, field by field, unless `_meta` says otherwise. It
   * keeps what this store knows beside that.
   *
   * @throws {TypeError} If a field is unknown or of another type.
   */
  withProvenance(evidence: Evidence): MnemosyneStore {
    const known = this.#view.evidence;
    return this.#viewOf({
      ...this.#view,
      evidence: overEvidence(withCodeNow(() => checkEvidence(evidence)), known),
    });
  }

  /** Where what it writes comes from, unless `_meta` says otherwise: empty but for a view. */
  get evidence(): Evidence {
    return { ...this.#view.evidence };
  }

  /**
   * Closes what {@linkcode MnemosyneStore.open} opened, once the calls that were made have ended; else,
   * and on a view, waits for those alone.
   */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#shared.pending]);
    if (this.#isOwner) await this.#shared.store.close();
  }

  /** The same as {@linkcode MnemosyneStore.close}. */
  override async stop(): Promise<void> {
    await this.close();
  }

  /** Closes it: for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  get #branch(): Branch {
    const { branch } = this.#view;
    const { store } = this.#shared;
    return branch === undefined ? store : store.on(branch);
  }

  async #call<T>(call: () => Promise<T>): Promise<T> {
    const { pending } = this.#shared;
    const called = withCode(call);
    pending.add(called);
    try {
      return await called;
    } finally {
      pending.delete(called);
    }
  }

  #viewOf(view: View): MnemosyneStore {
    const made = new MnemosyneStore(this.#shared.store);
    made.#shared = this.#shared;
    made.#view = view;
    return made;
  }

  /** Reads what the writes before it left; those after it need not wait until it has ended. */
  #read<T>(call: (branch: Branch) => Promise<T>): Promise<T> {
    return this.#call(async () => {
      await this.#shared.turns.read(() => Promise.resolve());
      return await call(this.#branch);
    });
  }

  #write<T>(call: (branch: Branch) => Promise<T>): Promise<T> {
    return this.#call(() => this.#shared.turns.write(() => call(this.#branch)));
  }
}

/** Tells whether a value is a {@linkcode MnemosyneStore}, also one of another loaded copy. */
export function isMnemosyneStore(value: unknown): value is MnemosyneStore {
  return typeof value === "object" && value !== null && brand in value;
}

/** One result for each operation, in order: nothing else can say so to the compiler. */
function asResults<Op extends Operation[]>(
  results: unknown[],
): OperationResults<Op> {
  return results as OperationResults<Op>;
}
