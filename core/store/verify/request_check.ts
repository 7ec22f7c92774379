/**
 * Checks what branches keep of requests with keys (FORMAT.md, "Kept requests").
 *
 * @module
 */

import { isBranchName } from "../../object/branch_name.ts";
import { readRequests } from "../../storage/kept_requests.ts";
import type { Key } from "../../storage/driver.ts";
import { requestKey } from "../../storage/keys.ts";
import { describeKey } from "../../storage/row.ts";
import type { FaultList } from "./fault_list.ts";
import type { KnownCommits } from "./known_commits.ts";
import type { RowReader } from "./row_reader.ts";

/** A commit that a row names. */
export interface NamedCommit {
  /** The row, for a message. */
  readonly name: string;
  /** The first 32 digits of the commit's id. */
  readonly short: string;
}

/**
 * Checks what branches keep, those that are gone included: a version before this left it there. Returns
 * the commits that it names.
 */
export async function readKept(
  rows: RowReader,
  faults: FaultList,
): Promise<NamedCommit[]> {
  const named: NamedCommit[] = [];
  const marked = new Set<string>();
  for await (const { key, ...row } of rows.list("k", ["text"], ["text", 1])) {
    const name = `Row ${describeKey(key)}`;
    const check = (holds: boolean, what: string) => {
      if (!holds) faults.add("request", `${name} ${what}`);
    };
    const branch = String(key[1]);
    check(isBranchName(branch), "has a key that is no name of a branch");
    const payload = await rows.payload({ key, ...row }, true);
    if (key.length === 2) {
      // In the order of the keys it comes first.
      marked.add(branch);
      check(!payload?.length, "must be empty");
      continue;
    }
    const isMarked = marked.has(branch) || !await isUnmarked(rows, key);
    check(isMarked, "has no mark");
    const requests = payload &&
      faults.attempt(name, () => readRequests(key, payload));
    if (requests === null) continue;
    const met = new Set<string>();
    for (const one of requests) {
      const isOwn = describeKey(requestKey(branch, one.name)) ===
        describeKey(key);
      check(isOwn && !met.has(one.name), "keeps a request of another row");
      met.add(one.name);
      for (const short of [one.before, one.commit, one.target]) {
        if (short !== null) named.push({ name, short });
      }
    }
  }
  return named;
}

/** Whether a row is there without its mark: both may have come, or gone, while the rows were listed. */
async function isUnmarked(rows: RowReader, key: Key): Promise<boolean> {
  const [mark, row] = await rows.rows([key.slice(0, 2), key]);
  return !mark && !!row;
}

/** Checks that the commits which kept requests name are stored. */
export function checkKept(
  named: readonly NamedCommit[],
  commits: KnownCommits,
  faults: FaultList,
): void {
  for (const { name, short } of named) {
    if (commits.get(short) || commits.isBroken(short)) continue;
    faults.add(
      "link",
      `${name} names the commit ${short}, which is not stored`,
    );
  }
}
