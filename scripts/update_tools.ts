/**
 * Writes the tables of the MCP tools into their document. Run it when a tool's text or schema is
 * changed, and look at the difference.
 *
 * @module
 */

import { readFile, writeFile } from "node:fs/promises";
import { withToolTables } from "../tests/mcp/tool_table.ts";

const DOCUMENT = "docs/MCP_TOOLS.md";

await writeFile(DOCUMENT, withToolTables(await readFile(DOCUMENT, "utf8")));
