/**
 * The completion script for fish.
 *
 * @module
 */

import type { Command, OptionSpec } from "../command.ts";
import {
  argumentValues,
  filled,
  type ListName,
  namesOf,
  optionsOf,
  quoted,
  valuedFlags,
  valuesOf,
} from "./script_parts.ts";

const SCRIPT = `# fish completion for mnem
function __mnem_words
  set -l skip
  for word in (commandline -opc)[2..-1]
    if set -q skip[1]
      set -e skip
      continue
    end
    switch $word
      case @VALUED@
        set skip 1
      case '-*'
      case '*'
        echo -- $word
    end
  end
end
function __mnem_is_first
  test (count (__mnem_words)) -eq 0
end
function __mnem_is
  set -l words (__mnem_words)
  set -q words[1]; and contains -- $words[1] $argv
end
function __mnem_at
  set -l words (__mnem_words)
  test $argv[1] = any; or test (count $words) -eq (math $argv[1] + 1)
end
function __mnem_list
  set -l store
  set -l words (commandline -opc)
  for i in (seq (count $words))
    switch $words[$i]
      case '--store=*'
        set store $words[$i]
      case --store
        set store --store=$words[(math $i + 1)]
    end
  end
  mnem $store completions --list $argv[1] --starting (string replace -r "^--[^=]*=" "" -- (commandline -ct)) 2>/dev/null
end
complete -c mnem -n __mnem_is_first -f -a help -d 'print help for a command'
complete -c mnem -n __mnem_is_first -l store -r -d 'folder or URL of the store'
complete -c mnem -n "__mnem_is help" -f -a "@TOPICS@"
@LINES@
`;

/** Returns the script. */
export function fishScript(table: readonly Command[]): string {
  const lines = table.flatMap((command) => {
    const names = namesOf(command);
    const seen = `-n "__mnem_is ${names.join(" ")}"`;
    return [
      ...names.map((name) =>
        `complete -c mnem -n __mnem_is_first -f -a ${name} -d ${
          quoted(command.summary)
        }`
      ),
      ...optionsOf(command).map((option) =>
        `complete -c mnem ${seen} ${fishFlags(option)} -d ${
          quoted(option.what)
        }`
      ),
      ...(command.arguments ?? []).flatMap((argument, place) => {
        const values = argumentValues(argument);
        if (values === undefined || values === "files") return [];
        const at = argument.repeated ? "any" : place;
        const test = `-n "__mnem_is ${names.join(" ")}; and __mnem_at ${at}"`;
        return [`complete -c mnem ${test} -f -a ${fishValues(values)}`];
      }),
    ];
  });
  return filled(SCRIPT, table, {
    LINES: lines.join("\n"),
    VALUED: valuedFlags(table).join(" "),
  });
}

function fishFlags(option: OptionSpec): string {
  const parts = option.flags.split(/,? +/).flatMap((part) => {
    if (part.startsWith("--")) return [`-l ${part.slice(2)}`];
    if (part.startsWith("-")) return [`-s ${part.slice(1)}`];
    return ["-r"];
  });
  const values = valuesOf(option);
  return values === undefined || values === "files"
    ? parts.join(" ")
    : `${parts.join(" ")} -f -a ${fishValues(values)}`;
}

function fishValues(values: ListName | readonly string[]): string {
  return typeof values === "string"
    ? `"(__mnem_list ${values})"`
    : quoted(values.join(" "));
}
