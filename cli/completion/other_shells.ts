/**
 * The completion scripts for PowerShell and elvish: commands and flags.
 *
 * @module
 */

import type { Command } from "../command.ts";
import {
  flagsOf,
  GLOBAL_FLAGS,
  namesOf,
  quoted,
  valuedFlags,
} from "./script_parts.ts";

/** Returns the script for PowerShell. */
export function powershellScript(table: readonly Command[]): string {
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
  $valued = @(${list(valuedFlags(table))})
  $command = ''
  for ($i = 0; $i -lt $words.Count; $i++) {
    if ($valued -contains $words[$i]) { $i++; continue }
    if (-not $words[$i].StartsWith('-')) { $command = $words[$i]; break }
  }
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

/** Returns the script for elvish. */
export function elvishScript(table: readonly Command[]): string {
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
  var skip = $false
  for word $words[1..-1] {
    if $skip {
      set skip = $false
    } elif (has-value [${valuedFlags(table).join(" ")}] $word) {
      set skip = $true
    } elif (and (eq $command '') (not (str:has-prefix $word '-'))) {
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
