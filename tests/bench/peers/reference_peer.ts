/**
 * The reference by its Python SDK, in a process of its own.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { referencePython } from "../../reference/programs.ts";
import { startChild } from "./child_program.ts";
import { firstValue, type Peer } from "./peer.ts";

const PROGRAM = fileURLToPath(
  new URL("./reference_program.py", import.meta.url),
);

/** It takes its own times. */
export const REFERENCE: Peer = {
  name: "the reference",
  nodesMax: 10_000,
  async missing() {
    const python = await referencePython();
    return python.path === undefined ? python.missing : undefined;
  },
  async fill(folder, ids) {
    const child = new Deno.Command(await python(), {
      args: [PROGRAM, "fill", folder],
      stdin: "piped",
    }).spawn();
    const lines = ids.map((id) =>
      JSON.stringify({ id, content: firstValue(id) })
    );
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(lines.join("\n")));
    await writer.close();
    const { code } = await child.status;
    if (code !== 0) throw new Error(`The reference ended with ${code}`);
  },
  open: async (folder) => startChild([await python(), PROGRAM, "open", folder]),
};

async function python(): Promise<string> {
  const { path } = await referencePython();
  if (path === undefined) throw new Error("There is no reference");
  return path;
}
