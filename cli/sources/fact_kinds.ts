/**
 * The kinds of sources that are lists of facts.
 *
 * @module
 */

import type { FactKind } from "./facts_import.ts";
import { EXPORTED_LISTS, parseExport } from "./exported_items.ts";
import { fileReading } from "./file_reading.ts";
import { parseGraphLines } from "./graph_lines.ts";
import { jsonPieces } from "./json_pieces.ts";
import { noteReading } from "./note_reading.ts";
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
  {
    name: "mem0",
    what: "JSON that mem0 exports: get_all, or an export by schema",
    open: (options) =>
      fileReading(
        "mem0",
        options,
        (bytes) => parseExport(jsonPieces(bytes, EXPORTED_LISTS)),
      ),
  },
  {
    name: "markdown",
    what: "a Markdown file such as CLAUDE.md, or a folder of notes",
    open: noteReading,
  },
];
