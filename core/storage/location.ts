/**
 * Where a store lies: in a folder of this machine, or on a Deno KV server.
 *
 * @module
 */

import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { PATH_BYTES_MAX } from "../limits.ts";
import { utf8Length } from "../object/utf8.ts";
import { firstLine } from "./kv_errors.ts";

/** A store in a folder. All paths are absolute. */
export interface LocalLocation {
  /** Tells it from a {@linkcode RemoteLocation}. */
  readonly kind: "local";
  /** The folder that the user named. */
  readonly directory: string;
  /** `.mnem` inside it, which holds nothing but the store. */
  readonly folder: string;
  /** `kv.db` inside that. */
  readonly file: string;
  /** What the user wrote. */
  readonly text: string;
}

/** A store on a Deno KV server (KV Connect). */
export interface RemoteLocation {
  /** Tells it from a {@linkcode LocalLocation}. */
  readonly kind: "remote";
  /** Its address, normalised. */
  readonly url: string;
  /** What the user wrote. */
  readonly text: string;
}

/** Where a store lies. */
export type StoreLocation = LocalLocation | RemoteLocation;

const REMOTE_IS = "a remote store is https://..., or http:// on this machine";

/**
 * Reads the location of a store: a folder, a `file:` URL of one, or the `https:` URL (on loopback
 * also `http:`) of a server. Touches nothing. Throws a TypeError for anything else (a URL object, an
 * empty text, NUL, another scheme, a URL with a user or password) and a RangeError for a path over
 * {@linkcode PATH_BYTES_MAX} bytes.
 */
export function parseLocation(text: string): StoreLocation {
  if (typeof text !== "string") {
    throw new TypeError(
      `Cannot use ${
        Object.prototype.toString.call(text)
      } as a store: give its folder or URL as text`,
    );
  }
  if (text === "") {
    throw new TypeError(
      "Cannot use an empty text as a store: give its folder or URL",
    );
  }
  if (!text.isWellFormed()) throw refused(text, "text must be well-formed");
  if (text === ":memory:") {
    throw refused(text, "a store lies in a folder, never in memory");
  }
  if (/^https?:/i.test(text)) return parseRemote(text);
  if (/^file:/i.test(text)) return local(pathOfFileUrl(text), text);
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) throw refused(text, REMOTE_IS);
  return local(text, text);
}

function local(path: string, text: string): LocalLocation {
  if (path.includes("\0")) throw refused(text, "a path holds no NUL");
  const directory = resolve(path);
  const folder = join(directory, ".mnem");
  const file = join(folder, "kv.db");
  const bytes = utf8Length(file);
  if (bytes > PATH_BYTES_MAX) {
    throw new RangeError(
      `Cannot use store "${text}": its path has ${bytes} bytes, the limit is ${PATH_BYTES_MAX}`,
    );
  }
  return { kind: "local", directory, folder, file, text };
}

function parseRemote(text: string): RemoteLocation {
  if (!URL.canParse(text)) throw refused(text, REMOTE_IS);
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") {
    throw refused(
      text,
      "the access token goes into DENO_KV_ACCESS_TOKEN, not into the URL",
    );
  }
  const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol !== "https:" && !loopback) throw refused(text, REMOTE_IS);
  return { kind: "remote", url: url.href, text };
}

function pathOfFileUrl(text: string): string {
  if (!/^file:\/[^?#]*$/i.test(text)) {
    throw refused(
      text,
      "a file URL is file:///folder, without a query or fragment",
    );
  }
  try {
    return fileURLToPath(text);
  } catch (error) {
    throw refused(text, firstLine(error));
  }
}

function refused(text: string, rule: string): TypeError {
  // A user may have put a password into a URL.
  const shown = text.replace(/\/\/[^/@]*@/, "//***@");
  return new TypeError(`Cannot use "${shown}" as a store: ${rule}`);
}
