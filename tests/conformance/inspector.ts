/**
 * The Inspector's command line: a client that others wrote, with a judgement of schemas.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { serverArgs, serverEnv } from "../mcp/server_process.ts";
import {
  type Program,
  type ProgramRun,
  runProgram,
} from "../support/program.ts";

/** The version that the expected results are of. */
export const INSPECTOR_VERSION = "2.12.0";

/** The Inspector, as npm brings it. */
export const INSPECTOR: Program = [
  "npx",
  "--yes",
  `@modelcontextprotocol/inspector@${INSPECTOR_VERSION}`,
  "--cli",
];

/** The ways in which it can speak to a server. */
export const ERAS = ["legacy", "auto", "modern"] as const;
/** One of them. */
export type Era = typeof ERAS[number];

/** What one run came to. */
export interface Inspection extends ProgramRun {
  /** What it printed, parsed. */
  readonly answer: unknown;
}

/** Runs the Inspector against a command or a URL. */
export async function inspect(
  target: string,
  era: Era,
  ...args: string[]
): Promise<Inspection> {
  const run = await runProgram(INSPECTOR, [
    target,
    "--protocol-era",
    era,
    "--quiet",
    "--format",
    "json",
    ...args,
  ]);
  assert.notEqual(run.stdout, "", `${run.code}: ${run.stderr}`);
  return { ...run, answer: JSON.parse(run.stdout) };
}

/** Calls a tool. */
export function callTool(
  target: string,
  era: Era,
  name: string,
  args: string,
  ...more: string[]
): Promise<Inspection> {
  return inspect(
    target,
    era,
    "--method",
    "tools/call",
    "--tool-name",
    name,
    "--tool-args-json",
    args,
    ...more,
  );
}

/**
 * Writes a program that serves a store, and returns its path: flags on the Inspector's own command
 * line would be taken for the Inspector's.
 */
export async function serverScript(
  folder: string,
  ...flags: string[]
): Promise<string> {
  const path = join(folder, "mnem-mcp");
  const command = [Deno.execPath(), ...serverArgs(...flags)].map(quoted);
  const exports = Object.entries(serverEnv()).map(([name, value]) =>
    `export ${name}=${quoted(value)}\n`
  );
  const text = `#!/bin/sh\n${exports.join("")}exec ${command.join(" ")}\n`;
  await Deno.writeTextFile(path, text, { mode: 0o755 });
  return path;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
