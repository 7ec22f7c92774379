/**
 * What goes wrong with a storage call, as whoever calls the store sees it.
 *
 * @module
 */

import type { Fault, FaultPlan, StorageCall } from "./fault_driver.ts";

/** What goes wrong: one call by itself, or one and every call after it. */
export const FAULT_KINDS = [
  "refused",
  "answer lost",
  "done late",
  "locked",
  "check failed",
  "overdue",
  "slow",
  "closed",
  "refused, then all are",
  "answer lost, then all are refused",
] as const;

/** One of them. */
export type FaultKind = typeof FAULT_KINDS[number];

/** What happens to a commit happens to a read only if it makes a difference. */
export function applies(
  kind: FaultKind,
  { operation, write }: StorageCall,
): boolean {
  if (kind === "check failed") return write?.checks !== undefined;
  const ofCommits = /lost|late|then/.test(kind);
  return operation === "commit" || !ofCommits;
}

/** The plan that makes it happen at the call of that index. */
export function planOf(kind: FaultKind, place: number): FaultPlan {
  return ({ index }) => {
    if (index < place) return undefined;
    if (index === place) return faultOf(kind);
    return isOutage(kind) ? "refuse" : undefined;
  };
}

/** It begins with one call and goes on with every later one. */
export function isOutage(kind: FaultKind): boolean {
  return kind.includes(", then");
}

function faultOf(kind: FaultKind): Fault {
  switch (kind) {
    case "refused":
    case "refused, then all are":
      return "refuse";
    case "answer lost":
    case "answer lost, then all are refused":
      return "lose";
    case "done late":
      return "late";
    case "check failed":
      return "not_ok";
    case "slow":
      return { slow: new Promise((resolve) => setTimeout(resolve, 0)) };
    default:
      return kind;
  }
}
