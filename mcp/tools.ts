/**
 * The table of tools.
 *
 * @module
 */

import { HARNESS_TOOLS, LISTING_TOOL } from "./harness_tools.ts";
import { READ_TOOLS } from "./read_tools.ts";
import type { Tool } from "./tool.ts";
import { WRITE_TOOLS } from "./write_tools.ts";

/** Returns the tools for a model, in a stable order: those that write first, unless it only reads. */
export function coreTools(
  options: { readonly readOnly?: boolean | undefined } = {},
): readonly Tool[] {
  return options.readOnly === true
    ? READ_TOOLS
    : [...WRITE_TOOLS, ...READ_TOOLS];
}

/**
 * Returns all tools of a server, in a stable order: the core ones, then those for a harness where
 * they are asked for. A server that only reads lists of the latter `branch`, which then lists only.
 */
export function listedTools(
  options: {
    readonly tools?: "core" | "all" | undefined;
    readonly readOnly?: boolean | undefined;
  } = {},
): readonly Tool[] {
  const core = coreTools(options);
  if (options.tools !== "all") return core;
  return [
    ...core,
    ...options.readOnly === true ? [LISTING_TOOL] : HARNESS_TOOLS,
  ];
}
