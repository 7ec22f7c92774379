/**
 * `git` as a child process.
 *
 * @module
 */

import { spawn } from "node:child_process";
import { Buffer } from "node:buffer";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { UsageError } from "../given.ts";
import { visible } from "../render/visible.ts";

/** What of standard error is kept for a message. */
const SAID_UNITS_MAX = 2_000;

/**
 * A repository is read, and nothing else: no object that it lacks is fetched, by whatever program its
 * configuration names, and nothing stands in the place of another object.
 */
const ALOOF = [
  ...["allow", "file.allow", "git.allow", "ssh.allow", "http.allow"],
  ...["https.allow", "ext.allow"],
].flatMap((name) => ["-c", `protocol.${name}=never`]).concat(
  "--no-replace-objects",
  "--literal-pathspecs",
);

/** A program that runs: what is written to it, and what it writes. */
export class GitProcess {
  /** What it writes. */
  readonly out: ByteReader;
  readonly #stdin: Writable;
  readonly #ended: Promise<void>;
  readonly #kill: () => void;

  /** Starts `git` with some arguments. */
  constructor(args: readonly string[]) {
    const child = spawn("git", [...ALOOF, ...args], {
      stdio: ["pipe", "pipe", "pipe"],
    });
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(0, SAID_UNITS_MAX);
    });
    const ended = new Promise<void>((resolve, reject) => {
      child.once("error", (error) => reject(cannotStart(error)));
      child.once("close", (status) => {
        if (status === 0) resolve();
        else reject(new UsageError(`git said: ${firstLine(said, status)}`));
      });
    });
    // Whoever waits for it sees how it ended; before that it is nobody's failure.
    ended.catch(() => {});
    child.stdin.on("error", () => {});
    this.#ended = ended;
    this.#stdin = child.stdin;
    this.out = new ByteReader(child.stdout, () => ended);
    this.#kill = () => child.kill("SIGKILL");
  }

  /** Writes to it. Waits while it does not read. If it ended, how it ended is the failure. */
  async write(data: string | Uint8Array): Promise<void> {
    if (this.#stdin.destroyed) return await this.#ended;
    if (this.#stdin.write(data)) return;
    const drained = once(this.#stdin, "drain").catch(() => this.#ended);
    await Promise.race([drained, this.#ended]);
  }

  /** Ends what is written to it, and waits for its end. Throws a UsageError for any that is not good. */
  async end(): Promise<void> {
    this.#stdin.end();
    await this.#ended;
  }

  /** Ends it, whatever it does. */
  async stop(): Promise<void> {
    this.#kill();
    await this.#ended.catch(() => {});
  }
}

/** Runs `git` to its end, and returns what it wrote. */
export async function runGit(args: readonly string[]): Promise<string> {
  const git = new GitProcess(args);
  try {
    const ended = git.end();
    ended.catch(() => {});
    const text = new TextDecoder().decode(await git.out.rest());
    await ended;
    return text;
  } finally {
    await git.stop();
  }
}

/** What comes from a program, taken in the pieces that its reader knows of. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #failure: () => Promise<void>;
  #bytes: Uint8Array = new Uint8Array();

  /** Reads a stream; `failure` throws if it ended too early for a reason. */
  constructor(stream: Readable, failure: () => Promise<void>) {
    this.#chunks = stream[Symbol.asyncIterator]();
    this.#failure = failure;
  }

  /** The next byte, not taken; undefined at the end. */
  async peek(): Promise<number | undefined> {
    while (this.#bytes.length === 0) if (!await this.#more()) return undefined;
    return this.#bytes[0];
  }

  /** The bytes before a mark, which is taken too. */
  async until(mark: number): Promise<Uint8Array> {
    let from = 0;
    for (;;) {
      const at = this.#bytes.indexOf(mark, from);
      if (at >= 0) {
        const bytes = this.#bytes.slice(0, at);
        this.#bytes = this.#bytes.subarray(at + 1);
        return bytes;
      }
      from = this.#bytes.length;
      if (!await this.#more()) throw await this.#early();
    }
  }

  /** So many bytes. */
  async take(size: number): Promise<Uint8Array> {
    const taken = new Uint8Array(size);
    let filled = 0;
    await this.#pass(size, (bytes) => {
      taken.set(bytes, filled);
      filled += bytes.length;
    });
    return taken;
  }

  /** Passes over so many bytes. */
  async skip(size: number): Promise<void> {
    await this.#pass(size, () => {});
  }

  /** All that is left. */
  async rest(): Promise<Uint8Array> {
    while (await this.#more());
    return this.#bytes;
  }

  async #pass(size: number, use: (bytes: Uint8Array) => void): Promise<void> {
    let left = size;
    while (left > 0) {
      if (this.#bytes.length === 0 && !await this.#more()) {
        throw await this.#early();
      }
      const part = this.#bytes.subarray(0, left);
      use(part);
      left -= part.length;
      this.#bytes = this.#bytes.subarray(part.length);
    }
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#chunks.next().catch(async (error) => {
      await this.#failure();
      throw error;
    });
    if (done) return false;
    this.#bytes = this.#bytes.length === 0
      ? value
      : new Uint8Array(Buffer.concat([this.#bytes, value]));
    return true;
  }

  async #early(): Promise<Error> {
    await this.#failure();
    return new UsageError("git ended before it had said everything");
  }
}

function cannotStart(error: Error): UsageError {
  const isMissing = "code" in error && error.code === "ENOENT";
  return new UsageError(
    isMissing
      ? "git is needed, and there is no program of that name on PATH"
      : `git cannot be started: ${error.message}`,
  );
}

function firstLine(said: string, status: number | null): string {
  const [line = ""] = said.split("\n").filter((line) => line.trim() !== "");
  return line === "" ? `nothing, and ended with ${status}` : visible(line);
}
