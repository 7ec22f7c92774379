/**
 * An agent's host starts the MCP server as a program and uses it as the agent's memory: it remembers,
 * recalls, finds a belief wrong and asks why it was held.
 *
 * Every line it prints is computed from the server's answers. It ends with its own checks.
 *
 * @module
 */

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

/** The server of this checkout; from npm it is `["npx", "mnem-mcp"]`. */
const SERVER: readonly string[] = [
  process.execPath,
  "run",
  "-A",
  fileURLToPath(new URL("../mcp/mod.ts", import.meta.url)),
];

/** What a test may change about the story. */
export interface ClientDemoOptions {
  /** What the agent read when it went wrong. */
  readonly observation?: string;
  /** The program that is the server, and its first arguments. */
  readonly server?: readonly string[];
  /** Receives each line of output. */
  readonly print?: (line: string) => void;
}

type Result = { readonly [key: string]: unknown };
type CallTool = (name: string, args: Result) => Promise<Result>;

/** Plays the story with a server on a store in a temporary folder, which it removes. */
export async function main(options: ClientDemoOptions = {}): Promise<void> {
  const {
    observation = "billing-note-8842",
    server: [command = "", ...args] = SERVER,
    print = toTerminal,
  } = options;
  const folder = await mkdtemp(join(tmpdir(), "mnem-client-"));
  const client = new Client({ name: "demo-host", version: "1.0.0" }, {
    versionNegotiation: { mode: "auto" },
  });
  try {
    await client.connect(
      new StdioClientTransport({
        command,
        args: [...args, `--store=${join(folder, "mem")}`],
        // Else a Deno with its cache elsewhere would fetch its modules anew.
        env: environment(),
        stderr: "ignore",
      }),
    );
    const { tools } = await client.listTools();
    print(
      `Revision ${client.getNegotiatedProtocolVersion()}, ${tools.length} tools: ${
        tools.map((tool) => tool.name).join(", ")
      }`,
    );
    await tell(callerOf(client), observation, print);
  } finally {
    await client.close();
    await rm(folder, { recursive: true });
  }
}

async function tell(
  call: CallTool,
  observation: string,
  print: (line: string) => void,
): Promise<void> {
  const opened = await call("remember", {
    id: "customer/plan",
    content: "enterprise",
    source: "contract",
  });
  const misread = await call("revise", {
    id: "customer/plan",
    content: "pro",
    observation,
    step: "step-31",
    summary: "read the billing note",
  });
  const believed = await call("recall", { id: "customer/plan" });
  print(`\nBelieved: plan = ${contentOf(believed["result"])}`);

  const why = await call("why", { id: "customer/plan" });
  const { provenance } = Object(why["node"]);
  print(`  since commit   ${short(why["commit"])}`);
  print(`  it rests on    ${provenance.observation}, ${provenance.agent_step}`);

  const before = await call("recall_at", {
    commit: `${why["commit"]}~1`,
    id: "customer/plan",
  });
  print(`  before that    plan = ${contentOf(before["result"])}`);

  await call("revise", {
    id: "customer/plan",
    content: contentOf(before["result"]),
    note: `${provenance.observation} was misread`,
    base: believed["as_of"],
  });
  const now = await call("recall", { id: "customer/plan" });
  const { result: log } = await call("history", {});
  const messages = Object(log).map((commit: Result) => commit["message"]);
  print(`\nCorrected: plan = ${contentOf(now["result"])}`);
  print(`  history        ${messages.join(" <- ")}`);

  assert.equal(contentOf(now["result"]), "enterprise");
  assert.equal(why["commit"], misread["commit"]);
  assert.equal(before["as_of"], opened["commit"]);
  assert.equal(provenance.observation, observation);
  assert.equal(messages.length, 3);
  print("  every check holds");
}

/** Calls a tool and returns its structured result; an error result is thrown. */
function callerOf(client: Client): CallTool {
  return async (name, args) => {
    const result = await client.callTool({ name, arguments: args });
    if (result.isError) throw new Error(JSON.stringify(result.content));
    return Object(result.structuredContent);
  };
}

function environment(): Record<string, string> {
  const set = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]]
  );
  return Object.fromEntries(set);
}

function contentOf(node: unknown): unknown {
  return Object(node).content;
}

function short(id: unknown): string {
  return String(id).slice(0, 12);
}

function toTerminal(line: string): void {
  // deno-lint-ignore no-console -- the demo talks to whoever runs it
  console.log(line);
}

if (import.meta.main) await main();
