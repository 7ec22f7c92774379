/**
 * `resources/subscribe` of the older revisions. Later ones listen instead, see `listen_transport.ts`.
 *
 * @module
 */

import type { Server } from "@modelcontextprotocol/server";
import { resourceError } from "./protocol_error.ts";
import { parseResourceUri } from "./resource_uri.ts";
import type { ResourceWatch } from "./resource_watch.ts";
import type { Report } from "./tool_result.ts";

/** A client of the older revisions has one set of subscriptions. */
const CLIENT: unique symbol = Symbol("client");

/** Lets the client of a server subscribe to resources. */
export function handleSubscriptions(
  server: Server,
  watch: ResourceWatch,
  report: Report,
): void {
  server.setRequestHandler("resources/subscribe", async ({ params }) => {
    const { uri } = params;
    if (namesNothing(uri)) {
      const cause = new TypeError("this server has none of that URI");
      throw resourceError(uri, cause, report);
    }
    await watch.watch(CLIENT, [uri]);
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", ({ params }) => {
    watch.unwatch(CLIENT, params.uri);
    return {};
  });
}

/** Tells whether a URI names no resource. Those of other schemes are for whoever adds resources to the server. */
function namesNothing(uri: string): boolean {
  const isOurs = !URL.canParse(uri) || new URL(uri).protocol === "mnem:";
  return isOurs && parseResourceUri(uri) === null;
}
