/**
 * The file of `@modelcontextprotocol/server-memory`: one JSON object a line, an entity with its
 * observations or a relation between two.
 *
 * @module
 */

import { type Json, parseJson } from "@mnem/core";
import {
  type Fact,
  type Finding,
  idPart,
  type Parsed,
  skipped,
} from "./fact.ts";
import { SeenFacts } from "./seen_facts.ts";
import { kindOf } from "./json_kind.ts";
import type { TextLine } from "./text_lines.ts";

type Fields = ReadonlyMap<string, Json>;

/** A relation whose ends may stand further below. */
interface HeldRelation {
  readonly fact: Fact;
  readonly ends: readonly [from: string, to: string];
}

/**
 * Yields what the lines of a file say: `entity/<name>` with `{type, observations}`, and
 * `relation/<from>/<type>/<to>` with `{from, type, to}`. A name that comes again with something else is
 * `entity/<name>/2`, so that nothing of it is lost.
 */
export async function* parseGraphLines(
  lines: AsyncIterable<TextLine> | Iterable<TextLine>,
): AsyncGenerator<Parsed> {
  const graph = new Graph();
  for await (const line of lines) {
    if (line.fault !== undefined) yield skipped(line.number, line.fault);
    else if (line.text.trim() !== "") yield* graph.line(line);
  }
  yield* graph.end();
}

class Graph {
  readonly #names = new SeenFacts();
  readonly #relations = new Map<string, number>();
  /** Relations to a name that has not come yet. */
  #held: HeldRelation[] = [];

  *line(line: TextLine): Generator<Parsed> {
    const fields = fieldsOf(line);
    if ("kind" in fields) return yield fields;
    const type = fields.get("type");
    if (type === "entity") yield* this.#named(line, fields);
    else if (type === "relation") yield* this.#relation(line, fields);
    else {
      const is = typeof type === "string" ? JSON.stringify(type) : kindOf(type);
      yield skipped(
        line.number,
        `"type" is ${is}, must be "entity" or "relation"`,
      );
    }
  }

  *end(): Generator<Parsed> {
    for (const { fact, ends } of this.#held) {
      const lost = ends.filter((name) => !this.#names.has(name));
      if (lost.length > 0) {
        const names = [...new Set(lost)].map((name) => JSON.stringify(name));
        yield {
          kind: "warning",
          line: fact.first,
          reason: `the relation leads to ${
            names.join(" and ")
          }, which the file does not describe`,
        };
      }
      yield fact;
    }
    this.#held = [];
  }

  *#named(line: TextLine, fields: Fields): Generator<Parsed> {
    const name = fields.get("name");
    const type = fields.get("entityType");
    const observations = fields.get("observations");
    const wrong = notText(fields, "name") ?? notText(fields, "entityType") ??
      notTexts(observations);
    if (wrong !== undefined || typeof name !== "string") {
      return yield skipped(line.number, wrong ?? "");
    }
    const content = { type: type ?? null, observations: observations ?? null };
    const said = JSON.stringify([type, observations]);
    const { same, first, count } = this.#names.add(name, said, line.number);
    if (same !== undefined) {
      return yield skipped(line.number, `it is the same as line ${same}`);
    }
    if (count > 1) {
      yield {
        kind: "warning",
        line: line.number,
        reason: `the name ${
          JSON.stringify(name)
        } stands in line ${first} already; this one is number ${count}`,
      };
    }
    const place = count === 1 ? "" : `/${count}`;
    yield factOf(line, `entity/${idPart(name)}${place}`, content);
  }

  *#relation(line: TextLine, fields: Fields): Generator<Parsed> {
    const [from, to, type] = ["from", "to", "relationType"].map((name) =>
      fields.get(name)
    );
    const wrong = notText(fields, "from") ?? notText(fields, "to") ??
      notText(fields, "relationType");
    if (
      typeof from !== "string" || typeof to !== "string" ||
      typeof type !== "string"
    ) return yield skipped(line.number, wrong ?? "");
    const id = `relation/${[from, type, to].map(idPart).join("/")}`;
    const same = this.#relations.get(id);
    if (same !== undefined) {
      return yield skipped(line.number, `it is the same as line ${same}`);
    }
    this.#relations.set(id, line.number);
    const fact = factOf(line, id, { from, type, to });
    if (this.#names.has(from) && this.#names.has(to)) yield fact;
    else this.#held.push({ fact, ends: [from, to] });
  }
}

function factOf(line: TextLine, id: string, content: Json): Fact {
  const { number } = line;
  return {
    kind: "fact",
    id,
    content,
    first: number,
    last: number,
    observation: line.text.trim(),
  };
}

function fieldsOf({ number, text, isEnded }: TextLine): Fields | Finding {
  try {
    const value = parseJson(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return new Map(Object.entries(value));
    }
    return skipped(number, `it is ${kindOf(value)}, must be an object`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const cut = isEnded ? "" : "; the file ends within the line";
    return skipped(number, `${why}${cut}`);
  }
}

function notText(fields: Fields, name: string): string | undefined {
  const value = fields.get(name);
  return typeof value === "string"
    ? undefined
    : `"${name}" is ${kindOf(value)}, must be a text`;
}

function notTexts(value: Json | undefined): string | undefined {
  if (!Array.isArray(value)) {
    return `"observations" is ${kindOf(value)}, must be a list of texts`;
  }
  const wrong: Json | undefined = value.find((one) => typeof one !== "string");
  return wrong === undefined
    ? undefined
    : `"observations" holds ${kindOf(wrong)}, must be a list of texts`;
}
