/**
 * Bundles as text, and as the streams that are exported and imported.
 *
 * @module
 */

import { exportBundle, type ExportOptions, type Store } from "@mnem/core";

/** A text, or bytes, as a bundle that can be imported; in pieces of some bytes each. */
export function streamOf(
  bundle: string | Uint8Array,
  { pieceBytes = 65_536 }: { readonly pieceBytes?: number } = {},
): ReadableStream<Uint8Array> {
  const bytes = typeof bundle === "string"
    ? new TextEncoder().encode(bundle)
    : bundle;
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + pieceBytes));
      at += pieceBytes;
    },
  });
}

/** The whole text of an export. */
export async function exported(
  store: Store,
  options: ExportOptions = {},
): Promise<string> {
  return await new Response(exportBundle(store, options)).text();
}
