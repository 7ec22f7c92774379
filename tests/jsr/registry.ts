/**
 * A JSR registry on loopback: takes what `deno publish` sends, and serves it to whoever imports it. With
 * its address in `JSR_URL` Deno asks it instead of the real one.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { readTarball } from "../../scripts/npm/tar.ts";

/** A running registry; `await using` ends it. */
export interface JsrRegistry extends AsyncDisposable {
  /** What `JSR_URL` must be. */
  readonly url: string;
  /** The files of each package that was published, text by path, by `@scope/name`. */
  readonly published: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

interface Release {
  readonly version: string;
  readonly files: ReadonlyMap<string, string>;
}

/** Starts one on a free port, without any package. */
export function jsrRegistry(): JsrRegistry {
  const releases = new Map<string, Release>();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const { pathname } = new URL(request.url);
      const [, scope = "", name = "", version] =
        /^\/api\/scopes\/([^/]+)\/packages\/([^/]+)(?:\/versions\/([^/]+))?$/
          .exec(pathname) ?? [];
      if (scope === "") return serveFile(releases, pathname);
      if (version === undefined) {
        return Response.json({
          scope,
          name,
          description: "",
          githubRepository: null,
        });
      }
      if (request.method !== "POST") return notFound();
      releases.set(`@${scope}/${name}`, {
        version,
        files: await readFiles(request),
      });
      return Response.json({
        id: crypto.randomUUID(),
        status: "success",
        error: null,
        packageScope: scope,
        packageName: name,
        packageVersion: version,
      });
    },
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}/`,
    get published() {
      return new Map([...releases].map(([name, one]) => [name, one.files]));
    },
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

async function readFiles(request: Request): Promise<Map<string, string>> {
  const files = readTarball(await request.bytes());
  return new Map(files.map(({ path, bytes }) => [
    path.replace(/^(?:\.?\/)?/, "/"),
    new TextDecoder().decode(bytes),
  ]));
}

/** What an importer asks for: a list of versions, the list of files of one, or a file. */
function serveFile(
  releases: ReadonlyMap<string, Release>,
  pathname: string,
): Response {
  const [, name = "", rest = ""] = /^\/(@[^/]+\/[^/]+)\/(.+)$/.exec(pathname) ??
    [];
  const release = releases.get(name);
  if (release === undefined) return notFound();
  const { version, files } = release;
  if (rest === "meta.json") {
    const [scope, short] = name.slice(1).split("/");
    const versions = { [version]: {} };
    return Response.json({ scope, name: short, latest: version, versions });
  }
  if (rest === `${version}_meta.json`) {
    const manifest = Object.fromEntries(
      [...files].map(([path, text]) => [path, described(text)]),
    );
    return Response.json({ manifest, exports: exportsOf(files) });
  }
  const text = files.get(rest.slice(version.length));
  if (!rest.startsWith(`${version}/`) || text === undefined) return notFound();
  return new Response(text, { headers: { "content-type": "text/typescript" } });
}

function described(text: string): object {
  const sum = createHash("sha256").update(text).digest("hex");
  return {
    size: new TextEncoder().encode(text).length,
    checksum: `sha256-${sum}`,
  };
}

function exportsOf(files: ReadonlyMap<string, string>): object {
  const { exports } = JSON.parse(files.get("/deno.json") ?? "{}");
  return typeof exports === "string" ? { ".": exports } : exports;
}

function notFound(): Response {
  return Response.json({ code: "notFound", message: "not there" }, {
    status: 404,
  });
}
