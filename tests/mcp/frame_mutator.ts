/**
 * Spoils valid frames, in their bytes and in their structure.
 *
 * @module
 */

import type { Chance } from "../support/tree_cases.ts";

const encoder = new TextEncoder();

/** What stands in a JSON text where a mutation wants what JSON.stringify cannot write. */
const RAW = "\u0001raw\u0001";

const VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  2 ** 31,
  "",
  "x",
  "5",
  "\u0000\u2028\ufeff\u{1f600}e\u0301",
  "__proto__",
  "notifications/cancelled",
  "tools/list",
  [],
  {},
  [[]],
  [null, {}],
  { "": "" },
  { a: { b: [1] } },
];
const TOKENS: readonly string[] = [
  "1e400",
  "-1e400",
  "1e-400",
  "-0",
  "0.0",
  "1E2",
  "9007199254740991",
  "9007199254740993",
  "-9223372036854775808",
  "18446744073709551615",
  "18446744073709551616",
  "-18446744073709551616",
  "1" + "0".repeat(400),
  "NaN",
  "01",
  "+1",
  "undefined",
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\u0000"',
  '"\\x"',
  "'a'",
  `${"[".repeat(126)}${"]".repeat(126)}`,
  `${"[".repeat(300)}${"]".repeat(300)}`,
  `${'{"a":'.repeat(200)}0${"}".repeat(200)}`,
  "[".repeat(200),
  '{"__proto__":{"id":1}}',
  '{"constructor":{"prototype":1},"toString":0}',
];
const NAMES: readonly string[] = [
  "__proto__",
  "constructor",
  "id",
  "jsonrpc",
  "method",
  "params",
  "result",
  "error",
  "_meta",
  "progressToken",
  "io.modelcontextprotocol/related-task",
  "io.modelcontextprotocol/protocolVersion",
  "arguments",
  "name",
  "uri",
  "",
  "\ud800",
  "é",
];
const BYTES: readonly (readonly number[])[] = [
  [0x0a],
  [0x0d],
  [0x0d, 0x0a],
  [0x00],
  [0xff],
  [0xef, 0xbb, 0xbf],
  [0xc3],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0xe2, 0x80, 0xa8],
  [0x22],
  [0x5c],
  [0x7b],
  [0x7d],
  [0x5b],
  [0x5d],
  [0x2c],
  [0x3a],
  [0x20],
  [0x2d],
  [0x39],
];

/** Returns the bytes of a frame, its line feed included, with one to three things done to it. */
export function mutate(
  frame: object,
  options: { readonly chance: Chance; readonly other: object },
): Uint8Array {
  const { chance, other } = options;
  const isStructure = chance.below(3) > 0;
  let text = isStructure
    ? spoilStructure(frame, chance)
    : JSON.stringify(frame);
  if (chance.below(10) === 0) {
    text = splice(text, JSON.stringify(other), chance);
  }
  let bytes = encoder.encode(text);
  const cuts = chance.pick(isStructure ? [0, 0, 0, 1] : [1, 1, 2]);
  for (let i = 0; i < cuts; i++) bytes = spoilBytes(bytes, chance);
  return chance.below(25) === 0 ? bytes : joined([bytes, [0x0a]]);
}

/** Bytes after each other. */
export function joined(
  parts: readonly (Uint8Array | readonly number[])[],
): Uint8Array<ArrayBuffer> {
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function splice(one: string, other: string, chance: Chance): string {
  const kind = chance.below(4);
  if (kind === 0) return one + other;
  if (kind === 1) return `[${one},${other}]`;
  const cut = one.slice(0, chance.below(one.length + 1));
  if (kind === 2) return `${cut}\n${other}`;
  return cut + other.slice(chance.below(other.length + 1));
}

function spoilBytes(
  bytes: Uint8Array<ArrayBuffer>,
  chance: Chance,
): Uint8Array<ArrayBuffer> {
  const at = chance.below(bytes.length + 1);
  const before = bytes.subarray(0, at);
  const length = chance.below(chance.pick([2, 2, 8, 200]));
  switch (chance.below(6)) {
    case 0: {
      const flipped = bytes.slice();
      const byte = flipped[at];
      if (byte !== undefined) flipped[at] = byte ^ (1 << chance.below(8));
      return flipped;
    }
    case 1:
      return joined([before, bytes.subarray(at + length)]);
    case 2:
      return joined([before, chance.pick(BYTES), bytes.subarray(at)]);
    case 3:
      return joined([
        before,
        bytes.subarray(at, at + length),
        bytes.subarray(at),
      ]);
    case 4:
      return joined(
        chance.pick([[before], [bytes, [0x0d]], [[0xef, 0xbb, 0xbf], bytes]]),
      );
    default:
      return joined([
        before,
        Array.from({ length }, () => chance.below(256)),
        bytes.subarray(at + length),
      ]);
  }
}

/** A place in a message: the object or list that holds it, and its name there. */
interface Place {
  readonly owner: Record<string, unknown>;
  readonly name: string;
}

function placesIn(value: unknown): Place[] {
  if (typeof value !== "object" || value === null) return [];
  const owner: Record<string, unknown> = Object(value);
  return Object.keys(owner).flatMap((name) => [
    { owner, name },
    ...placesIn(owner[name]),
  ]);
}

/** Changes one value, name or id of a message, and returns its text. */
function spoilStructure(frame: object, chance: Chance): string {
  const copy: object = JSON.parse(JSON.stringify(frame));
  const places = placesIn(copy);
  // The members of the message itself are hit as often as all that lies below.
  const { owner, name } = chance.below(2) === 0
    ? chance.pick(places.filter(({ owner }) => owner === copy))
    : chance.pick(places);
  switch (chance.below(6)) {
    case 0:
      owner[name] = chance.pick(VALUES);
      return JSON.stringify(copy);
    case 1:
      owner[name] = RAW;
      return rawText(copy, chance.pick(TOKENS));
    case 2:
      delete owner[name];
      return JSON.stringify(copy);
    case 3:
      define(owner, chance.pick(NAMES), chance.pick(VALUES));
      return JSON.stringify(copy);
    case 4:
      define(owner, chance.pick(NAMES), owner[name]);
      delete owner[name];
      return JSON.stringify(copy);
    default:
      return doubled(JSON.stringify(copy), chance);
  }
}

function define(owner: object, name: string, value: unknown): void {
  Object.defineProperty(owner, name, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

function rawText(value: object, token: string): string {
  return JSON.stringify(value).replace(JSON.stringify(RAW), () => token);
}

/** Writes a member a second time, before or after the first. */
function doubled(text: string, chance: Chance): string {
  const member = `${JSON.stringify(chance.pick(NAMES))}:${
    JSON.stringify(chance.pick(VALUES))
  }`;
  return chance.below(2) === 0
    ? `{${member},${text.slice(1)}`
    : `${text.slice(0, -1)},${member}}`;
}
