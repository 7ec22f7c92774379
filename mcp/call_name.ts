/**
 * The key under which a call is made once, however often a client sends it.
 *
 * @module
 */

/** The field of a request's `_meta` for clients and hosts that retry by themselves: the model need not know of it. */
export const REQUEST_META_KEY = "dev.mnem/key";

/**
 * The key of a call that writes: the argument, else the one of `_meta`; null counts as absent. Throws
 * a TypeError for two that differ, or one of `_meta` that is no text.
 */
export function callName(
  argument: string | undefined,
  { key: meta }: { readonly key?: unknown },
): string | undefined {
  if (meta === undefined || meta === null) return argument;
  if (typeof meta !== "string") {
    throw new TypeError(
      `Cannot use _meta["${REQUEST_META_KEY}"]: ${typeof meta}, must be a string`,
    );
  }
  if (argument === undefined || argument === meta) return meta;
  throw new TypeError(
    `Cannot use two keys: the argument is ${
      JSON.stringify(argument)
    }, _meta["${REQUEST_META_KEY}"] is ${
      JSON.stringify(meta)
    }, one must be left out or both be the same`,
  );
}
