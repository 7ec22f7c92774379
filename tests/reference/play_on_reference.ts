/**
 * Calls played on the reference by its Python SDK.
 *
 * @module
 */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { Json } from "@mnem/core";
import type { PlayedStep } from "./random_trace.ts";

const PLAYER = fileURLToPath(new URL("play_trace.py", import.meta.url));

/** Plays all calls in one process, on a new store in a folder, and returns the answers. */
export async function playOnReference(
  steps: readonly PlayedStep[],
  { python, folder }: { readonly python: string; readonly folder: string },
): Promise<Json[]> {
  const child = new Deno.Command(python, {
    args: [PLAYER, folder],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const output = child.output();
  const writer = child.stdin.getWriter();
  const lines = steps.map(({ op, args }) =>
    `${JSON.stringify({ op, args })}\n`
  );
  await writer.write(new TextEncoder().encode(lines.join("")));
  await writer.close();
  const { code, stdout, stderr } = await output;
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout).trimEnd().split("\n")
    .map((line) => JSON.parse(line));
}
