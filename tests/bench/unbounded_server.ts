/**
 * The server with a fault planted in it: its caches forget nothing, and with each value they hold the
 * row that it lay in, as a view of that row would.
 *
 * @module
 */

import { ByteCache } from "../../core/storage/byte_cache.ts";
import { ROW_VALUE_BYTES_MAX } from "../../core/limits.ts";
import { main } from "../../mcp/main.ts";

const { set } = ByteCache.prototype;
const held: unknown[] = [];
ByteCache.prototype.set = function (name, value, bytes) {
  held.push(value, new Uint8Array(ROW_VALUE_BYTES_MAX).fill(1));
  set.call(this, name, value, bytes);
};

Deno.exit(await main(Deno.args));
