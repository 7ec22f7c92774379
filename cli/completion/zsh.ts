/**
 * The completion script for zsh.
 *
 * @module
 */

import type { Command } from "../command.ts";
import { filled, namesOf, quoted } from "./script_parts.ts";

const SCRIPT = `#compdef mnem
_mnem() {
  local -a commands flags
  commands=(
@DESCRIBED@
    'help:print help for a command'
  )
  flags=(@GLOBAL@)
  local command="" flag="" store="" values="" word
  local -i place=0
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ -n $flag ]]; then
      [[ $flag == --store ]] && store="\${(Q)word}"
      flag=""
      continue
    fi
    case "$word" in
      --store=*) store="\${(Q)word#*=}" ;;
      @VALUED@) flag="$word" ;;
      -*) ;;
      *) if [[ -z $command ]]; then command="$word"; else place+=1; fi ;;
    esac
  done
  if [[ -z $flag && $PREFIX == --*=* ]]; then
    flag="\${PREFIX%%=*}"
    compset -P 1 '*='
  fi
  case "$command" in
    "") [[ -n $flag ]] || { _describe command commands; compadd -- $flags; return; } ;;
    help) _describe command commands; return ;;
@FLAGS@
  esac
  if [[ -n $flag ]]; then
    case "$flag" in
@FLAG_VALUES@
    esac
  elif [[ $PREFIX == -* ]]; then
    compadd -- $flags
    return
  else
    case "$command:$place" in
@PLACE_VALUES@
    esac
  fi
  case "$values" in
    files) _files ;;
    "") [[ -n $flag ]] || _files ;;
    :*)
      local -a items
      items=("\${(@f)$(mnem \${store:+--store=$store} completions --list \${values#:} --starting "\${(Q)PREFIX}" 2>/dev/null)}")
      compadd -a items ;;
    *) compadd -- \${=values} ;;
  esac
}
if [ "$funcstack[1]" = "_mnem" ]; then _mnem; else compdef _mnem mnem; fi
`;

/** Returns the script. */
export function zshScript(table: readonly Command[]): string {
  const described = table.flatMap((command) =>
    namesOf(command).map((name) =>
      `    ${quoted(`${name}:${command.summary}`)}`
    )
  );
  const DESCRIBED = described.join("\n");
  return filled(SCRIPT, table, { OPEN: "(", CLOSE: ")", DESCRIBED });
}
