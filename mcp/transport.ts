/**
 * MCP over standard input and output: JSON-RPC frames, one a line.
 *
 * Unlike the SDK's own transport it answers every line that is no request, reads integers exactly,
 * answers the calls in flight when the input ends, and never goes deaf on a large line.
 *
 * @module
 */

import type { Readable, Writable } from "node:stream";
import { type Json, stringifyJson } from "@mnem/core";
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
  type Transport,
} from "@modelcontextprotocol/server";
import { type Frame, FrameReader } from "./frame_reader.ts";
import { jsonText } from "./json_text.ts";
import { DRAIN_MS_MAX, FRAME_BYTES_MAX } from "./limits.ts";
import { type FrameId, parseFrame } from "./parse_frame.ts";

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
  /** How long the end of input waits for the calls in flight, in milliseconds. */
  readonly drainMs?: number | undefined;
}

/** The error member of a JSON-RPC answer. */
type WireFault = {
  readonly code: number;
  readonly message: string;
  readonly data?: Json;
};

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
  readonly #drainMs: number;
  #end: () => void = () => {};
  /** Requests not answered yet; false for those that stay open by design. */
  readonly #open = new Map<string | number, boolean>();
  #idle: (() => void) | undefined;
  #written: Promise<void> = Promise.resolve();
  #envelopes = false;
  #inputEnded = false;
  #closing = false;

  /** Makes a transport; nothing is read before {@linkcode start}. */
  constructor(streams: StdioStreams, options: StdioTransportOptions = {}) {
    this.#streams = streams;
    this.#reader = new FrameReader(options.frameBytesMax ?? FRAME_BYTES_MAX);
    this.#drainMs = options.drainMs ?? DRAIN_MS_MAX;
    this.closed = new Promise((resolve) => this.#end = resolve);
  }

  /** Starts to read. */
  start(): Promise<void> {
    const { stdin, stdout } = this.#streams;
    stdin.on("data", this.#onData);
    stdin.on("end", this.#onInputEnd);
    stdin.on("close", this.#onInputEnd);
    stdin.on("error", this.#onInputEnd);
    stdout.on("error", this.#onOutputError);
    return Promise.resolve();
  }

  /** Writes one message. Any bigint that is left in it goes out as a decimal string. */
  send(message: JSONRPCMessage): Promise<void> {
    if (!("method" in message) && message.id !== undefined) {
      this.#settle(message.id);
    }
    return this.#write(jsonText(message));
  }

  /** Stops reading, waits until everything is written, and ends the connection. */
  async close(): Promise<void> {
    if (this.#closing) return this.closed;
    this.#closing = true;
    const { stdin } = this.#streams;
    stdin.off("data", this.#onData);
    stdin.off("end", this.#onInputEnd);
    stdin.off("close", this.#onInputEnd);
    stdin.pause();
    await this.#within(this.#written);
    this.onclose?.();
    this.#end();
  }

  readonly #onData = (chunk: Uint8Array): void => {
    for (const frame of this.#reader.push(chunk)) this.#receive(frame);
  };

  readonly #onInputEnd = (): void => {
    if (this.#inputEnded || this.#closing) return;
    this.#inputEnded = true;
    for (const frame of this.#reader.end()) this.#receive(frame);
    this.#drained().then(() => this.close());
  };

  // A client that closed its end reads nothing more: there is nobody to tell.
  readonly #onOutputError = (): void => {
    this.#written = Promise.resolve();
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
    if (isJSONRPCRequest(message)) return this.#request(message);
    if (isJSONRPCNotification(message)) return this.#notification(message);
    this.onmessage?.(message);
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
    this.#open.set(message.id, message.method !== "subscriptions/listen");
    this.onmessage?.(message);
  }

  #notification(message: JSONRPCNotification): void {
    if (message.method === "notifications/cancelled") {
      const id = message.params?.["requestId"];
      if (typeof id === "string" || typeof id === "number") this.#settle(id);
    }
    this.onmessage?.(message);
  }

  #refuse(error: WireFault, id?: FrameId): void {
    // Not by jsonText: an id of 2^60 has to come back as the number that it was.
    const answer = id === undefined
      ? stringifyJson({ jsonrpc: "2.0", error })
      : stringifyJson({ jsonrpc: "2.0", id, error });
    this.#write(answer).catch((cause) => this.onerror?.(cause));
  }

  #settle(id: string | number): void {
    this.#open.delete(id);
    if (this.#idle !== undefined && !this.#waiting()) this.#idle();
  }

  #waiting(): boolean {
    return [...this.#open.values()].includes(true);
  }

  async #drained(): Promise<void> {
    if (!this.#waiting()) return;
    const idle = new Promise<void>((resolve) => this.#idle = resolve);
    await this.#within(idle);
  }

  async #within(work: Promise<void>): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const expired = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#drainMs);
    });
    await Promise.race([work.catch(() => {}), expired]);
    clearTimeout(timer);
  }

  #write(text: string): Promise<void> {
    const written = new Promise<void>((resolve, reject) => {
      this.#streams.stdout.write(
        `${text}\n`,
        (error) => error ? reject(error) : resolve(),
      );
    });
    this.#written = written.catch(() => {});
    return written;
  }
}
