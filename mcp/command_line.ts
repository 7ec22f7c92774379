/**
 * The command line of the server.
 *
 * @module
 */

import { parseArgs } from "node:util";
import type { ServerOptions } from "./server.ts";

/** What the command line and the environment ask for. */
export type Command =
  | { readonly kind: "help" | "version" }
  | ServeCommand;

/** A store to be served. */
export interface ServeCommand {
  /** Serve. */
  readonly kind: "serve";
  /** A folder or a URL, as given. */
  readonly location: string;
  /** The branch to be bound to; undefined follows HEAD. */
  readonly branch: string | undefined;
  /** What the server offers. */
  readonly options: ServerOptions;
}

/** Reads one variable of the environment; undefined if it is not set or may not be read. */
export type Environment = (name: string) => string | undefined;

/** A command line that cannot be followed. */
export class UsageError extends TypeError {
  /** Makes an error whose message names the flag. */
  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}

/** The line that is shown with every usage error. */
export const USAGE =
  "usage: mnem-mcp --store=DIR|URL [--tools=core|all] [--author=NAME] [--branch=NAME] [--read-only]";

/** What `--help` prints. */
export const HELP = `mnem-mcp: versioned memory for an agent, over MCP on stdio

${USAGE}

  --store=DIR|URL   where memory lies; made if the folder is empty or absent (or MNEM_STORE)
  --tools=core|all  which tools are listed (core)
  --author=NAME     author of the commits (or MNEM_AUTHOR; else agent)
  --branch=NAME     stay on this branch; else follow the store's HEAD
  --read-only       list no tool that writes, and make no store
  --version         print the version
  --help            print this

exit status: 0 the client has gone, or a signal; 2 usage; 3 no such branch;
  5 busy; 6 no store, or one of another format; 7 store damaged or unreadable
`;

const OPTIONS = {
  store: { type: "string" },
  tools: { type: "string" },
  author: { type: "string" },
  branch: { type: "string" },
  "read-only": { type: "boolean" },
  version: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

type OptionName = keyof typeof OPTIONS;

/**
 * Reads a command line.
 *
 * @throws {UsageError} on an unknown flag, a flag without its value, or no store.
 */
export function parseCommand(
  args: readonly string[],
  environment: Environment,
): Command {
  const given = readFlags(args);
  if (given.has("help")) return { kind: "help" };
  if (given.has("version")) return { kind: "version" };
  const location = given.get("store") ?? valueOf(environment("MNEM_STORE"));
  if (location === undefined) {
    throw new UsageError("No store: --store or MNEM_STORE must be given");
  }
  return {
    kind: "serve",
    location,
    branch: given.get("branch"),
    options: {
      tools: toolsOf(given.get("tools")),
      author: given.get("author") ?? valueOf(environment("MNEM_AUTHOR")),
      readOnly: given.has("read-only"),
    },
  };
}

// parseArgs only cuts the line; its own messages advise what does not apply here.
function readFlags(args: readonly string[]): Map<OptionName, string> {
  const given = new Map<OptionName, string>();
  const { tokens } = parseArgs({
    args: [...args],
    options: OPTIONS,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind === "option-terminator") continue;
    if (token.kind === "positional") {
      throw new UsageError(`Unexpected argument "${token.value}"`);
    }
    const { name, rawName, value } = token;
    if (!isOptionName(name)) throw new UsageError(`Unknown flag ${rawName}`);
    if (given.has(name)) throw new UsageError(`${rawName} is given twice`);
    if (OPTIONS[name].type === "boolean") {
      if (value !== undefined) {
        throw new UsageError(`${rawName} takes no value, not "${value}"`);
      }
      given.set(name, "");
      continue;
    }
    const isNextFlag = !token.inlineValue && value?.startsWith("-");
    if (value === undefined || value === "" || isNextFlag) {
      throw new UsageError(`${rawName} needs a value`);
    }
    given.set(name, value);
  }
  return given;
}

function isOptionName(name: string): name is OptionName {
  return Object.hasOwn(OPTIONS, name);
}

function toolsOf(value: string | undefined): "core" | "all" {
  if (value === undefined || value === "core") return "core";
  if (value === "all") return "all";
  throw new UsageError(`--tools must be core or all, not "${value}"`);
}

function valueOf(variable: string | undefined): string | undefined {
  return variable === "" ? undefined : variable;
}
