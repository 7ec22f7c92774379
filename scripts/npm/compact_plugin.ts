/**
 * A plugin of Deno's linter that has two things against a file: comments, and space that parts nothing.
 * With `deno lint --fix` they are gone, found by the parser that Deno itself reads the file with.
 *
 * @module
 */

/** A place in the text, and what stands there instead. */
interface Cut {
  readonly range: Deno.lint.Range;
  readonly by: string;
}

const plugin: Deno.lint.Plugin = {
  name: "pack",
  rules: {
    compact: {
      create: (context) => {
        const texts: Deno.lint.Range[] = [];
        return {
          TemplateElement: ({ range }) => void texts.push(range),
          Literal: ({ range }) => void texts.push(range),
          "Program:exit"() {
            const { text } = context.sourceCode;
            const comments = context.sourceCode.getAllComments()
              .map(({ range }) => range);
            for (const { range, by } of cutsOf(text, comments, texts)) {
              context.report({
                range,
                message: "not compact",
                fix: (fixer) => fixer.replaceTextRange(range, by),
              });
            }
          },
        };
      },
    },
  },
};

export default plugin;

/**
 * No cut joins two tokens, and where a line break can end a statement one is left. `texts` are the
 * ranges in which every space counts.
 */
function cutsOf(
  text: string,
  comments: readonly Deno.lint.Range[],
  texts: readonly Deno.lint.Range[],
): Cut[] {
  const cuts = comments.map((range) => commentCut(text, range));
  const taken = [...texts, ...cuts.map(({ range }) => range)];
  taken.sort((a, b) => a[0] - b[0]);
  // What is cut here may stay for another round, and would take the line after it along.
  const ends = new Set(comments.map(([, end]) => end));
  let at = 0;
  for (const match of text.matchAll(/[ \t\r\n]+/g)) {
    const start = match.index;
    while ((taken[at]?.[1] ?? Infinity) <= start) at++;
    // The text of a template begins behind a quote or brace, so a line of its own lies wholly inside.
    if ((taken[at]?.[0] ?? Infinity) <= start || ends.has(start)) continue;
    const end = Math.min(start + match[0].length, taken[at]?.[0] ?? Infinity);
    const space = text.slice(start, end);
    const by = shortSpace(space, text[start - 1] ?? "", text[end] ?? "");
    if (by !== space) cuts.push({ range: [start, end], by });
  }
  return cuts;
}

/** Signs that end a token before them and begin one after: none of two of them is a third one, but those below. */
const APART = new Set("=,:;{}()[]?&|<>\"'`");

/** No statement ends behind one. */
const OPENING = new Set("{([,");

/** A statement may end before one without a line break. */
const CLOSING = new Set("})]");

/** A number after a question, and comments of HTML, which scripts know. */
const TOGETHER: readonly string[] = ["?.", "<!", "->"];

/** What must stay of space between two characters. */
function shortSpace(space: string, before: string, after: string): string {
  if (space.includes("\n")) {
    return OPENING.has(before) || CLOSING.has(after) ? "" : "\n";
  }
  if (TOGETHER.includes(before + after)) return space;
  return APART.has(before) || APART.has(after) ? "" : space;
}

function commentCut(text: string, [start, end]: Deno.lint.Range): Cut {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const isFirst = text.slice(lineStart, start).trim() === "";
  if (!isFirst) {
    const by = text.slice(start, end).includes("\n") ? "\n" : " ";
    return { range: [start, end], by };
  }
  // The line break before it stays, so nothing need stand for it.
  const [blank = ""] = /[ \t]*\n?/y.exec(text.slice(end)) ?? [];
  return { range: [start, end + blank.length], by: "" };
}
