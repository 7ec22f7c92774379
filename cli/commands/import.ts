/**
 * `mnem import`: makes a store of a bundle, or takes what another program remembers into a store.
 *
 * @module
 */

import type { Call, Command } from "../command.ts";
import { SOURCES } from "../sources/source_table.ts";

const [BUNDLE] = SOURCES;

/** See the module. */
export const IMPORT: Command = {
  name: "import",
  summary: "make a store of a bundle, or take its branches into this one",
  more:
    `Every id stays what it was, and every object is checked against its id before anything can be seen; a failed import leaves nothing. With --prefix the store is there already, and the branch b of the bundle becomes <prefix>b.

--from says what is read:
${SOURCES.map(({ name, what }) => `  ${name}: ${what}`).join("\n")}`,
  arguments: [
    { name: "file", what: "the bundle, or - for standard input" },
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
    ...new Set(SOURCES.flatMap(({ options = [] }) => options)),
  ],
  examples: [
    "mnem import backup.json ./restored",
    "mnem import theirs.json --prefix theirs/",
    "curl -s https://example.com/bundle.json | mnem import - ./copy",
  ],
  run: read,
};

async function read(call: Call): Promise<number | void> {
  const from = call.given.text("from") ?? BUNDLE.name;
  const source = SOURCES.find(({ name }) => name === from) ?? BUNDLE;
  return await source.run(call);
}
