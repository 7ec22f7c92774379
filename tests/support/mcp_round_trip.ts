/**
 * What an MCP server must answer however it was installed: a memory that it keeps.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  answerTo,
  call,
  INITIALIZE,
  resultOf,
  runServer,
  type StartOptions,
} from "../mcp/server_process.ts";

/** Starts a server twice on one store: remembers in the first run, recalls in the second. */
export async function mcpRoundTrip(
  flags: string[],
  options: StartOptions,
): Promise<void> {
  const written = await runServer(
    flags,
    INITIALIZE + call(1, "remember", {
      id: "plan",
      content: "pro",
      observation: "note-17",
    }),
    options,
  );
  assert.equal(written.code, 0, written.stderr);
  const { result } = answerTo(written, "init");
  assert.equal(Object(result?.["serverInfo"]).name, "mnem");
  assert.deepEqual(resultOf(written, 1)["changes"], { plan: "added" });
  assert.match(written.stderr, /made a new store/);

  const read = await runServer(
    flags,
    INITIALIZE + call(1, "recall", { id: "plan" }) +
      call(2, "why", { id: "plan" }),
    options,
  );
  assert.equal(read.code, 0, read.stderr);
  assert.equal(Object(resultOf(read, 1)["result"]).content, "pro");
  assert.equal(resultOf(read, 2)["commit"], resultOf(written, 1)["commit"]);
  assert.doesNotMatch(read.stderr, /made a new store/);
}
