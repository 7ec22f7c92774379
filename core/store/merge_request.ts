/**
 * Checks what a caller asks of a merge or a revert, before anything is read.
 *
 * @module
 */

import type { Clock } from "../clock.ts";
import type { CborValue } from "../object/cbor_value.ts";
import { checkMessage, checkTime } from "../object/commit.ts";
import { encodeNode } from "../object/memory_node.ts";
import { checkNodeId } from "../object/node_id.ts";
import { quote } from "../object/quote.ts";
import { type AskedRequest, askedRequest } from "./asked_request.ts";
import { settleAuthor } from "./prepared_write.ts";
import type { Choice } from "./settle_nodes.ts";
import type { MergeOptions, Resolution } from "./surface.ts";

/** A merge or revert, ready to be planned on any head. */
export interface MergeRequest {
  /** A caller's word on conflicts, by node id. */
  readonly resolutions: ReadonlyMap<string, Choice>;
  /** For all other conflicts. */
  readonly strategy: "ours" | "theirs" | undefined;
  /** Merges histories that have nothing in common. */
  readonly allowUnrelated: boolean;
  /** Plans only. */
  readonly dryRun: boolean;
  /** What the commit says of itself; undefined: the default. */
  readonly message: string | undefined;
  /** Who makes it. */
  readonly author: string;
  /** When, in Unix milliseconds. */
  readonly timeMs: number;
}

/**
 * The request of a merge or revert under its key; undefined where it has none, or is only to be tried.
 * `what` is which of them, and of what: as it was called, for a branch may move until it is asked again.
 */
export function askedMerge(
  { key }: MergeOptions,
  what: readonly CborValue[],
  { resolutions, strategy, allowUnrelated, dryRun }: MergeRequest,
): AskedRequest | undefined {
  const asked = askedRequest(key, () => [
    ...what,
    strategy ?? null,
    allowUnrelated,
    new Map(
      Array.from(
        resolutions,
        ([id, choice]) =>
          [id, typeof choice === "string" ? choice : choice.object] as const,
      ),
    ),
  ]);
  return dryRun ? undefined : asked;
}

/** Checks options. Throws TypeError or RangeError for those that cannot be. */
export function prepareMerge(
  options: MergeOptions,
  defaults: { readonly author: string | undefined; readonly clock: Clock },
): MergeRequest {
  const { resolutions = {}, strategy, message } = options;
  const given: unknown = strategy;
  if (given !== undefined && given !== "ours" && given !== "theirs") {
    throw new TypeError(
      `"strategy" must be "ours" or "theirs", got ${quote(String(given))}`,
    );
  }
  if (typeof resolutions !== "object" || resolutions === null) {
    throw new TypeError(`"resolutions" must be an object of node ids`);
  }
  const choices = Object.entries(resolutions)
    .map(([id, resolution]) =>
      [checkNodeId(id), prepareChoice(id, resolution)] as const
    );
  return {
    resolutions: new Map(choices),
    strategy,
    allowUnrelated: options.allowUnrelated ?? false,
    dryRun: options.dryRun ?? false,
    message: message === undefined ? undefined : checkMessage(message),
    author: settleAuthor(options, defaults),
    timeMs: checkTime(options.timeMs ?? defaults.clock()),
  };
}

const WORDS: readonly unknown[] = ["ours", "theirs", "base", "delete"];

function prepareChoice(id: string, resolution: Resolution): Choice {
  if (typeof resolution === "string" && WORDS.includes(resolution)) {
    return resolution;
  }
  if (typeof resolution !== "object" || resolution === null) {
    throw new TypeError(
      `Cannot resolve node ${quote(id)} to ${quote(String(resolution))}: ` +
        `must be "ours", "theirs", "base", "delete" or a node`,
    );
  }
  const { id: object, bytes } = encodeNode(id, resolution);
  return { object, bytes };
}
