/**
 * Branches as git names them, and back (FORMAT.md, "Git").
 *
 * @module
 */

import { compareUtf8 } from "@mnem/core";
import { fromPieces, inPieces, percent } from "./percent.ts";

const HEADS = "refs/heads/";

/** What a branch name cannot have. */
const OTHERS = /[^\p{Alphabetic}\p{N}\-_./]/gu;

const CAPITAL = /\p{Lu}/u;

/**
 * Returns the names of branches in git. Git cannot have `a` beside `a/b`, nor a file system `A` beside
 * `a`: then one of them is escaped, one with capitals rather than one without, the later rather than the
 * earlier in bytewise order.
 */
export function refsOfBranches(
  branches: Iterable<string>,
): ReadonlyMap<string, string> {
  const refs = new Map<string, string>();
  const taken = new Set<string>();
  const folders = new Set<string>();
  const names = [...branches].sort((a, b) =>
    Number(CAPITAL.test(a)) - Number(CAPITAL.test(b)) || compareUtf8(a, b)
  );
  for (const name of names) {
    const ref = spellingsOf(name).find((ref) => {
      const folded = foldedOf(ref);
      return !taken.has(folded) && !folders.has(folded) &&
        !foldersOf(folded).some((folder) => taken.has(folder));
    }) ?? name;
    const folded = foldedOf(ref);
    taken.add(folded);
    for (const folder of foldersOf(folded)) folders.add(folder);
    refs.set(name, HEADS + ref);
  }
  return refs;
}

/** Returns the branch that a ref is of; undefined if it is of none that could have been exported. */
export function branchOfRef(ref: string): string | undefined {
  return ref.startsWith(HEADS)
    ? fromPieces(ref.slice(HEADS.length))
    : undefined;
}

/** Returns the nearest text that can name a branch. */
export function nearestBranch(ref: string): string {
  const name = (branchOfRef(ref) ?? ref.slice(HEADS.length))
    .replace(OTHERS, "-").replace(/\.{2,}/g, "-").replace(/^[/.]|[/.]$/g, "-");
  return name === "HEAD" || name === "" ? `${name}-` : name;
}

/** From the most readable to the safest. */
function spellingsOf(name: string): string[] {
  const upper = name.replace(new RegExp(CAPITAL, "gu"), percent);
  return [
    escaped(name),
    escaped(upper),
    escaped(name.replaceAll("/", "%2f")),
    escaped(upper.replaceAll("/", "%2f")),
    escaped(name.replace(/[^a-z0-9]/gu, percent)),
  ];
}

function escaped(name: string): string {
  return name.split("/").map((part) =>
    inPieces(
      part,
      (piece, isLast) => {
        let text = piece;
        if (isLast && text.endsWith(".lock")) {
          text = `${text.slice(0, -5)}%2elock`;
        }
        if (text.endsWith(".")) text = `${text.slice(0, -1)}%2e`;
        return /^[.-]/.test(text)
          ? percent(text.charAt(0)) + text.slice(1)
          : text;
      },
    )
  ).join("/");
}

function foldersOf(ref: string): string[] {
  const parts = ref.split("/");
  return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join("/"));
}

function foldedOf(ref: string): string {
  return ref.normalize("NFKC").toLowerCase();
}
