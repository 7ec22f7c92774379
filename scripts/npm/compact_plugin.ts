/**
 * A plugin of Deno's linter that has two things against a file: comments and indentation. With
 * `deno lint --fix` they are gone, found by the parser that Deno itself reads the file with.
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
        const templates: Deno.lint.Range[] = [];
        return {
          TemplateElement: ({ range }) => void templates.push(range),
          "Program:exit"() {
            const { text } = context.sourceCode;
            const comments = context.sourceCode.getAllComments()
              .map(({ range }) => range);
            for (const { range, by } of cutsOf(text, comments, templates)) {
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

/** No cut joins two tokens, and wherever there was a line break one is left: it can end a statement. */
function cutsOf(
  text: string,
  comments: readonly Deno.lint.Range[],
  templates: readonly Deno.lint.Range[],
): Cut[] {
  const cuts = comments.map((range) => commentCut(text, range));
  const taken = [...templates, ...cuts.map(({ range }) => range)];
  taken.sort((a, b) => a[0] - b[0]);
  let at = 0;
  for (const match of text.matchAll(/^[ \t]+/gm)) {
    const start = match.index;
    while ((taken[at]?.[1] ?? Infinity) <= start) at++;
    // The text of a template begins behind a quote or brace, so a line of its own lies wholly inside.
    if ((taken[at]?.[0] ?? Infinity) <= start) continue;
    const end = Math.min(start + match[0].length, taken[at]?.[0] ?? Infinity);
    cuts.push({ range: [start, end], by: "" });
  }
  return cuts;
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
