/**
 * Runs the kit on the three stores and prints its table, as it stands in the kit's README:
 *
 * ```sh
 * deno run -A tests/langgraph/kit_table.ts            # prints
 * deno run -A tests/langgraph/kit_table.ts --write    # writes the README
 * ```
 *
 * @module
 */

import type { BaseStore } from "@langchain/langgraph-checkpoint";
import {
  checkStore,
  type ConformanceOptions,
  STORE_CASES,
} from "@mnem/langgraph/testing";
import {
  fileSubject,
  inMemorySubject,
  postgresSubject,
} from "../support/kit_subjects.ts";
import { postgresMissing, startPostgres } from "../support/postgres_server.ts";
import {
  IN_MEMORY_REASONS,
  POSTGRES_REASONS,
  type Reasons,
} from "../support/store_deviations.ts";

/** Where the table stands. */
export const README = new URL(
  "../../langgraph/testing/README.md",
  import.meta.url,
);

const BEGIN = "<!-- the kit's table -->";
const END = "<!-- its end -->";

/** A store, and what it breaks. */
export interface Column {
  /** What it is called. */
  readonly name: string;
  /** The letter before the numbers of its reasons. */
  readonly letter: string;
  /** What it breaks, by reason. */
  readonly reasons: Reasons;
}

/** The three stores with what is listed of them. */
export const COLUMNS: readonly Column[] = [
  { name: "MnemosyneStore", letter: "O", reasons: new Map() },
  { name: "InMemoryStore", letter: "M", reasons: IN_MEMORY_REASONS },
  { name: "PostgresStore", letter: "P", reasons: POSTGRES_REASONS },
];

/** The table: a line for each rule, then the reasons, in Markdown. */
export function tableOf(columns: readonly Column[]): string {
  const heads = ["rule", "rests on", ...columns.map(({ name }) => name)];
  const rows = STORE_CASES.map(({ id, basis }) => [
    `\`${id}\``,
    basis,
    ...columns.map((column) => cellOf(column, id)),
  ]);
  const kept = columns.map(({ reasons }) => {
    const broken = [...reasons.values()].flat().length;
    return `${STORE_CASES.length - broken} of ${STORE_CASES.length}`;
  });
  const lines = [
    heads,
    heads.map(() => "---"),
    ["kept", "", ...kept],
    ...rows,
  ];
  const reasons = columns.flatMap(({ letter, reasons }) =>
    [...reasons.keys()].map((reason, i) => `- ${letter}${i + 1}: ${reason}`)
  );
  const table = lines.map((cells) => `| ${cells.join(" | ")} |`);
  return [...table, "", ...reasons].join("\n");
}

function cellOf({ letter, reasons }: Column, id: string): string {
  const place = [...reasons.values()].findIndex((ids) => ids.includes(id));
  return place === -1 ? "yes" : `${letter}${place + 1}`;
}

/** The README with that table in it, as `deno fmt` writes it. */
export async function readmeWith(table: string): Promise<string> {
  const text = await Deno.readTextFile(README);
  const [before, after] = [text.split(BEGIN)[0], text.split(END)[1]];
  if (after === undefined) throw new Error(`${README} has no place for it`);
  const child = new Deno.Command(Deno.execPath(), {
    args: ["fmt", "--ext=md", "-"],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const whole = `${before}${BEGIN}\n\n${table}\n\n${END}${after}`;
  await new Blob([whole]).stream().pipeTo(child.stdin);
  const { success, stdout } = await child.output();
  if (!success) throw new Error("deno fmt failed");
  return new TextDecoder().decode(stdout);
}

/** Says what a store really does where that is not what is listed. */
async function surprises<S extends BaseStore>(
  subject: ConformanceOptions<S>,
): Promise<string[]> {
  const results = await checkStore(subject);
  return results.filter(({ outcome }) =>
    outcome === "broken" || outcome === "stale"
  ).map((one) => `${subject.name}: ${one.case.id} is ${one.outcome}`);
}

async function main(args: readonly string[]): Promise<number> {
  const found = [
    ...await surprises(fileSubject()),
    ...await surprises(inMemorySubject()),
  ];
  const missing = await postgresMissing();
  if (missing === undefined) {
    await using server = await startPostgres({ fast: true });
    found.push(...await surprises(postgresSubject(server)));
  }
  const table = tableOf(COLUMNS);
  if (args.includes("--write")) {
    await Deno.writeTextFile(README, await readmeWith(table));
  } else console.log(table);
  if (missing !== undefined) {
    console.error(`PostgresStore is as listed, and was not run: ${missing}`);
  }
  for (const surprise of found) console.error(surprise);
  return found.length === 0 ? 0 : 1;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
