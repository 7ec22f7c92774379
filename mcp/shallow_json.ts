/**
 * JSON text without its depths.
 *
 * @module
 */

/**
 * Returns JSON text in which each array and object below a level is null: what is left can be given
 * to a parser that has no limit of its own. Of text that is not JSON the result is not JSON either,
 * unless the fault lies in what was cut.
 */
export function shallowJson(text: string, depthMax: number): string {
  let kept = "";
  let from = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '"':
        at = endOfString(text, at);
        break;
      case "[":
      case "{":
        if (depth++ === depthMax) kept += `${text.slice(from, at)}null`;
        break;
      case "]":
      case "}":
        if (--depth === depthMax) from = at + 1;
    }
  }
  return depth > depthMax ? kept : kept + text.slice(from);
}

/** Returns the position of the closing quote, or of the end of the text. */
function endOfString(text: string, start: number): number {
  let end = start;
  do end = text.indexOf('"', end + 1); while (
    end !== -1 && isEscaped(text, end)
  );
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === "\\") slashes++;
  return slashes % 2 === 1;
}
