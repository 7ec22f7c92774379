/**
 * The commits of all branches, in the order of a log.
 *
 * @module
 */

import type { Commit, ObjectId, Store } from "@mnem/core";

/** Reads the commits that any branch, or a detached HEAD, leads to: children before parents. */
export async function allCommits(store: Store): Promise<Commit[]> {
  const { commit: head } = await store.head();
  const tips = [...(await store.branches()).values()];
  const found = new Map<ObjectId, Commit>();
  // Most of history at once; of the other branches only what they have alone.
  for await (const commit of store.log()) found.set(commit.id, commit);
  const waiting = head === null ? tips : [head, ...tips];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id)) continue;
    const commit = await store.readCommit(id);
    found.set(id, commit);
    waiting.push(...commit.parents);
  }
  return inLogOrder([...found.values()]);
}

/** Orders a history, which must be whole: children before parents, newest first among the free, ties by id descending. */
export function inLogOrder(commits: readonly Commit[]): Commit[] {
  const byId = new Map(commits.map((commit) => [commit.id, commit]));
  const children = new Map<ObjectId, number>();
  for (const { parents } of commits) {
    for (const id of parents) children.set(id, (children.get(id) ?? 0) + 1);
  }
  const free = commits.filter(({ id }) => !children.has(id)).sort(oldestFirst);
  const ordered: Commit[] = [];
  for (let next = free.pop(); next !== undefined; next = free.pop()) {
    ordered.push(next);
    for (const id of next.parents) {
      const left = (children.get(id) ?? 0) - 1;
      children.set(id, left);
      const parent = byId.get(id);
      if (left === 0 && parent !== undefined) insert(free, parent);
    }
  }
  return ordered;
}

/** Most of the time the newest is the next: looked for from the end. */
function insert(free: Commit[], commit: Commit): void {
  let place = free.length;
  while (place > 0 && oldestFirst(free[place - 1]!, commit) > 0) place--;
  free.splice(place, 0, commit);
}

function oldestFirst(a: Commit, b: Commit): number {
  return a.timeMs - b.timeMs || (a.id < b.id ? -1 : 1);
}
