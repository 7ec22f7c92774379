/**
 * The example of a host tells what it promises, and computes what it tells.
 *
 * @module
 */

import assert from "node:assert/strict";
import { main } from "../../examples/mcp_client.ts";
import { CORE_NAMES } from "./tool_names.ts";

Deno.test("mcp_client remembers, recalls and asks why over stdio", async () => {
  const lines: string[] = [];
  await main({
    observation: "phone-call-17",
    print: (line) => void lines.push(line),
  });
  const output = lines.join("\n");
  const names = CORE_NAMES.join(", ");
  const first = `Revision 2026-07-28, ${CORE_NAMES.length} tools: ${names}\n`;
  assert.ok(output.startsWith(first), output);
  assert.match(output, /Believed: plan = pro\n/);
  assert.match(output, /it rests on +phone-call-17, step-31\n/);
  assert.match(output, /before that +plan = enterprise\n/);
  assert.match(output, /Corrected: plan = enterprise\n/);
  assert.match(output, /every check holds$/);
});
