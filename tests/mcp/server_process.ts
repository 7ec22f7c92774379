/**
 * The real server as a child process, fed with raw frames.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Program } from "../support/program.ts";

const SERVER = new URL("../../mcp/mod.ts", import.meta.url).pathname;

/** The arguments with which `Deno.execPath()` runs the server. */
export function serverArgs(...flags: string[]): string[] {
  return ["run", "-A", SERVER, ...flags];
}

/**
 * The variables that the clients must hand on: they pass a short list of
 * their own, and without its cache the server would fetch its modules anew.
 */
export function serverEnv(): Record<string, string> {
  const cache = Deno.env.get("DENO_DIR");
  return cache === undefined ? {} : { DENO_DIR: cache };
}

/** How a client's transport starts the server. */
export interface ServerCommand {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
  readonly stderr: "ignore";
}

/** The server with these flags, for the transports of the SDK's clients. */
export function serverCommand(...flags: string[]): ServerCommand {
  return {
    command: Deno.execPath(),
    args: serverArgs(...flags),
    env: serverEnv(),
    stderr: "ignore",
  };
}

/** How to start a server. */
export interface StartOptions {
  /** What runs it; else Deno runs the server of this checkout. */
  readonly program?: Program;
  /** Its working directory. */
  readonly cwd?: string;
  /** Variables beside an environment without a store. */
  readonly env?: Record<string, string>;
  /** Hands on no variable but those. */
  readonly clearEnv?: boolean;
}

/** What a server left behind. */
export interface Finished {
  readonly code: number;
  /** Its standard output, each line parsed. */
  readonly answers: Answer[];
  readonly stdout: string;
  readonly stderr: string;
}

/** An answer, as far as tests look into it. */
export interface Answer {
  readonly jsonrpc: string;
  readonly id?: string | number;
  readonly result?: CallResult & { readonly [key: string]: unknown };
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: unknown;
  };
}

/** The result of a tool call, or of another request. */
export interface CallResult {
  readonly content?: readonly { readonly text: string }[];
  readonly structuredContent?: { readonly [key: string]: unknown };
  readonly isError?: boolean;
  readonly _meta?: { readonly [key: string]: unknown };
}

/** Starts a server. */
export function startServer(
  flags: string[],
  options: StartOptions = {},
): Deno.ChildProcess {
  const [command, ...first] = options.program ??
    [Deno.execPath(), ...serverArgs()];
  return new Deno.Command(command, {
    args: [...first, ...flags],
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    clearEnv: options.clearEnv ?? false,
    env: { MNEM_STORE: "", MNEM_AUTHOR: "", NO_COLOR: "1", ...options.env },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/** Starts a server, sends it everything at once, and waits until it ends by itself. */
export async function runServer(
  flags: string[],
  input: string | Uint8Array = "",
  options: StartOptions = {},
): Promise<Finished> {
  const child = startServer(flags, options);
  const output = child.output();
  const writer = child.stdin.getWriter();
  const bytes = typeof input === "string"
    ? new TextEncoder().encode(input)
    : input;
  // A server that refuses its flags may be gone before it is written to.
  await writer.write(bytes).then(() => writer.close()).catch(() => {});
  const { code, stdout, stderr } = await output;
  const text = new TextDecoder().decode(stdout);
  const answers = text.startsWith("{") ? parseLines(text) : [];
  return { code, answers, stdout: text, stderr: decode(stderr) };
}

/** Returns the answer to a request. */
export function answerTo(
  finished: Finished,
  id: string | number,
): Answer {
  const answers = finished.answers.filter((answer) => answer.id === id);
  assert.equal(answers.length, 1, `${answers.length} answers to ${id}`);
  const [answer] = answers;
  assert.ok(answer !== undefined);
  return answer;
}

/** Returns the result of a tool call that went well; its text is the same JSON as its structure. */
export function resultOf(
  finished: Finished,
  id: string | number,
): { readonly [key: string]: unknown } {
  const { result } = answerTo(finished, id);
  const structured = result?.structuredContent;
  assert.ok(structured !== undefined, JSON.stringify(answerTo(finished, id)));
  assert.equal(result?.isError, undefined);
  assert.deepEqual(JSON.parse(result?.content?.[0]?.text ?? ""), structured);
  return structured;
}

/** Returns the code of a tool call that failed. */
export function codeOf(finished: Finished, id: string | number): unknown {
  const { result } = answerTo(finished, id);
  assert.equal(result?.isError, true, JSON.stringify(result));
  assert.equal(result?.structuredContent, undefined);
  const error = Object(result?._meta?.["dev.mnem/error"]);
  assert.equal(result?.content?.[0]?.text, `${error.code}: ${error.message}`);
  return error.code;
}

/** A request of a client of the older revisions. */
export function request(
  id: string | number,
  method: string,
  params: unknown = {},
): string {
  return `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
}

/** A request that names its revision, as 2026-07-28 demands. */
export function modernRequest(
  id: string | number,
  method: string,
  params: object = {},
  version = "2026-07-28",
): string {
  return request(id, method, {
    ...params,
    _meta: {
      "io.modelcontextprotocol/protocolVersion": version,
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  });
}

/** A tool call of a client of the older revisions. */
export function call(
  id: string | number,
  name: string,
  args: unknown = {},
): string {
  return request(id, "tools/call", { name, arguments: args });
}

/** The handshake of the older revisions. */
export const INITIALIZE: string = request("init", "initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
}) + '{"jsonrpc":"2.0","method":"notifications/initialized"}\n';

/** Reads the lines of a stream one by one, parsed. */
export async function* answersOf(
  stdout: ReadableStream<Uint8Array>,
): AsyncGenerator<Answer> {
  let rest = "";
  for await (const chunk of stdout.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield* lines.map((line): Answer => JSON.parse(line));
  }
}

function parseLines(text: string): Answer[] {
  const lines = text.split("\n");
  assert.equal(lines.pop(), "", "the last line must end");
  return lines.map((line) => JSON.parse(line));
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
