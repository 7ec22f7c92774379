/**
 * Writes the list of exported names that the architecture tests compare the entries with. Run it when
 * a name is added or taken away on purpose, and look at the difference.
 *
 * @module
 */

import { writeFile } from "node:fs/promises";
import { readPackages } from "./packages.ts";

interface Documented {
  readonly nodes: {
    readonly [url: string]: {
      readonly symbols: readonly { readonly name: string }[];
    };
  };
}

const names: { [specifier: string]: string[] } = {};
for (const { entries } of await readPackages()) {
  for (const [specifier, file] of entries) {
    names[specifier] = await exportedNames(file);
  }
}
await writeFile(
  "tests/arch/exports.json",
  JSON.stringify(names, null, 2) + "\n",
);

async function exportedNames(file: string): Promise<string[]> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["doc", "--json", file],
  }).output();
  if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
  const documented = parseDocumented(new TextDecoder().decode(stdout));
  const symbols = Object.values(documented.nodes).flatMap((one) => one.symbols);
  return [...new Set(symbols.map((one) => one.name))].sort();
}

function parseDocumented(text: string): Documented {
  return JSON.parse(text);
}
