/**
 * The completion script for bash, from 3.2 on.
 *
 * @module
 */

import type { Command } from "../command.ts";
import { filled } from "./script_parts.ts";

const SCRIPT = `# bash completion for mnem
_mnem() {
  local current="\${COMP_WORDS[COMP_CWORD]}" flags="@GLOBAL@"
  local command="" flag="" store="" values="" place=0 last=-1 glue="" word i
  local words=()
  # What bash cuts at = and : is one word.
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ $last -ge 0 && ( -n $glue || $word == [=:]* ) ]]; then
      words[last]+="$word"
      glue=""
      [[ $word == *[=:] ]] && glue=1
    else
      last=$((last + 1))
      words[last]="$word"
    fi
  done
  local whole="\${words[last]}"
  for ((i = 0; i < last; i++)); do
    word="\${words[i]}"
    if [[ -n $flag ]]; then
      [[ $flag == --store ]] && store="$word"
      flag=""
      continue
    fi
    case "$word" in
      --store=*) store="\${word#*=}" ;;
      @VALUED@) flag="$word" ;;
      -*) ;;
      *) if [[ -z $command ]]; then command="$word"; else place=$((place + 1)); fi ;;
    esac
  done
  local value="$whole"
  if [[ -z $flag && $whole == --*=* ]]; then
    flag="\${whole%%=*}"
    value="\${whole#*=}"
  fi
  case "$command" in
    "") [[ -n $flag ]] || {
      COMPREPLY=($(compgen -W "@COMMANDS@ $flags" -- "$current"))
      return
    } ;;
    help) COMPREPLY=($(compgen -W "@TOPICS@" -- "$current")); return ;;
@FLAGS@
  esac
  if [[ -n $flag ]]; then
    case "$flag" in
@FLAG_VALUES@
    esac
  elif [[ $whole == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$current"))
    return
  else
    case "$command:$place" in
@PLACE_VALUES@
    esac
  fi
  case "$values" in
    ""|files) return ;;
    :*)
      compopt +o default 2>/dev/null
      [[ $value == [\\'\\"]* ]] && value="\${value:1}"
      value="\${value//\\\\/}"
      while IFS= read -r word; do
        [[ $word == "$value"* ]] || continue
        word="$(printf %q "$word")"
        COMPREPLY+=("\${word#"\${whole%"$current"}"}")
      done < <(mnem \${store:+--store="$store"} completions --list "\${values#:}" --starting "$value" 2>/dev/null) ;;
    *) COMPREPLY=($(compgen -W "$values" -- "\${value##*=}")) ;;
  esac
}
complete -o default -F _mnem mnem
`;

/** Returns the script. */
export function bashScript(table: readonly Command[]): string {
  return filled(SCRIPT, table, { OPEN: '"', CLOSE: '"' });
}
