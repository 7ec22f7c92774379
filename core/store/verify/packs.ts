/**
 * Checks the rows of packs, and remembers whose they are.
 *
 * @module
 */

import { toHex } from "../../object/hex.ts";
import { type Origin, SELF } from "../../state/chunk.ts";
import { decodeAnyChunk } from "../../storage/chunk_record.ts";
import type { Row } from "../../storage/driver.ts";
import { commitKey, lastPartHex } from "../../storage/keys.ts";
import { decodePackOwner, decodePackPart } from "../../storage/pack_row.ts";
import { describeKey } from "../../storage/row.ts";
import type { FaultList } from "./fault_list.ts";
import type { KnownCommits } from "./known_commits.ts";
import type { RowReader } from "./row_reader.ts";

/** The packs of a store. */
export class Packs {
  readonly #owners = new Map<string, Origin>();
  // Their part 0 is stored, but unreadable.
  readonly #broken = new Set<string>();
  readonly #ofCommit = new Map<string, string[]>();
  readonly #rows: RowReader;
  readonly #faults: FaultList;

  /** Knows no pack yet. */
  constructor(rows: RowReader, faults: FaultList) {
    this.#rows = rows;
    this.#faults = faults;
  }

  /** The commit that a pack belongs to; undefined for one whose commit never came. */
  owner(pack: string): Origin | undefined {
    return this.#owners.get(pack);
  }

  /** Whether it cannot be read whose a pack is: a fault that was told. */
  isBroken(pack: string): boolean {
    return this.#broken.has(pack) || this.#rows.isPartial("p");
  }

  /** The packs that belong to a commit, given by the first 32 digits of its id. */
  of(commit: string): readonly string[] {
    return this.#ofCommit.get(commit) ?? [];
  }

  /** Reads all packs. Part 0 of each comes first. */
  async readAll(): Promise<void> {
    for await (const row of this.#rows.list("p", [16, 4])) {
      const payload = await this.#rows.payload(row, true);
      const isFirst = lastPartHex(row.key) === "00000000";
      if (isFirst) this.#learnOwner(row, payload);
      else if (payload !== null) this.#checkPart(row, payload);
    }
  }

  /** Whether the commits that packs name are stored, and are what the packs say of them. */
  async checkOwners(commits: KnownCommits): Promise<void> {
    const unknown: [string, Origin][] = [];
    for (const [pack, owner] of this.#owners) {
      const known = commits.originOf(owner.commit);
      if (known === null) unknown.push([pack, owner]);
      else if (
        known.timeMs !== owner.timeMs || known.generation !== owner.generation
      ) {
        this.#faults.add(
          "origin",
          `Pack ${pack} gives commit ${owner.commit} another time or generation than it has`,
        );
      }
    }
    // Packs whose commits came while this was going on name what was not met.
    const there = await this.#rows.rows(
      unknown.map(([, owner]) => commitKey(owner.commit)),
    );
    unknown.forEach(([pack, { commit }], i) => {
      if (there[i]) return;
      this.#faults.add(
        "link",
        `Pack ${pack} names the commit ${commit}, which is not stored`,
      );
    });
  }

  #learnOwner(row: Row, payload: Uint8Array | null): void {
    const name = `Row ${describeKey(row.key)}`;
    const pack = packOf(row);
    const owner = payload === null
      ? null
      : this.#faults.attempt(name, () => decodePackOwner(payload));
    if (owner === null) {
      this.#broken.add(pack);
      return;
    }
    this.#owners.set(pack, owner);
    const others = this.#ofCommit.get(owner.commit) ?? [];
    this.#ofCommit.set(owner.commit, [...others, pack]);
  }

  #checkPart(row: Row, payload: Uint8Array): void {
    const name = `Row ${describeKey(row.key)}`;
    const pack = packOf(row);
    const home = { self: this.#owners.get(pack) ?? SELF, pack };
    const records = this.#faults.attempt(name, () => decodePackPart(payload));
    records?.forEach((record, i) => {
      this.#faults.attempt(
        `Chunk ${i} of ${name}`,
        () => decodeAnyChunk(record, home),
      );
    });
  }
}

function packOf({ key }: Row): string {
  const part = key[1];
  return part instanceof Uint8Array ? toHex(part) : "";
}
