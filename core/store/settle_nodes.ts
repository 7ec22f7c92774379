/**
 * Decides, node by node, what a merge or a revert makes of two sides.
 *
 * @module
 */

import { MnemError } from "../errors.ts";
import { quote } from "../object/quote.ts";
import { type Entry, sameEntry, SELF } from "../state/chunk.ts";
import {
  type Base,
  mergeThree,
  sameObject,
  shownBase,
} from "../state/three_way.ts";
import { entryAfter } from "./entry_after.ts";
import type { Reconciler } from "./reconcile.ts";
import type { StateEdit } from "./state_edit.ts";

/** One node on which two sides may differ. */
export interface NodeCase {
  /** The node id. */
  readonly id: string;
  /** What both sides started from. */
  readonly base: Base;
  /** What the branch holds. */
  readonly ours: Entry | null;
  /** What is brought in. */
  readonly theirs: Entry | null;
}

/** A caller's word on a conflict. */
export type Choice =
  | "ours"
  | "theirs"
  | "base"
  | "delete"
  | { readonly object: Uint8Array; readonly bytes: Uint8Array };

/** How conflicts are decided. */
export interface Choices {
  /** By node id; before anything else. */
  readonly resolutions: ReadonlyMap<string, Choice>;
  /** For all others. */
  readonly strategy: "ours" | "theirs" | undefined;
  /** Whether `theirs` is a parent of the commit: its values then keep the origins they have there. */
  readonly theirsIsParent: boolean;
}

/** What becomes of the nodes. */
export interface Settlement {
  /** What changes in the tree, in the order of the cases; some change their origins only. */
  readonly edits: readonly StateEdit[];
  /** What no one decided. */
  readonly conflicts: readonly NodeCase[];
  /** Same content, other evidence: one side's evidence is kept. */
  readonly reconciled: readonly string[];
}

/**
 * Settles all cases. Throws `not_found` for a resolution of a node that does not conflict, and for
 * the resolution "base" where there is none.
 */
export async function settleNodes(
  cases: readonly NodeCase[],
  choices: Choices,
  reconciler: Reconciler,
): Promise<Settlement> {
  const edits: StateEdit[] = [];
  const conflicts: NodeCase[] = [];
  const reconciled: string[] = [];
  const met = new Set<string>();
  for (const node of cases) {
    const result = mergeThree(node.base, node.ours, node.theirs);
    if (result !== "conflict") {
      pushEdit(
        edits,
        node,
        result === "ours" ? node.ours : node.theirs,
        choices,
      );
      continue;
    }
    met.add(node.id);
    const choice = choices.resolutions.get(node.id) ?? choices.strategy;
    if (choice !== undefined) {
      pushChoice(edits, node, choice, choices);
      continue;
    }
    const kept = node.ours === null || node.theirs === null
      ? null
      : await reconciler.pick(node.ours, node.theirs);
    if (kept === null) conflicts.push(node);
    else {
      reconciled.push(node.id);
      pushEdit(edits, node, kept, choices);
    }
  }
  refuseStale(choices, met);
  return { edits, conflicts, reconciled };
}

/** Throws `not_found` for a resolution of a node that is not among the conflicts met. */
export function refuseStale(
  choices: Pick<Choices, "resolutions">,
  met: ReadonlySet<string>,
): void {
  for (const id of choices.resolutions.keys()) {
    if (!met.has(id)) {
      throw new MnemError(
        "not_found",
        `Cannot resolve node ${quote(id)}: it does not conflict`,
      );
    }
  }
}

function pushChoice(
  edits: StateEdit[],
  node: NodeCase,
  choice: Choice,
  choices: Choices,
): void {
  if (typeof choice !== "string") {
    const { object, bytes } = choice;
    return pushEdit(edits, node, { object }, choices, bytes);
  }
  switch (choice) {
    case "ours":
      return pushEdit(edits, node, node.ours, choices);
    case "theirs":
      return pushEdit(edits, node, node.theirs, choices);
    case "delete":
      return pushEdit(edits, node, null, choices);
    case "base": {
      const base = shownBase(node.base);
      if (base === null) {
        throw new MnemError(
          "not_found",
          `Cannot resolve node ${quote(node.id)} to its base: it has none`,
        );
      }
      return pushEdit(edits, node, base, choices);
    }
  }
}

/** Adds what makes a node hold an object, with the origins that it then has; nothing if it is so. */
function pushEdit(
  edits: StateEdit[],
  node: NodeCase,
  kept: Pick<Entry, "object"> | null,
  choices: Choices,
  bytes?: Uint8Array,
): void {
  const { id, ours } = node;
  if (kept === null) {
    if (ours !== null) edits.push({ id, entry: null });
    return;
  }
  const theirs = choices.theirsIsParent ? node.theirs : null;
  const { object } = kept;
  const parents = [ours, theirs];
  const entry = entryAfter({ id, object }, { parents, self: SELF });
  if (ours !== null && sameEntry(ours, entry)) return;
  // What a parent holds is stored already.
  edits.push(
    bytes === undefined || entry.changed !== SELF
      ? { id, entry }
      : { id, entry, bytes },
  );
}

/** Whether an edit changes what a node says, and not only its origins. */
export function changesObject(edit: StateEdit, ours: Entry | null): boolean {
  return !sameObject(edit.entry, ours);
}
