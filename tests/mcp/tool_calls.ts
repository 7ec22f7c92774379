/**
 * Calls of the tools as a client makes them, on a store of this process.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Store } from "@mnem/core";
import { listedTools } from "../../mcp/tools.ts";
import { guard } from "../../mcp/tool_result.ts";

/** A JSON object in an answer. */
export type Shown = { readonly [key: string]: unknown };

/** Calls a tool and returns its structure, or the error in its `_meta`. */
export async function tryTool(
  store: Store,
  name: string,
  args: unknown = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<Shown> {
  const tool = listedTools({ tools: "all" }).find((one) => one.name === name);
  assert.ok(tool !== undefined, name);
  const result = await guard(
    () => tool.call(args, { store, author: undefined, signal }),
    (error) => {
      throw error;
    },
  );
  const error = result._meta?.["dev.mnem/error"];
  return Object(error ?? result.structuredContent);
}

/** Calls a tool that must go well. */
export async function callTool(
  store: Store,
  name: string,
  args: unknown = {},
): Promise<Shown> {
  const shown = await tryTool(store, name, args);
  assert.equal(shown["code"], undefined, JSON.stringify(shown));
  return shown;
}
