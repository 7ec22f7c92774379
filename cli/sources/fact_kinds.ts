/**
 * The kinds of sources that are lists of facts.
 *
 * @module
 */

import type { FactKind } from "./facts_import.ts";
import { fileReading } from "./file_reading.ts";
import { parseGraphLines } from "./graph_lines.ts";
import { textLines } from "./text_lines.ts";

/** All of them, in the order in which help lists them. */
export const FACT_KINDS: readonly FactKind[] = [
  {
    name: "server-memory",
    what: "the JSONL file of @modelcontextprotocol/server-memory",
    open: (options) =>
      fileReading(
        "server-memory",
        options,
        (bytes) => parseGraphLines(textLines(bytes)),
      ),
  },
];
