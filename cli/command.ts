/**
 * What a command is: how it is typed, what it says of itself, and what it does. Parsing, help and
 * completions are all made from this.
 *
 * @module
 */

import type { Store } from "@mnem/core";
import type { Given } from "./given.ts";
import type { Io } from "./io.ts";
import type { Report } from "./report.ts";

/** An argument that is told by its place. */
export interface ArgumentSpec {
  /** As help shows it. */
  readonly name: string;
  /** What it is. */
  readonly what: string;
  /** Whether it may be left out. */
  readonly optional?: boolean;
  /** Whether it takes all arguments that are left. */
  readonly repeated?: boolean;
}

/** A flag. */
export interface OptionSpec {
  /** As in `-m, --message <text>`. */
  readonly flags: string;
  /** What it does. */
  readonly what: string;
  /** The words that it takes, where they are few. */
  readonly words?: readonly string[];
  /** Whether it may be given more than once, each time with another value. */
  readonly repeated?: boolean;
}

/** One run of a command. */
export interface Call {
  /** What was typed. */
  readonly given: Given;
  /** Where the result goes. */
  readonly report: Report;
  /** The world. */
  readonly io: Io;
  /** Opens the store that the command line or the folder names; it is closed when the command has ended. */
  open(): Promise<Store>;
  /** Closes another store, which the command opened itself, when it has ended. */
  keep(store: Store): Store;
}

/** A command. */
export interface Command {
  /** What is typed. */
  readonly name: string;
  /** Another word for it. */
  readonly alias?: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** What its own help says further. */
  readonly more?: string;
  /** In their order. */
  readonly arguments?: readonly ArgumentSpec[];
  /** Beside `--store`, `--json` and `--help`, which every command has. */
  readonly options?: readonly OptionSpec[];
  /** Whole lines as they are typed. */
  readonly examples: readonly string[];
  /** Does it, and returns the exit status if it is not 0. */
  run(call: Call): Promise<number | void>;
}

/** The flags of every command. */
export const SHARED_OPTIONS: readonly OptionSpec[] = [
  {
    flags: "--store <place>",
    what: "folder or URL of the store (else MNEM_STORE, else found upward)",
  },
  {
    flags: "--json",
    what: "print the result, or the error, as one JSON value",
  },
];

/** A result that is an answer and still asks for a decision: conflicts, or nothing to commit. */
export const EXIT_UNDONE = 1;

/** As for `not_found`, where the result itself says that there is none. */
export const EXIT_ABSENT = 3;
