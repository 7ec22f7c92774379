/**
 * The lines of docs/SECURITY.md that start something with the permissions it needs, typed as a reader
 * would type them.
 *
 * @module
 */

import { copyFile, readFile, writeFile } from "node:fs/promises";
import { call, INITIALIZE } from "../mcp/server_process.ts";
import { kvConnectServer } from "./kv_connect_server.ts";
import { exported } from "./bundles.ts";
import { tempFolder } from "./temp_folder.ts";
import { tempStore } from "./temp_store.ts";

const ROOT = new URL("../../", import.meta.url);
const page = await readFile(new URL("docs/SECURITY.md", ROOT), "utf8");

/** The lines. In them DIR is the folder of a store, HOST that of a server, FILE a bundle. */
export const PERMISSION_LINES: readonly string[] =
  page.match(/^deno run .*$/gm) ?? [];

/** What stands for a package of JSR. */
const PROGRAMS: { readonly [name: string]: string } = {
  "jsr:@mnem/mcp": new URL("mcp/mod.ts", ROOT).pathname,
  "jsr:@mnem/cli": new URL("cli/mod.ts", ROOT).pathname,
};

/** The programs of a reader. */
const READERS: { readonly [name: string]: string } = {
  "main.ts": `import { openStore, recall, remember } from "@mnem/mnemosyne";
try {
  await using store = await openStore(Deno.args[0], { create: true });
  await remember(store, "plan", "pro");
  console.log((await recall(store, "plan"))?.content);
} catch ({ code, message }) {
  console.error(code, message);
  Deno.exit(7);
}`,
  "graph.ts": `import { MnemosyneStore } from "@mnem/langgraph";
try {
  await using store = await MnemosyneStore.open(Deno.args[0], { create: true });
  await store.put(["users"], "plan", { tier: "pro" });
  console.log((await store.get(["users"], "plan"))?.value);
} catch ({ code, message }) {
  console.error(code, message);
  Deno.exit(7);
}`,
};

/** What a line is about, made anew; `await using` takes it away. */
export interface LinePlace extends AsyncDisposable {
  /** The folder in which it is typed. */
  readonly path: string;
  /** The folder of the store, or its URL. */
  readonly store: string;
}

/** Makes the place of a line: a store that another program wrote where it reads one, a server where it names one. */
export async function linePlace(line: string): Promise<LinePlace> {
  const folder = await tempFolder();
  const path = await Deno.realPath(folder.path);
  await readersFolder(path);
  const server = line.includes("HOST")
    ? await kvConnectServer(`${path}/kv.db`, "t0ken")
    : undefined;
  if (/ (recall|verify|export|import)\b/.test(line)) {
    await using made = await tempStore();
    await made.store.write([{ id: "plan", content: "pro" }], { message: "" });
    await writeFile(`${path}/bundle.json`, await exported(made.store));
    await made.store.close();
    await Deno.rename(made.path, `${path}/mem`);
    await Deno.mkdir(made.path);
  }
  return {
    path,
    store: server?.url ?? `${path}/mem`,
    async [Symbol.asyncDispose]() {
      await server?.[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** A folder without the flags of this workspace, in which its packages have their names. */
async function readersFolder(path: string): Promise<void> {
  const { imports } = JSON.parse(
    await readFile(new URL("deno.json", ROOT), "utf8"),
  );
  for (const name of ["core", "agents", "mcp", "langgraph"]) {
    imports[`@mnem/${name}`] = new URL(`${name}/mod.ts`, ROOT).href;
  }
  imports["@mnem/mnemosyne"] = new URL("mod.ts", ROOT).href;
  await writeFile(`${path}/deno.json`, JSON.stringify({ imports }));
  for (const [name, text] of Object.entries(READERS)) {
    await writeFile(`${path}/${name}`, text);
  }
  // Versions come from here: a cache that was made by a lock file holds no list of them.
  await copyFile(new URL("deno.lock", ROOT), `${path}/deno.lock`);
}

/** Types a line, and gives a server the requests of a client to read. */
export async function typed(
  line: string,
  { path, store }: LinePlace,
): Promise<{ readonly code: number; readonly said: string }> {
  const isReader = Object.keys(READERS).some((name) => line.endsWith(name));
  const words = `${line}${isReader ? " DIR" : ""}`.split(" ").slice(2)
    .map((word) =>
      PROGRAMS[word] ??
        word.replace("DIR", store).replace("FILE", `${path}/bundle.json`)
          .replace("HOST", new URL(store, ROOT).host)
    );
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--cached-only", ...words],
    cwd: path,
    clearEnv: true,
    env: { ...cacheVariables(), DENO_KV_ACCESS_TOKEN: "t0ken" },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  const requests = INITIALIZE +
    call(1, "remember", { id: "plan", content: "pro" });
  await writer.write(new TextEncoder().encode(requests)).catch(() => {});
  await writer.close().catch(() => {});
  const { code, stdout, stderr } = await child.output();
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, said: decode(stdout) + decode(stderr) };
}

/** Where Deno finds its cache; what else is set here, such as NO_COLOR, is looked at by some packages. */
function cacheVariables(): { [name: string]: string } {
  return Object.fromEntries(
    ["HOME", "DENO_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"].flatMap((name) => {
      const value = Deno.env.get(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
