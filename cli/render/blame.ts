/**
 * Who is behind a belief, as text.
 *
 * @module
 */

import type { Blame } from "@mnem/core";
import { commitLines } from "./commit.ts";
import { nodeLines } from "./node.ts";
import type { Style } from "./style.ts";
import { shownTime } from "./time.ts";

/** The commit that wrote a value, and the value with the evidence given for it. */
export function blameLines(blame: Blame, style: Style): string[] {
  const { commit, node, timeMs } = blame;
  const fields = Object.values(node.provenance);
  return [
    ...commitLines(commit, style),
    "",
    ...nodeLines(node, style),
    ...(fields.every((text) => text === undefined) ? ["  no provenance"] : []),
    `  ${style.faint("since:")} ${shownTime(timeMs)}`,
  ];
}
