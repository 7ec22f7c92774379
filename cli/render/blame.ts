/**
 * Who is behind a belief, as text.
 *
 * @module
 */

import type { Blame } from "@mnem/core";
import { commitLines } from "./commit.ts";
import { evidenceFields, nodeLines } from "./node.ts";
import type { Style } from "./style.ts";
import { shownTime } from "./time.ts";

/** The commit that wrote a value, and the value with the evidence given for it. */
export function blameLines(blame: Blame, style: Style): string[] {
  const { commit, node, timeMs } = blame;
  return [
    ...commitLines(commit, style),
    "",
    ...nodeLines(node, style),
    ...(evidenceFields(node).length === 0 ? ["  no provenance"] : []),
    `  ${style.faint("since:")} ${shownTime(timeMs)}`,
  ];
}
