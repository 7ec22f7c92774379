/**
 * The marks of removals, and whether they are those of what commits removed (FORMAT.md, "Rows").
 *
 * @module
 */

import { shortOf } from "../../object/graph_commit.ts";
import type { Key } from "../../storage/driver.ts";
import { lastPartHex, removalKey } from "../../storage/keys.ts";
import { describeKey } from "../../storage/row.ts";
import type { FaultList } from "./fault_list.ts";
import type { RowReader } from "./row_reader.ts";

/** What a commit removed against its first parent, and how to ask what that one held. */
export interface Removals {
  /** The commit's id. */
  readonly commit: string;
  /** The packs that belong to it. */
  readonly packs: readonly string[];
  /** The ids of the nodes that it removed. */
  readonly ids: readonly string[];
  /** Of some node ids those that the first parent held. */
  readonly heldBefore: (ids: readonly string[]) => Promise<readonly string[]>;
}

/** All marks, by the commit or pack that they name. */
export class RemovalMarks {
  // What is marked, by the text of the key that marks it.
  readonly #marks = new Map<string, Map<string, Key>>();
  readonly #faults: FaultList;
  #isPartial = false;

  /** Knows no mark yet. */
  constructor(faults: FaultList) {
    this.#faults = faults;
  }

  /** Reads all marks. */
  async readAll(rows: RowReader): Promise<void> {
    for (const [head, part] of [["d", "text"], ["D", 32]] as const) {
      for await (const { key, value } of rows.list(head, [part, 16])) {
        if (value.length > 0) {
          this.#faults.add("row", `Row ${describeKey(key)} must be empty`);
        }
        const by = lastPartHex(key);
        const marks = this.#marks.get(by) ?? new Map<string, Key>();
        this.#marks.set(by, marks.set(describeKey(key), key));
      }
    }
    this.#isPartial = rows.isPartial("d") || rows.isPartial("D");
  }

  /**
   * Compares the marks of a commit with what it removed: each removal has a mark, and each mark is
   * of a removal. A mark that names a pack was written ahead, and is idle where the first parent no
   * longer held the node.
   */
  async check({ commit, packs, ids, heldBefore }: Removals): Promise<void> {
    const by = [shortOf(commit), ...packs];
    for (const id of ids) {
      const isMarked = by.some((name) =>
        this.#marks.get(name)?.delete(describeKey(removalKey(id, name)))
      );
      if (!isMarked && !this.#isPartial) {
        this.#faults.add(
          "removal",
          `Commit ${commit} removed the node ${
            JSON.stringify(id)
          }, and no row marks it`,
        );
      }
    }
    const [own, ...others] = by.map((name) => [
      ...this.#marks.get(name)?.values() ?? [],
    ]);
    const ahead = others.flat().filter((key) => key[0] === "d");
    const held = new Set(
      ahead.length === 0
        ? []
        : await heldBefore(ahead.map((key) => String(key[1]))),
    );
    const lies = ahead.filter((key) => held.has(String(key[1])));
    for (const key of [...own ?? [], ...lies]) {
      this.#faults.add(
        "removal",
        `Row ${
          describeKey(key)
        } marks a removal that is none: commit ${commit} removed no such node`,
      );
    }
    for (const name of by) this.#marks.delete(name);
  }
}
