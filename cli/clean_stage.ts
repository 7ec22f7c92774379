/**
 * The command line's own rule: what is staged belongs to the branch that it was staged on, so that a
 * stage that is not empty stops a switch, a merge and a revert.
 *
 * @module
 */

import { MnemError, type Store } from "@mnem/core";

const NAMED_MAX = 5;

/** Returns the ids of everything staged, in order of kind and id. */
export async function stagedIds(store: Store): Promise<string[]> {
  const { nodes, removals } = await store.stage.list();
  return [...nodes.keys(), ...removals];
}

/**
 * Refuses an action while something is staged.
 *
 * @throws {MnemError} `conflict`, naming what is staged.
 */
export async function requireCleanStage(
  store: Store,
  action: string,
  wayOut = 'commit it, or "mnem unstage --all"',
): Promise<void> {
  const ids = await stagedIds(store);
  if (ids.length === 0) return;
  const named = ids.slice(0, NAMED_MAX).map((id) => JSON.stringify(id));
  const rest = ids.length - named.length;
  throw new MnemError(
    "conflict",
    `Cannot ${action}: changes are staged of ${named.join(", ")}${
      rest > 0 ? ` and ${rest} more` : ""
    }; ${wayOut}`,
  );
}
