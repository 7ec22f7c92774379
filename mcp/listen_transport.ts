/**
 * Sees on the wire who listens: the SDK answers `subscriptions/listen` itself and tells nobody.
 *
 * @module
 */

import {
  isSpecType,
  type JSONRPCMessage,
  SUBSCRIPTION_ID_META_KEY,
  type Transport,
} from "@modelcontextprotocol/server";
import type { ResourceWatch } from "./resource_watch.ts";

const ACKNOWLEDGED = "notifications/subscriptions/acknowledged";

/** Passes everything on to another transport, and keeps the watchers of a watch as listeners come and go. */
export class ListenTransport implements Transport {
  readonly #inner: Transport;
  readonly #watch: ResourceWatch;
  /** Listen requests that nobody has given up; what was cancelled before it was served is not watched. */
  readonly #asked = new Set<string | number>();

  /** Wraps a transport that is not started yet. */
  constructor(inner: Transport, watch: ResourceWatch) {
    this.#inner = inner;
    this.#watch = watch;
  }

  /** Set by the SDK: called once, when the connection has ended. */
  onclose?: (() => void) | undefined;
  /** Set by the SDK: told of failures that belong to no request. */
  onerror?: ((error: Error) => void) | undefined;
  /** Set by the SDK: given each message. */
  onmessage?: Transport["onmessage"];

  /** Starts the transport within. */
  start(): Promise<void> {
    const inner = this.#inner;
    inner.onclose = () => {
      this.#watch.close();
      this.onclose?.();
    };
    inner.onerror = (error) => this.onerror?.(error);
    inner.onmessage = (message, extra) => {
      this.#received(message);
      this.onmessage?.(message, extra);
    };
    return inner.start();
  }

  /** Sends a message. A listener is told that it is served only when every change from then on is seen. */
  async send(message: JSONRPCMessage): Promise<void> {
    // By its name first: whether an answer is one of these would cost as much as the answer.
    if (
      "method" in message && message.method === ACKNOWLEDGED &&
      isSpecType.SubscriptionsAcknowledgedNotification(message)
    ) {
      const id = message.params._meta?.[SUBSCRIPTION_ID_META_KEY];
      if (isId(id) && this.#asked.has(id)) {
        const { resourceSubscriptions } = message.params.notifications;
        await this.#watch.watch(id, resourceSubscriptions ?? []);
      }
    } else if (!("method" in message) && message.id !== undefined) {
      this.#over(message.id);
    }
    await this.#inner.send(message);
  }

  /** Closes the transport within. */
  close(): Promise<void> {
    return this.#inner.close();
  }

  #received(message: JSONRPCMessage): void {
    if (!("method" in message)) return;
    if ("id" in message) {
      if (message.method === "subscriptions/listen") {
        this.#asked.add(message.id);
      }
    } else if (message.method === "notifications/cancelled") {
      const id = message.params?.["requestId"];
      if (isId(id)) this.#over(id);
    }
  }

  #over(id: string | number): void {
    if (this.#asked.delete(id)) this.#watch.unwatch(id);
  }
}

function isId(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}
