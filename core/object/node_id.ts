/**
 * Node ids: the caller's names for nodes.
 *
 * @module
 */

import { NODE_ID_BYTES_MAX } from "../limits.ts";
import { checkText, type TextRule, typeName } from "./check_text.ts";
import { quote } from "./quote.ts";

/**
 * Returns a node id as it is. Throws a TypeError for another type, a lone surrogate or a NUL, a
 * RangeError for an empty id or one over 1,024 bytes of UTF-8.
 */
export function checkNodeId(id: unknown): string {
  return checkName(id, { what: "node id", bytesMax: NODE_ID_BYTES_MAX });
}

/** The same for a name of another kind, with a limit of its own. */
export function checkName(name: unknown, rule: TextRule): string {
  if (typeof name !== "string") {
    throw new TypeError(
      `Cannot use ${rule.what}: ${typeName(name)}, must be a string`,
    );
  }
  const named = new NamedRule(name, rule);
  if (name === "") {
    throw new RangeError(
      `Cannot use ${named.what}: 0 bytes, must have 1 to ${rule.bytesMax}`,
    );
  }
  if (name.includes("\0")) {
    throw new TypeError(
      `Cannot use ${named.what}: it has a NUL, must have none`,
    );
  }
  return checkText(name, named);
}

/** A rule that names what it is for: to quote a name costs more than to check it, and only errors ask. */
class NamedRule implements TextRule {
  readonly bytesMax: number;
  readonly kind: string;
  readonly name: string;

  constructor(name: string, { what, bytesMax }: TextRule) {
    this.bytesMax = bytesMax;
    this.kind = what;
    this.name = name;
  }

  get what(): string {
    return `${this.kind} ${quote(this.name)}`;
  }
}
