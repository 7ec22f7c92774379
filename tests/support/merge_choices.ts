/**
 * Random options of merges, for a store and for the naive model alike.
 *
 * @module
 */

import type { MergeOptions, NodeInput, Resolution } from "@mnem/core";
import { type NaiveValue, naiveValue } from "./naive_graph.ts";
import type { NaiveChoice, NaiveMerged, NaiveOptions } from "./naive_merge.ts";
import type { Chance } from "./tree_cases.ts";

/** Options for the model and for the store. */
export interface DrawnOptions {
  /** For the model. */
  readonly naive: NaiveOptions;
  /** For the store. */
  readonly real: MergeOptions;
  /** Whether the store is to write nothing. */
  readonly dryRun: boolean;
}

/** A value of few. */
export function drawValue(chance: Chance, id: string): NaiveValue {
  const source = chance.pick([undefined, "s1", "s2"]);
  const eventTimeMs = chance.below(8) === 0 ? chance.below(200) : undefined;
  const content = chance.pick(["x", "y"]);
  return naiveValue(id, content, source, eventTimeMs);
}

/** Options for both, the same. */
export function drawOptions(
  chance: Chance,
  ids: readonly string[],
  timeMs: number,
): DrawnOptions {
  const resolutions = new Map<string, NaiveChoice>();
  const real: Record<string, Resolution> = {};
  if (chance.below(4) > 0) {
    for (const id of ids) {
      if (chance.below(6) === 0) continue;
      const words = ["ours", "theirs", "base", "delete"] as const;
      const place = chance.below(5);
      const choice = words[place] ?? drawValue(chance, id);
      resolutions.set(id, choice);
      real[id] = typeof choice === "string" ? choice : inputOf(choice);
    }
  }
  const strategy = chance.pick(
    [undefined, undefined, "ours", "theirs"] as const,
  );
  const allowUnrelated = chance.below(4) > 0;
  const dryRun = chance.below(6) === 0;
  return {
    naive: { resolutions, strategy, allowUnrelated },
    real: {
      resolutions: real,
      strategy,
      allowUnrelated,
      dryRun,
      timeMs,
    },
    dryRun,
  };
}

/** Only names ids that conflict, most of the time: else nothing but refusals would be seen. */
export function fitOptions(
  chance: Chance,
  options: DrawnOptions,
  free: NaiveMerged,
): DrawnOptions {
  if (chance.below(5) === 0) return options;
  const open = new Set(
    free.is === "conflicts"
      ? free.conflicts.map(({ id }) => id)
      : free.is === "merged"
      ? free.reconciled
      : [],
  );
  const resolutions = new Map(
    [...options.naive.resolutions].filter(([id]) => open.has(id)),
  );
  for (const { id, sides } of free.is === "conflicts" ? free.conflicts : []) {
    // Most bases are of no use, so that by chance alone they would not be chosen.
    if (sides[0] === null) {
      if (resolutions.get(id) === "base") resolutions.set(id, "theirs");
    } else if (chance.below(2) === 0) resolutions.set(id, "base");
  }
  const real = Object.fromEntries(
    [...resolutions].map(([id, choice]): [string, Resolution] => [
      id,
      typeof choice === "string" ? choice : inputOf(choice),
    ]),
  );
  return {
    ...options,
    naive: { ...options.naive, resolutions },
    real: { ...options.real, resolutions: real },
  };
}

/** A value as a store takes it. */
export function inputOf(
  { content, source, eventTimeMs }: NaiveValue,
): NodeInput {
  const provenance = source === undefined ? {} : { source };
  return eventTimeMs === undefined
    ? { content, provenance }
    : { content, provenance, eventTimeMs };
}
