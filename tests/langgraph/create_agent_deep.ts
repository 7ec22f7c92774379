/**
 * The store under `createAgent` of the package `langchain`, with tools and middleware. That package is
 * no dependency here: the program below runs in a folder of its own, from the npm registry.
 *
 * @module
 */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { tempFolder } from "../support/temp_folder.ts";

/** How long it takes on two busy cores. */
export const SECONDS = 8;

const LANGCHAIN = "npm:langchain@^1.5.14";
const root = fileURLToPath(new URL("../../", import.meta.url));

const PROGRAM = `
import { AIMessage, createAgent, createMiddleware, fakeModel, tool } from "langchain";
import { mnemosyne, MnemosyneStore } from "@mnem/langgraph";
import { z } from "zod";

await using store = await MnemosyneStore.open("./mem", { create: true });
const seen = [];
const save = tool(async ({ tier }, runtime) => {
  await runtime.store.put(["users", "u1"], "plan", { tier, _meta: { tool_call: runtime.toolCallId } });
  seen.push((await mnemosyne(runtime).history()).commits.length);
  return "saved";
}, { name: "save", description: "saves", schema: z.object({ tier: z.string() }) });
const reading = createMiddleware({
  name: "reading",
  wrapModelCall: async (request, handler) => {
    const items = await request.runtime.store.search(["users", "u1"]);
    seen.push(items.map(({ value }) => value.tier));
    return await handler(request);
  },
});
const model = fakeModel()
  .respondWithTools([{ name: "save", args: { tier: "pro" }, id: "call-1" }])
  .respond(new AIMessage("done"));
const agent = createAgent({ model, tools: [save], middleware: [reading], store });
await agent.invoke({ messages: [{ role: "user", content: "I am pro" }] });
const { node } = await store.why(["users", "u1"], "plan");
console.log(JSON.stringify({ seen, provenance: node.provenance, content: node.content }));
`;

const available = await canLoad(LANGCHAIN);

Deno.test({
  name:
    "createAgent() of langchain keeps its memory here, in tools and in middleware",
  ignore: !available,
  fn: async () => {
    await using folder = await tempFolder();
    const file = (path: string) => new URL(path, `file://${root}`).href;
    const { imports } = JSON.parse(await Deno.readTextFile(`${root}deno.json`));
    const config = {
      unstable: ["kv"],
      imports: {
        ...imports,
        "@mnem/core": file("core/mod.ts"),
        "@mnem/agents": file("agents/mod.ts"),
        "@mnem/langgraph": file("langgraph/mod.ts"),
        "langchain": LANGCHAIN,
      },
    };
    await Deno.writeTextFile(
      `${folder.path}/deno.json`,
      JSON.stringify(config),
    );
    await Deno.writeTextFile(`${folder.path}/agent.ts`, PROGRAM);
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", "agent.ts"],
      cwd: folder.path,
      env: { NO_COLOR: "1" },
    }).output();
    assert.equal(code, 0, new TextDecoder().decode(stderr));
    assert.deepEqual(JSON.parse(new TextDecoder().decode(stdout)), {
      seen: [[], 1, ["pro"]],
      provenance: { toolCall: "call-1" },
      content: { tier: "pro" },
    });
  },
});

/** Whether the registry, or the cache, has a package. */
async function canLoad(specifier: string): Promise<boolean> {
  await using folder = await tempFolder();
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["cache", "--no-lock", "--no-config", specifier],
    cwd: folder.path,
    stdout: "null",
    stderr: "null",
  }).output();
  return code === 0;
}
