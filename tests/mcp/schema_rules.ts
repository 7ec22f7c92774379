/**
 * What hosts and model providers demand of the tools that a server lists. Each rule stands for a
 * client that refused every request, or dropped the tool.
 *
 * @module
 */

/** A tool as `tools/list` shows it. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: Schema;
  readonly outputSchema?: Schema | undefined;
  readonly annotations?: { readonly [hint: string]: unknown } | undefined;
}

/** A JSON Schema, or what stands in its place. */
export type Schema = { readonly [keyword: string]: unknown };

/** Hosts put a prefix before a name, and cut or drop what is over 60 characters then. */
const NAME = /^[a-z_]{1,20}$/;
/** The longest description that every provider takes. */
const DESCRIPTION_LENGTH_MAX = 1_024;
const HINTS = [
  "readOnlyHint",
  "destructiveHint",
  "idempotentHint",
  "openWorldHint",
];
const TYPES = ["string", "number", "integer", "boolean", "object", "array"];
const TYPES_OF_RESULTS = [...TYPES, "null"];
/**
 * What every client reads. Among the others are those that made trouble: `$ref` and `$defs`, `oneOf`
 * and `allOf`, `propertyNames`, `exclusiveMinimum`, `prefixItems`, `format` and `pattern`.
 */
const KEYWORDS = [
  "type",
  "description",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "anyOf",
  "enum",
  "minimum",
];

/** Whether a schema is of arguments or of results: providers read the first, validators the second. */
export type Direction = "input" | "output";

/** Everything that is wrong with a tool, each as `name/path: what`. */
export function toolFindings(tool: ListedTool): string[] {
  const { name, title = "", description = "", annotations = {} } = tool;
  const found: string[] = [];
  if (!NAME.test(name)) found.push("the name is not 1 to 20 of a-z and _");
  if (!/^[A-Z]/.test(title)) found.push("has no title");
  if (!/^[A-Z].*\.$/s.test(description)) found.push("has no sentence");
  if (description.length > DESCRIPTION_LENGTH_MAX) {
    found.push(`the description has ${description.length} characters`);
  }
  for (const hint of HINTS) {
    if (typeof annotations[hint] !== "boolean") found.push(`no ${hint}`);
  }
  return [
    ...found.map((what) => `${name}: ${what}`),
    ...rootFindings(tool.inputSchema, "input").map((what) => name + what),
    ...rootFindings(tool.outputSchema, "output").map((what) => name + what),
  ];
}

function rootFindings(schema: Schema | undefined, of: Direction): string[] {
  const at = `/${of}`;
  if (schema === undefined) return [`${at}: there is no schema`];
  const found: string[] = [];
  if (schema["type"] !== "object") found.push("the root is no object");
  if ("anyOf" in schema) found.push("anyOf at the root");
  // Else a misspelt argument is dropped in silence, and a field of a later version is refused.
  if (of === "input" && schema["additionalProperties"] !== false) {
    found.push("takes unknown arguments");
  }
  if (of === "output" && schema["additionalProperties"] === false) {
    found.push("leaves no room for a new field");
  }
  return [
    ...found.map((what) => `${at}: ${what}`),
    ...schemaFindings(schema, of, at),
  ];
}

/** Everything that is wrong in a schema and those within it, each as `path: what`. */
export function schemaFindings(
  schema: unknown,
  of: Direction,
  at = "",
): string[] {
  if (!isSchema(schema)) return [`${at}: ${JSON.stringify(schema)}`];
  const found = Object.keys(schema).filter((one) => !KEYWORDS.includes(one));
  const { type, anyOf, items, properties = {}, required = [] } = schema;
  const types = of === "input" ? TYPES : TYPES_OF_RESULTS;
  if (Array.isArray(type)) found.push("a list of types");
  else if (type === undefined && anyOf === undefined) {
    found.push("says no type");
  } else if (type !== undefined && !types.includes(String(type))) {
    found.push(`the type ${JSON.stringify(type)}`);
  }
  if (of === "input" && type === "array" && items === undefined) {
    found.push("an array without items");
  }
  for (const name of listIn(required)) {
    if (!(String(name) in Object(properties))) {
      found.push(`requires ${name}, which it does not list`);
    }
  }
  const names = of === "input" ? Object.keys(Object(properties)) : [];
  for (const name of names.filter((one) => !NAME.test(one))) {
    found.push(`the name ${name}`);
  }
  const inner: [string, unknown][] = [
    ...listIn(anyOf).map((one, index): [string, unknown] => [
      `anyOf/${index}`,
      one,
    ]),
    ...items === undefined ? [] : [["items", items] as [string, unknown]],
    ...Object.entries(Object(properties)),
  ];
  // The one place where true and false say what a schema would, and every client reads them.
  const rest = schema["additionalProperties"];
  if (rest !== undefined && typeof rest !== "boolean") inner.push(["*", rest]);
  return [
    ...found.map((what) => `${at}: ${what}`),
    ...inner.flatMap(([name, one]) => schemaFindings(one, of, `${at}/${name}`)),
  ];
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
