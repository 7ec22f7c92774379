/**
 * What the command line reaches of the world around it; all else is given to it as arguments.
 *
 * @module
 */

/** Where text goes. */
export interface Sink {
  /** Whether a person looks at it. */
  readonly isTerminal: boolean;
  /** Writes all of it. Rejects with a `code` of the system (EPIPE, ENOSPC) where it cannot. */
  write(data: string | Uint8Array): Promise<void>;
}

/** How another run of the command line ended. */
export interface Ended {
  /** Its exit status; null if a signal or a crash ended it. */
  readonly status: number | null;
  /** What it wrote to standard output. */
  readonly stdout: string;
  /** What it wrote to standard error. */
  readonly stderr: string;
}

/** The edge of the program. */
export interface Io {
  /** Results, and nothing else. */
  readonly stdout: Sink;
  /** Errors, hints and progress. */
  readonly stderr: Sink;
  /** Standard input. */
  readonly stdin: {
    /** Whether a person is asked to type. */
    readonly isTerminal: boolean;
    /** Its bytes; to be called once. */
    stream(): ReadableStream<Uint8Array>;
  };
  /** The working directory, an absolute path. */
  directory(): string;
  /** A variable of the environment; undefined if it is not set. */
  variable(name: string): string | undefined;
  /** The time of commits that name none, in Unix milliseconds. */
  clock(): number;
  /** Calls back every second until the function that it returns is called. */
  everySecond(tick: () => void): () => void;
  /** A signal that a first Ctrl-C sets, instead of ending the program. */
  interruption(): AbortSignal;
  /** Runs the command line once more, in a process of its own. Rejects where none can be started. */
  runApart(args: readonly string[]): Promise<Ended>;
}
