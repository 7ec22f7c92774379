/**
 * All peers, in the order of tables.
 *
 * @module
 */

import { GIT_CLI, GIT_FAST_IMPORT } from "./git_peers.ts";
import { ISOMORPHIC_GIT } from "./isomorphic_git_peer.ts";
import { JSONL } from "./jsonl_peer.ts";
import { OWN, OWN_SERVER } from "./own_peer.ts";
import type { Peer } from "./peer.ts";
import { REFERENCE } from "./reference_peer.ts";
import { SERVER_MEMORY } from "./server_memory_peer.ts";
import { SQLITE } from "./sqlite_peer.ts";

/** This project first. */
export const PEERS: readonly Peer[] = [
  OWN,
  OWN_SERVER,
  REFERENCE,
  SERVER_MEMORY,
  GIT_CLI,
  ISOMORPHIC_GIT,
  GIT_FAST_IMPORT,
  JSONL,
  SQLITE,
];
