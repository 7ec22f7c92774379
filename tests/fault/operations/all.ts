/**
 * Every operation of the public surface, each as small as it can be and still be all of it.
 *
 * @module
 */

import { BULKS } from "./bulks.ts";
import { MERGES } from "./merges.ts";
import { PLACES } from "./places.ts";
import { READS } from "./reads.ts";
import { REFS } from "./refs.ts";
import { STAGE } from "./stage.ts";
import { WRITES } from "./writes.ts";
import type { FaultOperation } from "../../support/fault_matrix.ts";

/** All of them. */
export const FAULT_OPERATIONS: readonly FaultOperation[] = [
  ...WRITES,
  ...MERGES,
  ...BULKS,
  ...STAGE,
  ...REFS,
  ...READS,
  ...PLACES,
];
