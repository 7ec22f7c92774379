/**
 * What completion scripts are made of: names and flags of commands, and what can stand in a place of a
 * command line: the words of a flag, or what a store holds.
 *
 * @module
 */

import {
  type ArgumentSpec,
  type Command,
  type OptionSpec,
  SHARED_OPTIONS,
} from "../command.ts";

/** What of a store can be listed. */
export const LISTS = ["branches", "nodes", "revisions"] as const;
/** One of them. */
export type ListName = typeof LISTS[number];

/** What a place takes: what a store holds, files, some words; undefined: what only the user knows. */
export type Values = ListName | "files" | readonly string[] | undefined;

/** What is said in angle brackets of a flag, or is the name of an argument, and is the same everywhere. */
const NAMED: { readonly [name: string]: Values } = {
  id: "nodes",
  revision: "revisions",
  commit: "revisions",
  start: "revisions",
  from: "revisions",
  to: "revisions",
  bad: "revisions",
  file: "files",
  path: "files",
  place: "files",
};

/** Flags that name a branch that is there. */
const BRANCH_FLAGS = ["--branch", "--delete"];

/** The flags of a command, those that every command has included. */
export function optionsOf(command: Command): OptionSpec[] {
  return [...command.options ?? [], ...SHARED_OPTIONS, {
    flags: "-h, --help",
    what: "print help",
  }];
}

/** The spellings of an option: `-m` and `--message`. */
export function spellingsOf({ flags }: OptionSpec): string[] {
  return flags.split(/,? +/).filter((part) => part.startsWith("-"));
}

/** Whether a value follows an option. */
export function takesValue({ flags }: OptionSpec): boolean {
  return flags.includes("<");
}

/** What an option takes. */
export function valuesOf(option: OptionSpec): Values {
  if (option.words !== undefined) return option.words;
  const isBranch = spellingsOf(option).some((flag) =>
    BRANCH_FLAGS.includes(flag)
  );
  if (isBranch) return "branches";
  return NAMED[/<(.*)>/.exec(option.flags)?.[1] ?? ""];
}

/** What an argument takes. */
export function argumentValues({ name }: ArgumentSpec): Values {
  return NAMED[name];
}

/** Flags of all commands by what they take, each flag once. */
export function flagsByValues(
  table: readonly Command[],
): ReadonlyMap<Values, readonly string[]> {
  const found = new Map<Values, string[]>();
  const byWords = new Map<string, Values>();
  const seen = new Set<string>();
  for (const option of table.flatMap(optionsOf).filter(takesValue)) {
    const values = valuesOf(option);
    const key = String(values);
    const group = byWords.has(key) ? byWords.get(key) : values;
    byWords.set(key, group);
    for (const flag of spellingsOf(option)) {
      if (seen.has(flag)) continue;
      seen.add(flag);
      found.set(group, [...found.get(group) ?? [], flag]);
    }
  }
  return found;
}

/** Places of arguments by what they take, as `blame:0`; of one that is repeated, `rm:*`. */
export function placesByValues(
  table: readonly Command[],
): ReadonlyMap<Values, readonly string[]> {
  const found = new Map<Values, string[]>();
  for (const command of table) {
    const names = [command.name, ...command.alias ? [command.alias] : []];
    (command.arguments ?? []).forEach((argument, place) => {
      const values = argumentValues(argument);
      if (values === undefined) return;
      const at = argument.repeated ? "*" : String(place);
      const places = names.map((name) => `${name}:${at}`);
      found.set(values, [...found.get(values) ?? [], ...places]);
    });
  }
  return found;
}

/** Patterns of a shell, each with what is to be offered: files, some words, or `:` and a list of the store. */
export function valueCases(
  groups: ReadonlyMap<Values, readonly string[]>,
): string {
  return [...groups].filter(([values]) => values !== undefined)
    .map(([values = "", patterns]) => {
      const offered = typeof values !== "string"
        ? values.join(" ")
        : values === "files"
        ? values
        : `:${values}`;
      return `      ${patterns.join("|")}) values="${offered}" ;;`;
    }).join("\n");
}

/** All flags that a value follows. */
export function valuedFlags(table: readonly Command[]): string[] {
  return [...flagsByValues(table).values()].flat().sort();
}

/** What a command can be called. */
export function namesOf({ name, alias }: Command): string[] {
  return alias === undefined ? [name] : [name, alias];
}

/** All spellings of all flags of a command. */
export function flagsOf(command: Command): string[] {
  return optionsOf(command).flatMap(spellingsOf);
}

/** A word in single quotes, for each of the shells. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "’")}'`;
}

/** The flags that stand before any command. */
export const GLOBAL_FLAGS = ["--store", "--json", "--help", "--version"];

/** Fills the slots of a script, which are written `@SLOT@`, with what every script has and with some more. */
export function filled(
  script: string,
  table: readonly Command[],
  more: { readonly [slot: string]: string } = {},
): string {
  const slots: { readonly [slot: string]: string } = {
    GLOBAL: GLOBAL_FLAGS.join(" "),
    VALUED: valuedFlags(table).join("|"),
    COMMANDS: [...table.flatMap(namesOf), "help"].join(" "),
    TOPICS: table.map(({ name }) => name).join(" "),
    FLAGS: table.map((command) =>
      `    ${namesOf(command).join("|")}) flags=@OPEN@${
        flagsOf(command).join(" ")
      }@CLOSE@ ;;`
    ).join("\n"),
    FLAG_VALUES: valueCases(flagsByValues(table)),
    PLACE_VALUES: valueCases(placesByValues(table)),
    ...more,
  };
  return script.replace(/@([A-Z_]+)@/g, (slot, name) => slots[name] ?? slot)
    .replace(/@([A-Z_]+)@/g, (slot, name) => slots[name] ?? slot);
}
