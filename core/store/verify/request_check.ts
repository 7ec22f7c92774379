/**
 * Checks what branches keep of requests with keys (FORMAT.md, "Kept requests").
 *
 * @module
 */

import { isBranchName } from "../../object/branch_name.ts";
import { type KeptRequest, readRequests } from "../../storage/kept_requests.ts";
import type { Key } from "../../storage/driver.ts";
import { requestKey } from "../../storage/keys.ts";
import { describeKey } from "../../storage/row.ts";
import type { FaultList } from "./fault_list.ts";
import type { KnownCommits } from "./known_commits.ts";
import type { RowReader } from "./row_reader.ts";

/** What a row keeps, and which row it is. */
export interface NamedRequests {
  /** The row, for a message. */
  readonly name: string;
  /** What it keeps. */
  readonly requests: readonly KeptRequest[];
}

/** Reads what branches keep, those that are gone included: a version before this left it there. */
export async function readKept(
  rows: RowReader,
  faults: FaultList,
): Promise<NamedRequests[]> {
  const kept: NamedRequests[] = [];
  const marked = new Set<string>();
  for await (const row of rows.list("k", ["text"], ["text", 1])) {
    const name = `Row ${describeKey(row.key)}`;
    const branch = String(row.key[1]);
    if (!isBranchName(branch)) {
      faults.add("request", `${name} has a key that is no name of a branch`);
    }
    const payload = await rows.payload(row, true);
    if (row.key.length === 2) {
      // In the order of the keys it comes first.
      marked.add(branch);
      if (payload !== null && payload.length > 0) {
        faults.add("request", `${name} must be empty`);
      }
      continue;
    }
    if (!marked.has(branch) && await isUnmarked(rows, row.key)) {
      faults.add("request", `${name} is stored without ["k", branch]`);
    }
    const requests = payload &&
      faults.attempt(name, () => readRequests(row.key, payload));
    if (requests === null) continue;
    kept.push({ name, requests });
    const names = new Set(requests.map((one) => one.name));
    const isOwn = requests.every((one) =>
      describeKey(requestKey(branch, one.name)) === describeKey(row.key)
    );
    if (!isOwn || names.size < requests.length) {
      faults.add("request", `${name} keeps a request of another row, or twice`);
    }
  }
  return kept;
}

/** Whether a row is there without its mark: both may have come, or gone, while the rows were listed. */
async function isUnmarked(rows: RowReader, key: Key): Promise<boolean> {
  const [mark, row] = await rows.rows([key.slice(0, 2), key]);
  return !mark && !!row;
}

/** The commits that kept requests name, as rows name them. */
export function keptCommits(kept: readonly NamedRequests[]): string[] {
  return kept.flatMap(({ requests }) =>
    requests.flatMap(({ before, commit, target }) =>
      [before, commit, target].filter((id) => id !== null)
    )
  );
}

/** Checks that the commits which kept requests name are stored. */
export function checkKept(
  kept: readonly NamedRequests[],
  commits: KnownCommits,
  faults: FaultList,
): void {
  for (const one of kept) {
    for (const short of keptCommits([one])) {
      if (commits.get(short) || commits.isBroken(short)) continue;
      faults.add(
        "link",
        `${one.name} names the commit ${short}, which is not stored`,
      );
    }
  }
}
