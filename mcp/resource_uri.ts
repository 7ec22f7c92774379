/**
 * What the URI of a resource names.
 *
 * @module
 */

/** A resource of the server. */
export type ResourceName =
  | { readonly kind: "memory" | "log" | "status" }
  | { readonly kind: "node" | "commit"; readonly id: string };

const FIXED = ["memory", "log", "status"] as const;

/**
 * Reads a URI the way in which `resources/read` does: normalised as a URL, and its last part
 * percent-decoded. Null if it names no resource of ours.
 */
export function parseResourceUri(uri: string): ResourceName | null {
  const href = URL.canParse(uri) ? new URL(uri).href : "";
  const kind = FIXED.find((name) => href === `mnem://${name}`);
  if (kind !== undefined) return { kind };
  const [, folder, encoded] =
    /^mnem:\/\/(memory|commit)\/([^/,]+)$/.exec(href) ?? [];
  const id = decoded(encoded);
  if (id === null) return null;
  return { kind: folder === "memory" ? "node" : "commit", id };
}

function decoded(text: string | undefined): string | null {
  if (text === undefined) return null;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
