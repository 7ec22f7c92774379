/**
 * Runs a program and keeps what it says, while it says it.
 *
 * @module
 */

/** How a program ended. */
export interface LoggedRun {
  /** 0 if all went well. */
  readonly code: number;
  /** Its output and its errors, as they came. */
  readonly log: string;
}

/** How to run it. */
export interface LoggedRunOptions {
  /** Ends the program after so long, with code 124. */
  readonly limitMs?: number;
  /** Keeps what it prints from the terminal. */
  readonly quiet?: boolean;
  /** Its working directory. */
  readonly cwd?: string;
  /** Variables beside those of this process. */
  readonly env?: { readonly [name: string]: string };
}

/** Runs Deno with arguments, and passes on what it prints. */
export async function runLogged(
  args: readonly string[],
  options: LoggedRunOptions = {},
): Promise<LoggedRun> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...args],
    // What it prints is read by programs too: a colour would stand between the words.
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: { NO_COLOR: "1", ...options.env },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let ended = false;
  const timer = options.limitMs === undefined ? undefined : setTimeout(() => {
    ended = true;
    child.kill("SIGKILL");
  }, options.limitMs);
  const parts: string[] = [];
  const reading = Promise.all([
    passOn(child.stdout, options.quiet ? undefined : Deno.stdout, parts),
    passOn(child.stderr, options.quiet ? undefined : Deno.stderr, parts),
  ]);
  const status = await child.status;
  clearTimeout(timer);
  // What was ended may have left a child of its own that keeps the pipes open.
  if (!ended) await reading;
  return { code: ended ? 124 : status.code, log: parts.join("") };
}

async function passOn(
  from: ReadableStream<Uint8Array>,
  to: { write(bytes: Uint8Array): Promise<number> } | undefined,
  parts: string[],
): Promise<void> {
  const decoder = new TextDecoder();
  for await (const bytes of from) {
    parts.push(decoder.decode(bytes, { stream: true }));
    for (let rest = bytes; to !== undefined && rest.length > 0;) {
      rest = rest.subarray(await to.write(rest));
    }
  }
}
