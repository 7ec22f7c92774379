/**
 * The table of tools.
 *
 * @module
 */

import { READ_TOOLS } from "./read_tools.ts";
import type { Tool } from "./tool.ts";
import { WRITE_TOOLS } from "./write_tools.ts";

/** Returns the tools that a server lists, in a stable order: those that write first, unless it only reads. */
export function coreTools(
  options: { readonly readOnly?: boolean | undefined } = {},
): readonly Tool[] {
  return options.readOnly === true
    ? READ_TOOLS
    : [...WRITE_TOOLS, ...READ_TOOLS];
}
