/**
 * Who does not use LangGraph does not load it.
 *
 * @module
 */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { type Project, readProject } from "../arch/project.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Everything that an entry imports, at once or later: files by path, packages by name. */
function reachedFrom(project: Project, entry: string): Set<string> {
  const reached = new Set<string>();
  const waiting = [entry];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    const file = project.files.get(name);
    for (const { to } of file === undefined ? [] : project.edgesOf(file)) {
      waiting.push(to.kind === "file" ? to.path : to.name);
    }
  }
  return reached;
}

/** The modules that a program really loads from npm, as Deno resolves them. */
async function loadedBy(entry: string): Promise<string[]> {
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "--frozen", entry],
    cwd: root,
    stderr: "null",
  }).output();
  assert.equal(code, 0);
  const told: { readonly modules: readonly { readonly specifier: string }[] } =
    JSON.parse(new TextDecoder().decode(stdout));
  return told.modules.map(({ specifier }) => specifier);
}

Deno.test("the MCP server, the command line and the library do not load the store for LangGraph", async () => {
  const project = await readProject(root);
  // A package for each of which this must hold; those of them that are there.
  const entries = ["core", "agents", "mcp", "cli"].map((name) =>
    `${name}/mod.ts`
  )
    .filter((path) => project.files.has(path));
  assert.ok(entries.includes("mcp/mod.ts"));
  for (const entry of ["mod.ts", ...entries]) {
    const reached = [...reachedFrom(project, entry)];
    assert.ok(reached.includes("core/mod.ts"), entry);
    const langgraph = reached.filter((name) =>
      name.startsWith("langgraph/") || name.startsWith("@langchain/")
    );
    assert.deepEqual(langgraph, [], entry);
  }
  // The walk would find it: the store itself loads one package of LangGraph, and no other.
  const own = [...reachedFrom(project, "langgraph/mod.ts")];
  const packages = own.filter((name) => name.startsWith("@langchain/"));
  assert.deepEqual(packages, ["@langchain/langgraph-checkpoint"]);
});

Deno.test("what Deno resolves for the MCP server has nothing of LangChain", async () => {
  const isLangChain = (specifier: string) => specifier.includes("@langchain/");
  const server = await loadedBy("mcp/mod.ts");
  assert.ok(server.some((one) => one.includes("@modelcontextprotocol/")));
  assert.deepEqual(server.filter(isLangChain), []);
  assert.ok((await loadedBy("langgraph/mod.ts")).some(isLangChain));
});
