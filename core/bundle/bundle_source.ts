/**
 * The stream that a bundle comes from, as pieces.
 *
 * @module
 */

import { typeName } from "../object/check_text.ts";

/** Bytes that are asked for at once, where the stream lets its reader say. */
const PIECE_BYTES = 64 * 1024;

/** What both kinds of readers have in common. */
interface PieceReader {
  read(): Promise<
    { readonly done: boolean; readonly value?: Uint8Array | undefined }
  >;
  cancel(reason: unknown): Promise<void>;
  releaseLock(): void;
}

/** Reads a stream. Whoever stops early, or is told to by the signal, cancels it. */
export class BundleSource implements AsyncIterator<Uint8Array> {
  readonly #reader: PieceReader;
  readonly #signal: AbortSignal | undefined;
  readonly #cancel = () => this.#stop(this.#signal?.reason);

  /** Takes a stream. Throws a TypeError for what is none, or is being read already. */
  constructor(
    bundle: ReadableStream<Uint8Array>,
    signal: AbortSignal | undefined,
  ) {
    if (!(bundle instanceof ReadableStream)) {
      throw new TypeError(
        `Cannot import ${typeName(bundle)}: a bundle must be a ReadableStream`,
      );
    }
    if (bundle.locked) {
      throw new TypeError(
        "Cannot import the bundle: its stream is being read already",
      );
    }
    this.#reader = readerOf(bundle);
    this.#signal = signal;
    signal?.addEventListener("abort", this.#cancel);
  }

  /** The next piece, good until the one after it is asked for. Throws the reason of the signal. */
  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#signal?.throwIfAborted();
    const { done, value } = await this.#reader.read();
    this.#signal?.throwIfAborted();
    return done || value === undefined
      ? { done: true, value: undefined }
      : { done: false, value };
  }

  /** Ends it, wherever it is. */
  async end(reason: unknown): Promise<void> {
    this.#signal?.removeEventListener("abort", this.#cancel);
    await this.#stop(reason);
    this.#reader.releaseLock();
  }

  async #stop(reason: unknown): Promise<void> {
    // Of a stream that ended this does nothing, and one that failed says it again.
    await this.#reader.cancel(reason).catch(() => {});
  }
}

function readerOf(bundle: ReadableStream<Uint8Array>): PieceReader {
  try {
    return new ReusingReader(bundle.getReader({ mode: "byob" }));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return bundle.getReader();
  }
}

/** Reads every piece into the same memory, where the stream has none of its own. */
class ReusingReader implements PieceReader {
  readonly #reader: ReadableStreamBYOBReader;
  #room = new Uint8Array(PIECE_BYTES);

  constructor(reader: ReadableStreamBYOBReader) {
    this.#reader = reader;
  }

  async read(): ReturnType<PieceReader["read"]> {
    const { done, value } = await this.#reader.read(this.#room);
    if (value === undefined) return { done: true };
    this.#room = new Uint8Array(value.buffer);
    return { done, value };
  }

  async cancel(reason: unknown): Promise<void> {
    await this.#reader.cancel(reason);
  }

  releaseLock(): void {
    this.#reader.releaseLock();
  }
}
