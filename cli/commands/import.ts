/**
 * `mnem import`: makes a store of a bundle, or takes what another program remembers into a store.
 *
 * @module
 */

import type { Call, Command } from "../command.ts";
import { UsageError } from "../given.ts";
import { SOURCES } from "../sources/source_table.ts";

const [BUNDLE] = SOURCES;

/** The flags of all sources, each once. */
const OPTIONS = [...new Set(SOURCES.flatMap(({ options = [] }) => options))];

/** See the module. */
export const IMPORT: Command = {
  name: "import",
  summary: "make a store of a bundle, or take in what others remember",
  more:
    `A bundle makes a store in which every id stays what it was, and every object is checked against its id before anything can be seen; a failed import leaves nothing. With --prefix the store is there already, and the branch b of the bundle becomes <prefix>b.

Anything else is taken into the store that is there, or into the one at <path>, which is made if need be: one commit a source, and the evidence of each node names its file and lines. What memory says already is no change. What is skipped is told, with its line.

--from says what is read:
${SOURCES.map(({ name, what }) => `  ${name}: ${what}`).join("\n")}`,
  arguments: [
    { name: "file", what: "what is read; - is a bundle on standard input" },
    {
      name: "path",
      what: "the folder of the store (else this one)",
      optional: true,
    },
  ],
  options: [
    {
      flags: "--from <kind>",
      what: "what is read (else a bundle)",
      words: SOURCES.map(({ name }) => name),
    },
    ...OPTIONS,
  ],
  examples: [
    "mnem import backup.json ./restored",
    "mnem import theirs.json --prefix theirs/",
    "curl -s https://example.com/bundle.json | mnem import - ./copy",
    "mnem import --from=server-memory memory.jsonl --dry-run",
  ],
  run: read,
};

async function read(call: Call): Promise<number | void> {
  const from = call.given.text("from") ?? BUNDLE.name;
  const source = SOURCES.find(({ name }) => name === from) ?? BUNDLE;
  for (const option of OPTIONS) {
    const [flag = "", name = ""] = /--([a-z-]+)/.exec(option.flags) ?? [];
    const given = name.replace(
      /-[a-z]/g,
      (part) => part.charAt(1).toUpperCase(),
    );
    // It would be passed over, and a dry run would write.
    if (call.given.has(given) && !source.options?.includes(option)) {
      throw new UsageError(`${flag} cannot be used with --from=${source.name}`);
    }
  }
  return await source.run(call);
}
