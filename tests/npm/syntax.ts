/**
 * The syntax tree of a module as a list: kinds of nodes with their names and values, in order.
 *
 * @module
 */

/** Reads it with Deno's parser, which tests alone may call. */
export function syntaxOf(text: string): string[] {
  const seen: string[] = [];
  const rules = {
    list: {
      create: (): Deno.lint.LintVisitor => ({
        "*"(node: Deno.lint.Node) {
          const words = [
            node.type,
            "name" in node ? node.name : "",
            "value" in node && typeof node.value !== "object" ? node.value : "",
            "operator" in node ? node.operator : "",
            "raw" in node ? node.raw : "",
            "kind" in node ? node.kind : "",
          ];
          seen.push(words.map(String).join(" "));
        },
      }),
    },
  };
  Deno.lint.runPlugin({ name: "syntax", rules }, "module.js", text);
  return seen;
}
