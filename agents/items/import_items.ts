/**
 * Takes every item of a store of LangGraph into memory, as `MnemosyneStore` would have stored it, oldest
 * first.
 *
 * @module
 */

import {
  type Branch,
  type ChangeKind,
  compareUtf8,
  type Edit,
  type ObjectId,
  sameContent,
} from "@mnem/core";
import { provenanceOf } from "../evidence.ts";
import { liftMeta, overEvidence } from "./given_evidence.ts";
import { isLabel, type ItemPlace, toId } from "./item_id.ts";
import { evidenceFault, nodeFault } from "./node_fault.ts";
import {
  readItems,
  type SourceItem,
  type SourceStore,
} from "./source_items.ts";
import { storedObject } from "./stored_value.ts";
import { unsaidNodes } from "./unsaid_nodes.ts";

/** How to take items in. */
export interface ImportItemsOptions {
  /** What evidence calls the source; "langgraph" unless said otherwise. */
  readonly source?: string | undefined;
  /** The author of the commits; else the store's. */
  readonly author?: string | undefined;
  /** What the commits say; "import langgraph <source>" unless said otherwise. */
  readonly message?: string | undefined;
  /**
   * At most so many commits, 1,000 unless said otherwise. Items that one commit adds have one
   * `createdAt`, so that with 1 all is one commit and the order of creation is lost.
   */
  readonly commits?: number | undefined;
  /** Forgets what this source wrote before and has no more, unless an item was skipped. */
  readonly prune?: boolean | undefined;
  /** Says what would change, and writes nothing. */
  readonly dryRun?: boolean | undefined;
  /** Ends it between two pages or two commits. */
  readonly signal?: AbortSignal | undefined;
  /** Told how many items were read. */
  readonly progress?: ((items: number) => void) | undefined;
}

/** What is asked of a branch: to be read and written. */
export type ItemTarget = Pick<Branch, "entries" | "nodes" | "write">;

/** An item that was left aside. */
export interface SkippedItem extends ItemPlace {
  /** Why. */
  readonly reason: string;
}

/** What came of it. */
export interface ImportedItems {
  /** The commits that were made, the first one first. */
  readonly commits: readonly ObjectId[];
  /** What was, or in a dry run would be, changed, by node id. */
  readonly changes: ReadonlyMap<string, ChangeKind>;
  /** How many items memory held already. */
  readonly unchanged: number;
  /** Items that cannot be stored. */
  readonly skipped: readonly SkippedItem[];
  /** Ids of nodes that this source wrote and has no more, and that are kept. */
  readonly vanished: readonly string[];
  /** Ids of modified nodes whose value came from elsewhere, and from where; an empty text: not said. */
  readonly replaced: ReadonlyMap<string, string>;
}

const COMMITS_MAX = 1_000;
/** What one commit holds. */
const COMMIT_CHANGES_MAX = 100_000;
const MARK = "import langgraph";

interface TimedEdit {
  readonly edit: Edit;
  readonly createdMs: number | undefined;
}

/**
 * Takes the items of `source` into `branch`: the same node ids and values as a put of `MnemosyneStore`
 * makes, commits in the order of `createdAt` and with its times, `updatedAt` as the event time. An item
 * that memory holds already is no change; one that cannot be stored is skipped and told. A source that
 * changes meanwhile may give an item twice or not at all; the same import again sets that right.
 *
 * @throws {RangeError} If `commits` is no integer from 1.
 * @throws {MnemError} As a write does; the commits before it stay, and the same import again goes on.
 */
export async function importItems(
  branch: ItemTarget,
  source: SourceStore,
  options: ImportItemsOptions = {},
): Promise<ImportedItems> {
  const { commits = COMMITS_MAX } = options;
  if (!Number.isSafeInteger(commits) || commits < 1) {
    throw new RangeError(
      `Cannot import items: "commits" is ${commits}, must be an integer from 1`,
    );
  }
  const intake = new Intake(branch, options);
  let count = 0;
  for await (const page of readItems(source)) {
    options.signal?.throwIfAborted();
    await intake.page(page);
    count += page.length;
    options.progress?.(count);
  }
  return await intake.end(commits);
}

class Intake {
  readonly #branch: ItemTarget;
  readonly #options: ImportItemsOptions;
  readonly #source: string;
  readonly #seen = new Set<string>();
  readonly #edits: TimedEdit[] = [];
  readonly #changes = new Map<string, ChangeKind>();
  readonly #replaced = new Map<string, string>();
  readonly #skipped: SkippedItem[] = [];
  #unchanged = 0;

  constructor(branch: ItemTarget, options: ImportItemsOptions) {
    this.#branch = branch;
    this.#options = options;
    this.#source = options.source ?? "langgraph";
  }

  async page(items: readonly SourceItem[]): Promise<void> {
    const edits = new Map<string, TimedEdit>();
    for (const item of items) {
      const made = this.#editOf(item);
      if (typeof made === "string") {
        const { namespace, key } = item;
        this.#skipped.push({ namespace, key, reason: made });
      } else {
        edits.set(made.edit.id, made);
        this.#seen.add(made.edit.id);
      }
    }
    for await (const node of this.#branch.nodes({ ids: [...edits.keys()] })) {
      const edit = edits.get(node.id)?.edit;
      if (edit === undefined || edit.remove === true) continue;
      if (sameContent(edit.content, node.content)) {
        edits.delete(node.id);
        this.#unchanged += 1;
        continue;
      }
      this.#changes.set(node.id, "modified");
      const { source = "" } = node.provenance;
      if (source !== this.#source) this.#replaced.set(node.id, source);
    }
    for (const [id, edit] of edits) {
      if (!this.#changes.has(id)) this.#changes.set(id, "added");
      this.#edits.push(edit);
    }
  }

  async end(commits: number): Promise<ImportedItems> {
    const vanished = await this.#vanished();
    const isPruned = this.#options.prune && this.#skipped.length === 0;
    const removed = isPruned ? vanished : [];
    for (const id of removed) this.#changes.set(id, "removed");
    return {
      commits: this.#options.dryRun ? [] : await this.#write(commits, removed),
      changes: this.#changes,
      unchanged: this.#unchanged,
      skipped: this.#skipped,
      vanished: isPruned ? [] : vanished,
      replaced: this.#replaced,
    };
  }

  async #write(
    commits: number,
    removed: readonly string[],
  ): Promise<ObjectId[]> {
    const { message, author, signal } = this.#options;
    const made: ObjectId[] = [];
    const write = async (edits: readonly Edit[], timeMs?: number) => {
      signal?.throwIfAborted();
      const { commit, changes } = await this.#branch.write(edits, {
        message: message ?? `import langgraph ${this.#source}`,
        author,
        timeMs,
      });
      // Without changes it is the head as it was.
      if (commit !== null && changes.size > 0) made.push(commit);
    };
    for (const group of groupsOf(this.#edits, commits)) {
      await write(group.map(({ edit }) => edit), group.at(-1)?.createdMs);
    }
    for (let at = 0; at < removed.length; at += COMMIT_CHANGES_MAX) {
      const ids = removed.slice(at, at + COMMIT_CHANGES_MAX);
      await write(ids.map((id) => ({ id, remove: true as const })));
    }
    return made;
  }

  #editOf(item: SourceItem): TimedEdit | string {
    const { namespace, key } = item;
    const wrong = namespace.find((label) => !isLabel(label));
    if (wrong !== undefined) {
      return `its label ${JSON.stringify(wrong)} can be none here`;
    }
    const id = toId(namespace, key);
    const where = `item ${JSON.stringify(id)}`;
    try {
      const lifted = liftMeta(storedObject(item.value, where), where);
      const evidence = overEvidence(lifted.evidence, {
        source: this.#source,
        toolCall: MARK,
        eventTimeMs: timeOf(item.updatedAt),
      });
      const fault = nodeFault(id, lifted.content) ??
        evidenceFault(lifted.evidence);
      if (fault !== undefined) return fault;
      return {
        createdMs: timeOf(item.createdAt),
        edit: {
          id,
          // Checked by the line above.
          content: lifted.content as Extract<
            Edit,
            { remove?: never }
          >["content"],
          provenance: provenanceOf(evidence),
          eventTimeMs: evidence.eventTimeMs,
        },
      };
    } catch (error) {
      if (error instanceof TypeError) return error.message;
      throw error;
    }
  }

  async #vanished(): Promise<string[]> {
    return await unsaidNodes(this.#branch, this.#seen, {
      isOurs: ({ toolCall, source }) =>
        toolCall === MARK && source === this.#source,
    });
  }
}

/** Edits in the order of their creation, in at most so many groups; one time is never in two. */
function groupsOf(
  edits: readonly TimedEdit[],
  groups: number,
): TimedEdit[][] {
  const sorted = [...edits].sort((a, b) =>
    (a.createdMs ?? Infinity) - (b.createdMs ?? Infinity) ||
    compareUtf8(a.edit.id, b.edit.id)
  );
  const times = new Set(sorted.map(({ createdMs }) => createdMs));
  const size = times.size <= groups ? 1 : Math.ceil(sorted.length / groups);
  const made: TimedEdit[][] = [];
  for (const edit of sorted) {
    const last = made.at(-1);
    const isSameTime = last?.at(-1)?.createdMs === edit.createdMs;
    const isOpen = last !== undefined && last.length < COMMIT_CHANGES_MAX &&
      (isSameTime || last.length < size);
    if (isOpen) last.push(edit);
    else made.push([edit]);
  }
  return made;
}

function timeOf(time: unknown): number | undefined {
  const ms = time instanceof Date ? time.getTime() : NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
