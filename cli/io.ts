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

/** Somebody asked the program to end: what an interruption aborts with. */
export class Interrupted extends Error {
  /** The exit status. */
  readonly status: number;

  /** Makes one for the status that a shell reports of a program ended so. */
  constructor(status: number) {
    super("Interrupted");
    this.name = "Interrupted";
    this.status = status;
  }
}

/** How another run of the command line ended. */
export interface Ended {
  /** Its exit status; null if a signal ended it. */
  readonly status: number | null;
  /** The signal that ended it, by name; null if none did. */
  readonly signal: string | null;
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
  /** Calls back after some milliseconds, unless the function that it returns is called before. */
  later(call: () => void, ms: number): () => void;
  /** Aborted with {@linkcode Interrupted} by a first Ctrl-C, which then does not end the program. */
  interruption(): AbortSignal;
  /**
   * Runs the command line once more, in a process of its own. Who asks this one to end asks that one:
   * then it rejects with {@linkcode Interrupted}, once the other has ended. Rejects too where none can
   * be started.
   */
  runApart(args: readonly string[]): Promise<Ended>;
}
