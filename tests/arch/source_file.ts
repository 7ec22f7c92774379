/**
 * What the rules need to know about one TypeScript file, read from its syntax tree. The tree comes
 * from the linter that ships with Deno (`Deno.lint.runPlugin`, which exists under `deno test` only),
 * so that the checker needs no parser of its own.
 *
 * @module
 */

/** One import, re-export, dynamic import or `import("...")` type. */
export interface Import {
  /** As written; undefined for a dynamic import that is no literal. */
  readonly specifier: string | undefined;
  /** Gone after compilation. */
  readonly typeOnly: boolean;
  /** Written as a call. */
  readonly dynamic: boolean;
  /** Where, counted from 1. */
  readonly line: number;
}

/** Something that stands at a line. */
export interface Mention {
  /** The name, for a member the whole chain: `Deno.env.get`. */
  readonly name: string;
  /** Where, counted from 1. */
  readonly line: number;
}

/** One function, method, accessor, constructor or arrow with a body. */
export interface FunctionSpan extends Mention {
  /** From its first to its last line. */
  readonly lines: number;
}

/** One file. */
export interface SourceFile {
  /** From the root, with forward slashes. */
  readonly path: string;
  /** As it is on disk. */
  readonly text: string;
  /** Why the file could not be read as TypeScript, if so; the lists are not complete then. */
  readonly broken: string | undefined;
  /** All of them, in order. */
  readonly imports: readonly Import[];
  /** Names exported one by one, `default` among them. */
  readonly exports: readonly Mention[];
  /** Lines of `export *`. */
  readonly starExports: readonly number[];
  /** Reads of globals and chains of members that begin with one, `globalThis.` left out; also `using`. */
  readonly uses: readonly Mention[];
  /** Names of what is called: `f` for `f()`, `a.f()` and `new f()`. */
  readonly calls: readonly Mention[];
  /** All of them. */
  readonly functions: readonly FunctionSpan[];
  /** Literals that name another file, such as a program for a child process. */
  readonly fileNames: readonly string[];
}

type Lists = {
  -readonly [
    K in Exclude<keyof SourceFile, "path" | "text" | "broken">
  ]: SourceFile[K] extends readonly (infer Item)[] ? Item[] : never;
};

/** Reads one file. Never throws: a file with a syntax error comes back with `broken` set. */
export function parseSource(path: string, text: string): SourceFile {
  const lists: Lists = {
    imports: [],
    exports: [],
    starExports: [],
    uses: [],
    calls: [],
    functions: [],
    fileNames: [],
  };
  let broken: string | undefined;
  try {
    const rules = { facts: { create: () => visitor(text, lists) } };
    Deno.lint.runPlugin({ name: "arch", rules }, path, text);
  } catch (error) {
    broken = String(error instanceof Error ? error.cause ?? error : error);
  }
  return { path, text, broken, ...lists };
}

function visitor(text: string, lists: Lists): Deno.lint.LintVisitor {
  const lineOf = lineFinder(text);
  const line = (node: Deno.lint.Node): number => lineOf(node.range[0]);
  return {
    ...importVisitor(lists, line),
    ...exportVisitor(lists, line),
    ...useVisitor(lists, line),
    "FunctionDeclaration, FunctionExpression, ArrowFunctionExpression"(
      node:
        | Deno.lint.FunctionDeclaration
        | Deno.lint.FunctionExpression
        | Deno.lint.ArrowFunctionExpression,
    ) {
      const [first, last] = node.range.map(lineOf);
      if (first === undefined || last === undefined) return;
      lists.functions.push({
        name: functionName(node),
        line: first,
        lines: last - first + 1,
      });
    },
  };
}

function importVisitor(
  { imports, uses }: Lists,
  line: (node: Deno.lint.Node) => number,
): Deno.lint.LintVisitor {
  return {
    ImportDeclaration(node) {
      const specifier = node.source.value;
      const named = node.specifiers.length > 0 &&
        node.specifiers.every((one) =>
          one.type === "ImportSpecifier" && one.importKind === "type"
        );
      imports.push({
        specifier,
        typeOnly: node.importKind === "type" || named,
        dynamic: false,
        line: line(node),
      });
      if (specifier !== "node:process") return;
      for (const one of node.specifiers) {
        if (one.type !== "ImportSpecifier") continue;
        uses.push({
          name: `process.${nameOf(one.imported)}`,
          line: line(node),
        });
      }
    },
    ImportExpression(node) {
      imports.push({
        specifier: textOf(node.source),
        typeOnly: false,
        dynamic: true,
        line: line(node),
      });
    },
    TSImportType(node) {
      const argument = node.argument;
      const specifier = argument.type === "TSLiteralType"
        ? textOf(argument.literal)
        : undefined;
      imports.push({
        specifier,
        typeOnly: true,
        dynamic: false,
        line: line(node),
      });
    },
  };
}

function exportVisitor(
  { exports, imports, starExports }: Lists,
  line: (node: Deno.lint.Node) => number,
): Deno.lint.LintVisitor {
  return {
    ExportNamedDeclaration(node) {
      for (const one of node.specifiers) {
        exports.push({ name: nameOf(one.exported), line: line(one) });
      }
      for (const name of declaredNames(node.declaration)) {
        exports.push({ name, line: line(node) });
      }
      if (node.source === null) return;
      const typeOnly = node.exportKind === "type" ||
        (node.specifiers.length > 0 &&
          node.specifiers.every((one) => one.exportKind === "type"));
      imports.push({
        specifier: node.source.value,
        typeOnly,
        dynamic: false,
        line: line(node),
      });
    },
    ExportAllDeclaration(node) {
      starExports.push(line(node));
      imports.push({
        specifier: node.source.value,
        typeOnly: node.exportKind === "type",
        dynamic: false,
        line: line(node),
      });
    },
    ExportDefaultDeclaration(node) {
      exports.push({ name: "default", line: line(node) });
    },
  };
}

function useVisitor(
  { uses, calls, fileNames }: Lists,
  line: (node: Deno.lint.Node) => number,
): Deno.lint.LintVisitor {
  return {
    Identifier(node) {
      uses.push({ name: node.name, line: line(node) });
    },
    MemberExpression(node) {
      const name = chainOf(node);
      if (name !== undefined) uses.push({ name, line: line(node) });
    },
    VariableDeclaration(node) {
      // `await using` is one too.
      if (node.kind.endsWith("using")) {
        uses.push({ name: "using", line: line(node) });
      }
    },
    VariableDeclarator(node) {
      const { id, init } = node;
      if (id.type !== "ObjectPattern" || init === null) return;
      const chain = chainOf(init);
      if (chain === undefined) return;
      for (const one of id.properties) {
        if (one.type !== "Property") continue;
        const name = textOf(one.key) ?? nameOf(one.key);
        uses.push({
          name: dropGlobalThis(`${chain}.${name}`),
          line: line(one),
        });
      }
    },
    CallExpression(node) {
      const chain = chainOf(node.callee);
      if (chain === "Date") uses.push({ name: "Date()", line: line(node) });
      const name = calledName(node.callee);
      if (name !== undefined) calls.push({ name, line: line(node) });
    },
    NewExpression(node) {
      const name = calledName(node.callee);
      if (name === undefined) return;
      calls.push({ name, line: line(node) });
      if (name === "Date" && node.arguments.length === 0) {
        uses.push({ name: "new Date()", line: line(node) });
      }
    },
    Literal(node) {
      const value = textOf(node);
      if (value?.endsWith(".ts")) fileNames.push(value);
    },
  };
}

/** The dotted text of a chain of members, undefined where it does not begin with a name. */
function chainOf(node: Deno.lint.Node): string | undefined {
  if (node.type === "Identifier") return node.name;
  if (node.type === "ChainExpression") return chainOf(node.expression);
  if (node.type === "TSNonNullExpression") return chainOf(node.expression);
  if (node.type !== "MemberExpression") return undefined;
  const object = chainOf(node.object);
  const property = node.computed
    ? textOf(node.property)
    : nameOf(node.property);
  if (object === undefined || property === undefined) return undefined;
  return dropGlobalThis(`${object}.${property}`);
}

function dropGlobalThis(chain: string): string {
  return chain.replace(/^globalThis\./, "");
}

function calledName(callee: Deno.lint.Node): string | undefined {
  return chainOf(callee)?.split(".").at(-1) ??
    (callee.type === "MemberExpression" ? nameOf(callee.property) : undefined);
}

function nameOf(node: Deno.lint.Node): string {
  return node.type === "Identifier" || node.type === "PrivateIdentifier"
    ? node.name
    : textOf(node) ?? "";
}

function textOf(node: Deno.lint.Node): string | undefined {
  return node.type === "Literal" && typeof node.value === "string"
    ? node.value
    : undefined;
}

function declaredNames(
  node: Deno.lint.ExportNamedDeclaration["declaration"],
): string[] {
  if (node === null) return [];
  if (node.type === "VariableDeclaration") {
    return node.declarations.map(({ id }) =>
      id.type === "Identifier" ? id.name : "(a pattern)"
    );
  }
  return "id" in node && node.id ? [nameOf(node.id)] : [];
}

function functionName(
  node:
    | Deno.lint.FunctionDeclaration
    | Deno.lint.FunctionExpression
    | Deno.lint.ArrowFunctionExpression,
): string {
  if (node.type !== "ArrowFunctionExpression" && node.id !== null) {
    return nameOf(node.id);
  }
  switch (node.parent.type) {
    case "MethodDefinition":
    case "PropertyDefinition":
    case "Property":
      return nameOf(node.parent.key);
    case "VariableDeclarator":
      return nameOf(node.parent.id);
    default:
      return "(anonymous)";
  }
}

function lineFinder(text: string): (offset: number) => number {
  const starts = [0];
  for (let i = text.indexOf("\n"); i >= 0; i = text.indexOf("\n", i + 1)) {
    starts.push(i + 1);
  }
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
