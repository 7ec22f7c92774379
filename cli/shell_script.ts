/**
 * Completion scripts, made from the table of commands.
 *
 * @module
 */

import type { Command } from "./command.ts";
import { bashScript } from "./completion/bash.ts";
import { fishScript } from "./completion/fish.ts";
import { elvishScript, powershellScript } from "./completion/other_shells.ts";
import { zshScript } from "./completion/zsh.ts";

/** The shells that there is a script for. */
export const SHELLS = ["bash", "zsh", "fish", "powershell", "elvish"] as const;
/** One of them. */
export type Shell = typeof SHELLS[number];

/** Returns the script for a shell: commands first, then the flags of the command typed, then what the place takes, else files. */
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
