/**
 * What the list of tools costs a model, and the table of it in the documents.
 *
 * @module
 */

import { coreTools, listedTools } from "../../mcp/tools.ts";

/** What a model reads of a tool, and what a host assumes of it. */
export interface MeasuredTool {
  readonly name: string;
  readonly description: string;
  readonly input: { readonly [keyword: string]: unknown };
  readonly annotations: { readonly [hint: string]: unknown };
}

/** What the tools for a model may take of its context together, in bytes. */
export const CORE_BYTES_MAX = 7_200;

const BEGIN = "<!-- written by `deno task tools` -->";
const END = "<!-- until here -->";

/** Returns the bytes of tools as compact JSON in UTF-8: name, description and input schema. */
export function toolBytes(tools: readonly MeasuredTool[]): number {
  return bytesOf(tools.map(readByModel));
}

/** Returns what is wrong with the size of tools, each with its bytes; undefined if they fit. */
export function overBudget(
  tools: readonly MeasuredTool[],
): string | undefined {
  const bytes = toolBytes(tools);
  if (bytes <= CORE_BYTES_MAX) return undefined;
  const each = tools.map((tool) =>
    `${tool.name} ${bytesOf(readByModel(tool))}`
  );
  return `${bytes} bytes, must be at most ${CORE_BYTES_MAX}: ${
    each.join(", ")
  }`;
}

/** Returns a table of tools in Markdown, as the formatter would write it. */
export function toolTable(tools: readonly MeasuredTool[]): string {
  const rows = tools.map((tool) => [
    `\`${tool.name}\``,
    String(bytesOf(readByModel(tool))),
    ...["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"]
      .map((hint) => tool.annotations[hint] ? "yes" : "no"),
    argumentsText(tool.input),
  ]);
  return markdownTable([
    [
      "tool",
      "bytes",
      "read only",
      "destructive",
      "idempotent",
      "open world",
      "arguments",
    ],
    ...rows,
  ]);
}

/** Returns a document with the tables of the tools as they are now between its marks. */
export function withToolTables(document: string): string {
  const [before, rest = ""] = document.split(`${BEGIN}\n`);
  const [, after] = rest.split(`${END}\n`);
  if (after === undefined) {
    throw new Error(`Cannot write tables: no "${END}" after "${BEGIN}"`);
  }
  const core = coreTools();
  const harness = listedTools({ tools: "all" }).slice(core.length);
  return [
    before,
    `${BEGIN}\n\n`,
    `Core, ${toolBytes(core)} bytes of ${CORE_BYTES_MAX}:\n\n`,
    toolTable(core),
    `\nFor a harness, ${toolBytes(harness)} bytes more:\n\n`,
    toolTable(harness),
    `\n${END}\n`,
    after,
  ].join("");
}

function readByModel({ name, description, input }: MeasuredTool): unknown {
  return { name, description, inputSchema: input };
}

function bytesOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

/** `id, base?`: what may be left out has a question mark. */
function argumentsText(input: MeasuredTool["input"]): string {
  const { properties = {}, required = [] } = input;
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.keys(Object(properties))
    .map((name) => needed.has(name) ? name : `${name}?`).join(", ");
}

function markdownTable(rows: readonly (readonly string[])[]): string {
  const [head = []] = rows;
  const widths = head.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0))
  );
  const line = (cells: readonly string[], fill: string) =>
    `| ${
      widths.map((width, column) => (cells[column] ?? "").padEnd(width, fill))
        .join(" | ")
    } |\n`;
  const [first, ...others] = rows.map((row) => line(row, " "));
  return [first, line([], "-"), ...others].join("");
}
