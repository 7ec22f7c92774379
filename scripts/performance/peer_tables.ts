/**
 * This project beside its peers: a table for each number of nodes, and where a peer is better.
 *
 * @module
 */

import type { Figure } from "../../tests/bench/figure.ts";
import {
  markdownTable,
  shown,
  shownBytes,
  shownSize,
} from "./markdown_table.ts";

/** What keeps no history, and what does not wait for the disk: they do less, and cost less. */
const NOTES: { readonly [peer: string]: string } = {
  "server-memory, MCP": "no history, not synced",
  "isomorphic-git": "not synced",
  "git fast-import": "not synced, one process for all",
  "JSON Lines file": "no history",
  SQLite: "a history of values, no commits",
};
const OURS: { readonly [peer: string]: string } = {
  "server-memory, MCP": "mnemosyne, MCP",
};
const COLUMNS = [
  ["change_ratio", "a change, in bare sets"],
  ["read_ms", "a read"],
  ["blame_ms", "blame"],
  ["kept_bytes", "bytes kept"],
] as const;

/** One table for each number of nodes. */
export function peerTables(figures: readonly Figure[]): string {
  const peers = figures.filter(({ bench }) => bench === "peers");
  const sizes = [...new Set(peers.map(({ size }) => size))];
  return sizes.map((size) => {
    const rows = peers.filter((figure) => figure.size === size).map((
      { of = "", values },
    ) => [
      of,
      shown(values["change_ms"]),
      shown(values["change_ratio"]),
      shown(values["read_ms"]),
      shown(values["blame_ms"]),
      shownBytes(values["kept_bytes"]),
      NOTES[of] ?? "",
    ]);
    const head = [
      `${shownSize(size)} nodes`,
      "change, ms",
      "/ bare set",
      "read, ms",
      "blame, ms",
      "kept a change",
      "but",
    ];
    return markdownTable(head, rows);
  }).join("\n\n");
}

/** A line for each peer and kind of work in which it is better, with the sizes and both figures. */
export function losses(figures: readonly Figure[]): string {
  const peers = figures.filter(({ bench }) => bench === "peers");
  const names = [...new Set(peers.map(({ of = "" }) => of))];
  return names.filter((name) => !name.startsWith("mnemosyne")).flatMap(
    (name) =>
      COLUMNS.flatMap(([value, what]) => {
        const lost = peers.filter(({ of }) => of === name).flatMap(
          ({ size, values }) => {
            const ours = peers.find((figure) =>
              figure.size === size && figure.of === (OURS[name] ?? "mnemosyne")
            )?.values[value];
            const theirs = values[value];
            return ours !== undefined && theirs !== undefined && theirs < ours
              ? [
                `${inUnit(value, theirs)} against ${inUnit(value, ours)} at ${
                  shownSize(size)
                }`,
              ]
              : [];
          },
        );
        return lost.length === 0
          ? []
          : [`- **${name}**, ${what}: ${lost.join("; ")}`];
      }),
  ).join("\n");
}

function inUnit(value: string, number: number): string {
  if (value.endsWith("_bytes")) return shownBytes(number);
  return value.endsWith("_ms") ? `${shown(number)} ms` : shown(number);
}
