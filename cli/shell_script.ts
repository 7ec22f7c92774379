/**
 * Completion scripts, made from the table of commands.
 *
 * @module
 */

import { type Command, type OptionSpec, SHARED_OPTIONS } from "./command.ts";

/** The shells that there is a script for. */
export const SHELLS = ["bash", "zsh", "fish", "powershell", "elvish"] as const;
/** One of them. */
export type Shell = typeof SHELLS[number];

const GLOBAL_FLAGS = ["--store", "--json", "--help", "--version"];

/** Returns the script for a shell: commands first, then the flags of the command typed, else files. */
export function shellScript(
  shell: Shell,
  table: readonly Command[],
): string {
  switch (shell) {
    case "bash":
      return bashScript(table);
    case "zsh":
      return zshScript(table);
    case "fish":
      return fishScript(table);
    case "powershell":
      return powershellScript(table);
    case "elvish":
      return elvishScript(table);
  }
}

function bashScript(table: readonly Command[]): string {
  const cases = table.map((command) =>
    `    ${namesOf(command).join("|")}) flags="${
      flagsOf(command).join(" ")
    }" ;;`
  );
  return `# bash completion for mnem
_mnem() {
  local current="\${COMP_WORDS[COMP_CWORD]}" flags="${GLOBAL_FLAGS.join(" ")}"
  local command="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) command="$word"; break ;; esac
  done
  case "$command" in
    "")
      COMPREPLY=($(compgen -W "${
    [...table.flatMap(namesOf), "help"].join(" ")
  } $flags" -- "$current"))
      return ;;
    help) COMPREPLY=($(compgen -W "${
    table.map(({ name }) => name).join(" ")
  }" -- "$current")); return ;;
${cases.join("\n")}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$current")) ;;
  esac
}
complete -o default -F _mnem mnem
`;
}

function zshScript(table: readonly Command[]): string {
  const commands = table.flatMap((command) =>
    namesOf(command).map((name) =>
      `    ${quoted(`${name}:${command.summary}`)}`
    )
  );
  const cases = table.map((command) =>
    `    ${namesOf(command).join("|")}) flags=(${
      flagsOf(command).join(" ")
    }) ;;`
  );
  return `#compdef mnem
_mnem() {
  local -a commands flags
  commands=(
${commands.join("\n")}
    'help:print help for a command'
  )
  flags=(${GLOBAL_FLAGS.join(" ")})
  local command="" word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$word" in -*) ;; *) command="$word"; break ;; esac
  done
  case "$command" in
    "") _describe command commands; compadd -- $flags; return ;;
    help) _describe command commands; return ;;
${cases.join("\n")}
  esac
  if [[ "$PREFIX" == -* ]]; then compadd -- $flags; else _files; fi
}
if [ "$funcstack[1]" = "_mnem" ]; then _mnem; else compdef _mnem mnem; fi
`;
}

function fishScript(table: readonly Command[]): string {
  const lines = table.flatMap((command) => {
    const names = namesOf(command);
    const seen = `-n "__fish_seen_subcommand_from ${names.join(" ")}"`;
    return [
      ...names.map((name) =>
        `complete -c mnem -n __fish_use_subcommand -f -a ${name} -d ${
          quoted(command.summary)
        }`
      ),
      ...optionsOf(command).map((option) =>
        `complete -c mnem ${seen} ${fishFlags(option)} -d ${
          quoted(option.what)
        }`
      ),
    ];
  });
  return `# fish completion for mnem
complete -c mnem -n __fish_use_subcommand -f -a help -d 'print help for a command'
complete -c mnem -n "__fish_seen_subcommand_from help" -f -a "${
    table.map(({ name }) => name).join(" ")
  }"
${lines.join("\n")}
`;
}

function powershellScript(table: readonly Command[]): string {
  const list = (words: readonly string[]) => words.map(quoted).join(", ");
  const flags = table.flatMap((command) =>
    namesOf(command).map((name) =>
      `    ${quoted(name)} = @(${list(flagsOf(command))})`
    )
  );
  return `# PowerShell completion for mnem
Register-ArgumentCompleter -Native -CommandName mnem -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $flags = @{
${flags.join("\n")}
  }
  $always = @(${list(GLOBAL_FLAGS)})
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
    ForEach-Object { $_.ToString() })
  $command = "$($words | Where-Object { -not $_.StartsWith('-') } | Select-Object -First 1)"
  if ($command -eq '') {
    $offers = @(${list([...table.flatMap(namesOf), "help"])}) + $always
  } elseif ($command -eq 'help') {
    $offers = @(${list(table.map(({ name }) => name))})
  } elseif ($wordToComplete.StartsWith('-') -and $flags.ContainsKey($command)) {
    $offers = $flags[$command]
  } else {
    $offers = @()
  }
  $offers | Where-Object { $_.StartsWith($wordToComplete) } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`;
}

function elvishScript(table: readonly Command[]): string {
  const flags = table.flatMap((command) =>
    namesOf(command).map((name) => `  &${name}=[${flagsOf(command).join(" ")}]`)
  );
  return `# elvish completion for mnem
use str
var mnem-flags = [
${flags.join("\n")}
]
set edit:completion:arg-completer[mnem] = {|@words|
  var command = ''
  for word $words[1..-1] {
    if (and (eq $command '') (not (str:has-prefix $word '-'))) {
      set command = $word
    }
  }
  if (eq $command '') {
    all [${[...table.flatMap(namesOf), "help", ...GLOBAL_FLAGS].join(" ")}]
  } elif (eq $command help) {
    all [${table.map(({ name }) => name).join(" ")}]
  } elif (and (str:has-prefix $words[-1] '-') (has-key $mnem-flags $command)) {
    all $mnem-flags[$command]
  } else {
    edit:complete-filename $words[-1]
  }
}
`;
}

function fishFlags({ flags, words }: OptionSpec): string {
  const parts = flags.split(/,? +/).flatMap((part) => {
    if (part.startsWith("--")) return [`-l ${part.slice(2)}`];
    if (part.startsWith("-")) return [`-s ${part.slice(1)}`];
    return ["-r"];
  });
  return words === undefined
    ? parts.join(" ")
    : `${parts.join(" ")} -f -a ${quoted(words.join(" "))}`;
}

function namesOf({ name, alias }: Command): string[] {
  return alias === undefined ? [name] : [name, alias];
}

function optionsOf(command: Command): OptionSpec[] {
  return [...command.options ?? [], ...SHARED_OPTIONS, {
    flags: "-h, --help",
    what: "print help",
  }];
}

function flagsOf(command: Command): string[] {
  return optionsOf(command).flatMap(({ flags }) =>
    flags.split(/,? +/).filter((part) => part.startsWith("-"))
  );
}

/** A word in single quotes, for each of the shells. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "’")}'`;
}
