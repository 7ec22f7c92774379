/**
 * Writes frames to a byte stream, one a line.
 *
 * @module
 */

import type { Writable } from "node:stream";
import { settledWithin } from "./settled_within.ts";

/** Frames that wait together are written together, up to this many UTF-16 units. */
const BATCH_UNITS_MAX = 256 * 1024;

/** Frames that go out in one write. */
interface Batch {
  text: string;
  readonly written: Promise<void>;
  readonly settle: (error?: Error | null) => void;
}

/**
 * Writes frames in the order in which they came. While the stream is busy they are gathered, so that
 * a thousand small answers cost a few writes.
 */
export class FrameWriter {
  readonly #stream: Writable;
  readonly #onWritten: () => void;
  readonly #batches: Batch[] = [];
  #isWriting = false;
  #backlog = 0;
  #writes = 0;

  /** Makes a writer; `onWritten` is called whenever something was written. */
  constructor(stream: Writable, onWritten: () => void = () => {}) {
    this.#stream = stream;
    this.#onWritten = onWritten;
  }

  /** What was not written yet, in UTF-16 units. */
  get backlog(): number {
    return this.#backlog;
  }

  /** Writes a frame, which must not contain a line feed. Rejects if the stream failed. */
  write(frame: string): Promise<void> {
    const line = `${frame}\n`;
    this.#backlog += line.length;
    let batch = this.#batches.at(-1);
    const isTaken = this.#isWriting && this.#batches.length === 1;
    if (batch === undefined || isTaken || isFull(batch)) {
      batch = newBatch();
      this.#batches.push(batch);
    }
    batch.text += line;
    this.#writeNext();
    return batch.written;
  }

  /** Settles when everything is written, or when nothing was for so many milliseconds. */
  async flushed(idleMs: number): Promise<void> {
    for (let before = -1; before !== this.#writes;) {
      const last = this.#batches.at(-1);
      if (last === undefined) return;
      before = this.#writes;
      await settledWithin(last.written, idleMs);
    }
  }

  #writeNext(): void {
    const [batch] = this.#batches;
    if (batch === undefined || this.#isWriting) return;
    this.#isWriting = true;
    this.#stream.write(batch.text, (error) => {
      this.#isWriting = false;
      this.#batches.shift();
      this.#backlog -= batch.text.length;
      this.#writes += 1;
      batch.settle(error);
      this.#onWritten();
      this.#writeNext();
    });
  }
}

function isFull(batch: Batch): boolean {
  return batch.text.length >= BATCH_UNITS_MAX;
}

function newBatch(): Batch {
  let settle: Batch["settle"] = () => {};
  const written = new Promise<void>((resolve, reject) => {
    settle = (error) => error ? reject(error) : resolve();
  });
  // Whoever waits is told; a failure that nobody waits for is no crash.
  written.catch(() => {});
  return { text: "", written, settle };
}
