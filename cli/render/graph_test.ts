import assert from "node:assert/strict";
import fc from "fast-check";
import { Graph, type GraphCommit } from "./graph.ts";

const SEED = 20_261_201;

/** "m a b": a commit m with the parents a and b. */
function commits(text: string): GraphCommit[] {
  return text.trim().split("\n").map((line) => {
    const [id = "", ...parents] = line.trim().split(" ");
    return { id, parents };
  });
}

interface Drawn {
  readonly rows: readonly string[];
  /** The row in which each commit stands. */
  readonly rowOf: ReadonlyMap<string, number>;
}

function draw(list: readonly GraphCommit[]): Drawn {
  const graph = new Graph();
  const rows: string[] = [];
  const rowOf = new Map<string, number>();
  for (const commit of list) {
    const { before, node, edges, rest, width } = graph.next(commit);
    assert.ok([node, ...edges, rest].every((row) => row.length <= width));
    rows.push(...before);
    rowOf.set(commit.id, rows.push(node) - 1);
    rows.push(...edges);
  }
  return { rows, rowOf };
}

/** Names each commit in the picture: what a person sees of it. */
function picture(list: readonly GraphCommit[]): string {
  const { rows, rowOf } = draw(list);
  const names = new Map(Array.from(rowOf, ([id, row]) => [row, id]));
  return rows.map((row, i) =>
    names.has(i) ? `${row} ${names.get(i)}` : row.trimEnd()
  ).join("\n");
}

const PICTURES:
  readonly (readonly [name: string, list: string, drawn: string])[] = [
    ["a line", "c b\nb a\na", "* c\n* b\n* a"],
    [
      "a branch and its merge",
      "m a b\nb r\na r\nr",
      String.raw`
* m
|\
| * b
* | a
|/
* r`,
    ],
    [
      "lines that merged each other",
      "m x2 y2\ny2 y1 x1\nx2 x1 y1\ny1 r\nx1 r\nr",
      String.raw`
* m
|\
| * y2
| |\
* | | x2
|\ \ \
| |/ /
| |/
|/|
| * y1
* | x1
|/
* r`,
    ],
    [
      "two roots, one merged into the other",
      "m a s\ns\na r\nr",
      String.raw`
* m
|\
| * s
* a
* r`,
    ],
    ["two histories that have nothing in common", "b\na", "* b\n\n* a"],
    [
      "a history that ends between two others",
      "m a b\nb b0 c\na a0\nb0\nc\na0",
      String.raw`
* m
|\
| * b
| |\
* | | a
| * | b0
|  /
| * c
* a0`,
    ],
    [
      "a line that runs across others",
      "m a b\nb c d\nd a\nc r\na r\nr",
      String.raw`
* m
|\
| * b
| |\
| | * d
| |/
|/|
| * c
* | a
|/
* r`,
    ],
  ];

Deno.test("next() draws what was drawn by hand", async (t) => {
  for (const [name, list, drawn] of PICTURES) {
    await t.step(name, () => {
      assert.equal(picture(commits(list)), drawn.replace(/^\n/, ""));
    });
  }
});

/** Follows what leaves a commit downward, by the characters alone, to the commits that it reaches. */
class Tracer {
  readonly #rows: readonly string[];
  readonly #idAt = new Map<string, string>();

  constructor({ rows, rowOf }: Drawn) {
    this.#rows = rows;
    for (const [id, row] of rowOf) {
      const stars = [...rows[row] ?? ""].filter((mark) => mark === "*");
      assert.equal(stars.length, 1, `one * for ${id}`);
      this.#idAt.set(`${row} ${rows[row]?.indexOf("*")}`, id);
    }
    const all = rows.join("").replaceAll(/[^*]/g, "");
    assert.equal(all.length, rowOf.size, "no other *");
  }

  reached(row: number): string[] {
    const column = this.#rows[row]?.indexOf("*") ?? -1;
    const found: string[] = [];
    if (/[|*]/.test(this.#at(row + 1, column))) {
      found.push(this.#enter(row + 1, column));
    } else if (this.#at(row + 1, column - 1) === "/") {
      found.push(this.#slide(row + 1, column - 1));
    }
    if (this.#at(row + 1, column + 1) === "\\") {
      found.push(this.#enter(row + 2, column + 2));
    }
    return found;
  }

  /** A line comes down into a row at a column: it ends, goes on, or turns. */
  #enter(row: number, column: number): string {
    const mark = this.#at(row, column);
    if (mark === "*") return this.#idAt.get(`${row} ${column}`) ?? "nothing";
    if (mark === "|") return this.#enter(row + 1, column);
    if (this.#at(row, column - 1) === "/") return this.#slide(row, column - 1);
    assert.equal(this.#at(row, column + 1), "\\", `row ${row} ${column}`);
    return this.#enter(row + 1, column + 2);
  }

  /** Down to the left, across lanes, until the line runs into one. */
  #slide(row: number, column: number): string {
    let left = column;
    while (this.#at(row, left - 2) === "_") left -= 2;
    return this.#at(row + 1, left - 2) === "/"
      ? this.#slide(row + 1, left - 2)
      : this.#enter(row + 1, left - 1);
  }

  #at(row: number, column: number): string {
    return this.#rows[row]?.[column] ?? " ";
  }
}

/** Histories of up to 30 commits, listed children before parents: each takes its parents from what follows. */
const histories = fc.array(
  fc.tuple(fc.nat(5), fc.nat(5), fc.constantFrom(0, 1, 1, 1, 2, 2)),
  { minLength: 1, maxLength: 30, size: "max" },
).map((shape) =>
  shape.map(([near, far, count], i): GraphCommit => {
    const places = [i + 1 + near, i + 1 + (near + 1 + far) % 7];
    const parents = [...new Set(places)]
      .filter((place) => place < shape.length)
      .slice(0, count).map(String);
    return { id: String(i), parents };
  })
);

Deno.test("next() gives each commit one row, and leads it to its parents and nothing else", () => {
  let merges = 0;
  let crossings = 0;
  fc.assert(
    fc.property(histories, (list) => {
      const drawn = draw(list);
      const tracer = new Tracer(drawn);
      for (const { id, parents } of list) {
        const reached = tracer.reached(drawn.rowOf.get(id) ?? -1);
        assert.deepEqual(reached, parents, `${id} in\n${picture(list)}`);
        if (parents.length === 2) merges += 1;
      }
      crossings += drawn.rows.filter((row) => row.includes("_")).length;
    }),
    { seed: SEED, numRuns: 500 },
  );
  assert.ok(merges > 500 && crossings > 100, `seed ${SEED}: ${merges} merges`);
});

Deno.test("Graph keeps no more lanes than lines are open", () => {
  const graph = new Graph();
  for (let i = 0; i < 1_000; i++) {
    const fork = [String(3 * i + 1), String(3 * i + 2)];
    graph.next({ id: String(3 * i), parents: fork });
    for (const id of fork) graph.next({ id, parents: [String(3 * i + 3)] });
  }
  assert.equal(graph.next({ id: "3000", parents: [] }).node, "*");
});
