/**
 * Reading a command line with the help of `commander`, from the table of commands.
 *
 * @module
 */

import { Argument, Command as Parser, CommanderError, Option } from "commander";
import {
  type ArgumentSpec,
  type Command,
  type OptionSpec,
  SHARED_OPTIONS,
} from "./command.ts";
import { Given, UsageError } from "./given.ts";
import { mostSimilar } from "./similar.ts";
import { VERSION } from "./version.ts";

/** What a command line asks for: a text about the program, or a command to be run. */
export type Parsed =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "run"; readonly command: Command; readonly given: Given };

const INTRODUCTION =
  "Version control for what an AI agent believes: every change is a commit.";
const HELP_COLUMNS = 80;

/** What is printed where nothing is asked for. */
const BANNER = `mnem ${VERSION}
${INTRODUCTION}
Type "mnem help" for the list of commands, "mnem init" to begin.
`;

/**
 * Reads a command line.
 *
 * @throws {UsageError} If it cannot be followed; the message may go on with what was probably meant.
 */
export function parseCommandLine(
  args: readonly string[],
  table: readonly Command[],
): Parsed {
  if (args.length === 0) return { kind: "text", text: BANNER };
  const found: { run?: Parsed } = {};
  let text = "";
  const program = parserOf(table, (run) => found.run = run);
  for (const parser of [program, ...program.commands]) {
    parser.exitOverride().configureOutput({
      writeOut: (part) => text += part,
      writeErr: () => {},
      getOutHelpWidth: () => HELP_COLUMNS,
      // Else it looks at the environment, which it may not be permitted to.
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  }
  requireHelpTopic(args, table);
  try {
    program.parse(withCounts(args), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) {
      // Flags alone, and no command.
      if (error.code === "commander.help") {
        return { kind: "text", text: BANNER };
      }
      throw usageError(error.message);
    }
  }
  return found.run ?? { kind: "text", text };
}

/** `mnem help` of a word that is no command would list them all, and say nothing of the word. */
function requireHelpTopic(
  args: readonly string[],
  table: readonly Command[],
): void {
  const [first, topic] = wordsOf(args);
  if (first !== "help" || topic === undefined) return;
  const names = [
    "help",
    ...table.flatMap(({ name, alias }) => alias ? [name, alias] : [name]),
  ];
  if (names.includes(topic)) return;
  const similar = mostSimilar([topic], names);
  const meant = similar === undefined ? "" : `\n(Did you mean ${similar}?)`;
  throw new UsageError(`unknown command '${topic}'${meant}`);
}

/** The words of a line that are no flags, nor the store that a flag names: the command is the first. */
export function wordsOf(args: readonly string[]): string[] {
  return args.filter((arg, i) =>
    !arg.startsWith("-") && args[i - 1] !== "--store"
  );
}

/** `-3` of `mnem log -3` is `-n3`, as in git. */
function withCounts(args: readonly string[]): string[] {
  const end = args.indexOf("--");
  const isLog = wordsOf(args)[0] === "log";
  return args.map((arg, i) => {
    const before = args[i - 1] ?? "";
    const isValue = /^(-n|--limit|--node|--store)$/.test(before);
    return isLog && !isValue && (end < 0 || i < end) && /^-[0-9]+$/.test(arg)
      ? `-n${arg.slice(1)}`
      : arg;
  });
}

/** Whether a command line asks for JSON: known also where the rest of it cannot be read. */
export function asksForJson(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return (end < 0 ? args : args.slice(0, end)).includes("--json");
}

function parserOf(
  table: readonly Command[],
  found: (run: Parsed) => void,
): Parser {
  const program = new Parser("mnem")
    .description(INTRODUCTION)
    .version(`mnem ${VERSION}`, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .helpCommand("help [command]", "print help for a command")
    .configureHelp({ showGlobalOptions: false })
    // What follows the name of a command is read by that command.
    .enablePositionalOptions();
  addOptions(program, SHARED_OPTIONS);
  for (const command of table) {
    const parser = program.command(command.name)
      .summary(command.summary)
      .description(descriptionOf(command))
      .helpOption("-h, --help", "print this")
      .addHelpText("after", examplesOf(command));
    if (command.alias !== undefined) parser.alias(command.alias);
    for (const spec of command.arguments ?? []) {
      parser.addArgument(argumentOf(spec));
    }
    addOptions(parser, [...command.options ?? [], ...SHARED_OPTIONS]);
    parser.action(() => {
      const options = { ...program.opts(), ...parser.opts() };
      const given = new Given(parser.processedArgs, options);
      found({ kind: "run", command, given });
    });
  }
  return program;
}

function descriptionOf({ summary, more }: Command): string {
  const first = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
  return more === undefined ? first : `${first}\n\n${more}`;
}

function examplesOf({ examples }: Command): string {
  return `\nExamples:\n${examples.map((line) => `  ${line}\n`).join("")}`;
}

function argumentOf(
  { name, what, optional, repeated }: ArgumentSpec,
): Argument {
  const dots = repeated ? "..." : "";
  return new Argument(optional ? `[${name}${dots}]` : `<${name}${dots}>`, what);
}

function addOptions(parser: Parser, specs: readonly OptionSpec[]): void {
  for (const { flags, what, words, repeated } of specs) {
    const option = new Option(flags, what);
    if (words !== undefined) option.choices(words);
    if (repeated) {
      option.argParser((value: string, before: string[] | undefined) => [
        ...before ?? [],
        value,
      ]);
    }
    parser.addOption(option);
  }
}

/** What is most often meant by a line that cannot be read. */
const ADVICE: readonly (readonly [said: RegExp, advice: string])[] = [
  [
    /^unknown option '-[^(]*$/,
    "an id or a text that begins with - goes after --",
  ],
  [/^too many arguments/, "an id or a text with spaces goes in quotes"],
];

function usageError(message: string): UsageError {
  const text = message.replace(/^error: /, "").replace(/\.$/, "");
  const [, advice] = ADVICE.find(([said]) => said.test(text)) ?? [];
  return new UsageError(advice === undefined ? text : `${text}\n${advice}`);
}
