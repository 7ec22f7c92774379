/**
 * MCP over standard input and output: JSON-RPC frames, one a line.
 *
 * Unlike the SDK's own transport it answers every line that is no request, reads integers exactly,
 * answers the calls in flight when the input ends, and never goes deaf on a large line. What it
 * answers with silence is listed in the README.
 *
 * @module
 */

import type { Readable, Writable } from "node:stream";
import {
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
  SUBSCRIPTION_ID_META_KEY,
  type Transport,
} from "@modelcontextprotocol/server";
import { type Frame, FrameReader } from "./frame_reader.ts";
import { FrameWriter } from "./frame_writer.ts";
import { jsonText } from "./json_text.ts";
import {
  CALLS_IN_FLIGHT_MAX,
  DRAIN_MS_MAX,
  FRAME_BYTES_MAX,
  OUTPUT_UNITS_MAX,
} from "./limits.ts";
import { type FrameId, parseFrame } from "./parse_frame.ts";
import { type ProtocolFault, shownFault } from "./sdk_fault.ts";
import { settledWithin } from "./settled_within.ts";

/** The revisions in which a request names its own protocol version. */
const REVISIONS: readonly string[] = ["2026-07-28"];

/** The two ends of a process that the transport uses. */
export interface StdioStreams {
  /** Frames come in here. */
  readonly stdin: Readable;
  /** Frames go out here, and nothing else may. */
  readonly stdout: Writable;
}

/** How a {@linkcode StdioTransport} is bounded. */
export interface StdioTransportOptions {
  /** The longest inbound frame, in bytes. */
  readonly frameBytesMax?: number | undefined;
  /** How long the end of input waits for the next answer, in milliseconds. */
  readonly drainMs?: number | undefined;
  /** Called after each answer. */
  readonly onAnswer?: (() => void) | undefined;
}

/** One connection over a pair of byte streams. */
export class StdioTransport implements Transport {
  /** Set by the SDK: called once, when the connection has ended. */
  onclose?: (() => void) | undefined;
  /** Set by the SDK: told of failures that belong to no request. */
  onerror?: ((error: Error) => void) | undefined;
  /** Set by the SDK: given each message. */
  onmessage?: (<T extends JSONRPCMessage>(message: T) => void) | undefined;
  /** Settles when the connection has ended and everything was written. */
  readonly closed: Promise<void>;

  readonly #streams: StdioStreams;
  readonly #reader: FrameReader;
  readonly #writer: FrameWriter;
  readonly #drainMs: number;
  readonly #onAnswer: (() => void) | undefined;
  #end: () => void = () => {};
  /** Requests not answered yet; false for those that stay open by design. */
  readonly #open = new Map<string | number, boolean>();
  /** How many of them are true. */
  #inFlight = 0;
  #onSettled: (() => void) | undefined;
  #envelopes = false;
  #inputEnded = false;
  #isHeld = false;
  #outputGone = false;
  #closing = false;

  /** Makes a transport; nothing is read before {@linkcode start}. */
  constructor(streams: StdioStreams, options: StdioTransportOptions = {}) {
    this.#streams = streams;
    this.#reader = new FrameReader(options.frameBytesMax ?? FRAME_BYTES_MAX);
    this.#writer = new FrameWriter(streams.stdout, () => this.#goOn());
    this.#drainMs = options.drainMs ?? DRAIN_MS_MAX;
    this.#onAnswer = options.onAnswer;
    this.closed = new Promise((resolve) => this.#end = resolve);
  }

  /** Starts to read. */
  start(): Promise<void> {
    const { stdin, stdout } = this.#streams;
    stdin.on("readable", this.#read);
    stdin.on("end", this.#onInputEnd);
    stdin.on("close", this.#onInputEnd);
    stdin.on("error", this.#onInputEnd);
    stdout.on("error", this.#onOutputError);
    return Promise.resolve();
  }

  /** Writes one message. Any bigint that is left in it goes out as a decimal string. */
  send(message: JSONRPCMessage): Promise<void> {
    const written = this.#writer.write(
      "error" in message
        ? jsonText({ ...message, error: shownFault(message.error) })
        : jsonText(message),
    );
    if ("method" in message) this.#keepOpen(message);
    else if (message.id !== undefined) this.#settle(message.id);
    this.#goOn();
    if (!("method" in message)) this.#onAnswer?.();
    return written;
  }

  /** Stops reading, waits until everything is written, and ends the connection. */
  async close(): Promise<void> {
    if (this.#closing) return this.closed;
    this.#closing = true;
    const { stdin } = this.#streams;
    stdin.off("readable", this.#read);
    stdin.off("end", this.#onInputEnd);
    stdin.off("close", this.#onInputEnd);
    // Only a stream that flowed and was paused lets the process end.
    stdin.once("resume", () => stdin.pause()).resume();
    if (!this.#outputGone) await this.#writer.flushed(this.#drainMs);
    this.onclose?.();
    this.#end();
  }

  /**
   * Takes what came in, until too much is under way. It is taken and not pushed: on Deno a standard
   * input that was paused and goes on does not keep the process alive any more.
   */
  readonly #read = (): void => {
    while (!this.#isFull() && !this.#closing) {
      const chunk: Uint8Array | null = this.#streams.stdin.read();
      if (chunk === null) return;
      for (const frame of this.#reader.push(chunk)) this.#receive(frame);
    }
    this.#isHeld = true;
  };

  readonly #onInputEnd = (): void => {
    if (this.#inputEnded || this.#closing) return;
    this.#inputEnded = true;
    for (const frame of this.#reader.end()) this.#receive(frame);
    this.#drained().then(() => this.close());
  };

  // A client that closed its end reads nothing more: there is nobody to tell.
  readonly #onOutputError = (): void => {
    this.#outputGone = true;
    this.close();
  };

  #receive(frame: Frame): void {
    if ("fault" in frame) {
      const code = frame.fault === "oversized"
        ? ProtocolErrorCode.InvalidRequest
        : ProtocolErrorCode.ParseError;
      return this.#refuse({ code, message: frame.message });
    }
    const parsed = parseFrame(frame.text);
    if ("fault" in parsed) {
      const { code, fault: message, id } = parsed;
      return this.#refuse({ code, message }, id);
    }
    const { message } = parsed;
    if (!("method" in message)) this.onmessage?.(message);
    else if ("id" in message) this.#request(message);
    else this.#notification(message);
  }

  #request(message: JSONRPCRequest): void {
    if (this.#open.has(message.id)) {
      return this.#refuse({
        code: ProtocolErrorCode.InvalidRequest,
        message: `Request id ${JSON.stringify(message.id)} is in flight`,
      }, message.id);
    }
    const requested = message.params?._meta?.[PROTOCOL_VERSION_META_KEY];
    if (typeof requested === "string") {
      const known = REVISIONS.includes(requested);
      // The SDK judges the first message itself; later ones it serves whatever they claim.
      if (!known && this.#envelopes) {
        const data = { supported: REVISIONS, requested };
        return this.#refuse({
          code: ProtocolErrorCode.UnsupportedProtocolVersion,
          message: `Unsupported protocol version: ${requested}`,
          data,
        }, message.id);
      }
      this.#envelopes ||= known;
    }
    this.#open.set(message.id, true);
    this.#inFlight += 1;
    this.onmessage?.(message);
  }

  #notification(message: JSONRPCNotification): void {
    if (message.method === "notifications/cancelled") {
      const { requestId: id, reason } = message.params ?? {};
      // Of one with another kind of reason the SDK takes no notice, unless it is of a subscription.
      const isHeard = reason === undefined || typeof reason === "string";
      if (isId(id) && (isHeard || this.#open.get(id) === false)) {
        this.#settle(id);
      }
    }
    this.onmessage?.(message);
  }

  #refuse(fault: ProtocolFault, id?: FrameId): void {
    const error = jsonText(shownFault(fault));
    // Not by jsonText: an id of 2^60 has to come back as the number that it was.
    const member = id === undefined
      ? ""
      : `"id":${typeof id === "string" ? JSON.stringify(id) : id},`;
    this.#writer.write(`{"jsonrpc":"2.0",${member}"error":${error}}`)
      .catch((cause) => this.onerror?.(cause));
  }

  /** A subscription that is acknowledged is answered, as far as the end of input is concerned. */
  #keepOpen(message: JSONRPCNotification): void {
    if (message.method !== "notifications/subscriptions/acknowledged") return;
    const id = message.params?._meta?.[SUBSCRIPTION_ID_META_KEY];
    if (!isId(id) || !this.#open.get(id)) return;
    this.#settle(id);
    this.#open.set(id, false);
  }

  #settle(id: string | number): void {
    const wasInFlight = this.#open.get(id) === true;
    this.#open.delete(id);
    if (!wasInFlight) return;
    this.#inFlight -= 1;
    this.#onSettled?.();
  }

  /** Tells whether too much is under way to read more: each frame and each answer costs memory. */
  #isFull(): boolean {
    return this.#inFlight >= CALLS_IN_FLIGHT_MAX ||
      this.#writer.backlog > OUTPUT_UNITS_MAX;
  }

  /** Goes on reading, where it was held up and need not be any longer. */
  #goOn(): void {
    if (!this.#isHeld || this.#isFull()) return;
    this.#isHeld = false;
    this.#read();
  }

  /** Waits for the calls in flight, as long as they are answered one after the other, and for the output. */
  async #drained(): Promise<void> {
    for (let before = Infinity; this.#inFlight > 0;) {
      if (this.#inFlight >= before) return;
      before = this.#inFlight;
      const settled = new Promise<void>((resolve) => this.#onSettled = resolve);
      await settledWithin(settled, this.#drainMs);
    }
    await this.#writer.flushed(this.#drainMs);
  }
}

function isId(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}
