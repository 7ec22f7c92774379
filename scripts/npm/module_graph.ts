/**
 * What the modules of one package import: each other, and other packages.
 *
 * @module
 */

import { join } from "node:path/posix";

/** What is reached from the entries of a package. */
export interface Reached {
  /** Paths of its own modules, `.js` and `.d.ts`. */
  readonly modules: ReadonlySet<string>;
  /** Names of other packages, built-ins left out. */
  readonly packages: ReadonlySet<string>;
}

// Of code as Deno emits it: a declaration begins a line, or follows its comment; specifiers stand in
// double quotes.
const SPECIFIER =
  /^(?:.*\*\/)?[ \t]*(?:import|export)\b\s*(?:[^"';]*?[\s*}]from\s*)?"([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)/gm;

/**
 * Follows imports from some modules. `modules` holds texts by path, the `.js` ones without comments.
 * Throws where a module that is imported is not there.
 */
export function followImports(
  entries: Iterable<string>,
  modules: ReadonlyMap<string, string>,
): Reached {
  const reached = new Set<string>();
  const packages = new Set<string>();
  const waiting = [...entries];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    const text = modules.get(path);
    if (text === undefined) throw new Error(`The package has no ${path}`);
    for (const specifier of specifiersOf(text)) {
      if (specifier.startsWith(".")) {
        waiting.push(targetOf(path, specifier));
      } else if (!specifier.startsWith("node:")) {
        packages.add(packageOf(specifier, path));
      }
    }
  }
  return { modules: reached, packages };
}

function specifiersOf(text: string): string[] {
  return [...text.matchAll(SPECIFIER)].map((match) =>
    match[1] ?? match[2] ?? ""
  );
}

/** Types import the module whose types they mean: `./a.js` in `b.d.ts` is `a.d.ts`. */
function targetOf(from: string, specifier: string): string {
  const path = join(from, "..", specifier);
  return from.endsWith(".d.ts") ? path.replace(/\.js$/, ".d.ts") : path;
}

/** `@scope/name/sub/path.js` is of `@scope/name`. */
function packageOf(specifier: string, from: string): string {
  const name = /^(?:@[\w.-]+\/)?[\w.-]+(?=\/|$)/.exec(specifier)?.[0];
  if (name === undefined) {
    throw new Error(`${from} imports "${specifier}", which npm cannot resolve`);
  }
  return name;
}
