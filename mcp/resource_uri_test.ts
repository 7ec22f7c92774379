import assert from "node:assert/strict";
import { parseResourceUri } from "./resource_uri.ts";

Deno.test("parseResourceUri() names each resource", () => {
  const commit = "0".repeat(64);
  for (
    const [uri, named] of [
      ["mnem://memory", { kind: "memory" }],
      ["MNEM://memory", { kind: "memory" }],
      ["mnem://log", { kind: "log" }],
      ["mnem://status", { kind: "status" }],
      ["mnem://memory/plan", { kind: "node", id: "plan" }],
      ["mnem://memory/owner%2f%ce%b1", { kind: "node", id: "owner/α" }],
      ["mnem://memory/owner%2F%CE%B1", { kind: "node", id: "owner/α" }],
      ["mnem://memory/__proto__", { kind: "node", id: "__proto__" }],
      ["mnem://memory/log", { kind: "node", id: "log" }],
      [`mnem://commit/${commit}`, { kind: "commit", id: commit }],
    ] as const
  ) assert.deepEqual(parseResourceUri(uri), named, uri);
});

Deno.test("parseResourceUri() returns null for what is no resource", () => {
  for (
    const uri of [
      "",
      "memory",
      "mnem://",
      "mnem://memory/",
      "mnem://MEMORY",
      "mnem://elsewhere",
      "mnem://memory?x=1",
      "mnem://memory/a/b",
      "mnem://memory/a,b",
      "mnem://memory/%",
      "mnem://memory/%ff",
      "mnem://memory/..",
      "https://memory/plan",
      "file:///etc/passwd",
    ]
  ) assert.equal(parseResourceUri(uri), null, uri);
});
