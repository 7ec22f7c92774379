import assert from "node:assert/strict";
import { join } from "node:path";
import process from "node:process";
import { parseLocation } from "./location.ts";

Deno.test("parseLocation() puts kv.db into .mnem in the folder", () => {
  assert.deepEqual(parseLocation("/a/b/../mem/"), {
    kind: "local",
    directory: "/a/mem",
    folder: "/a/mem/.mnem",
    file: "/a/mem/.mnem/kv.db",
    text: "/a/b/../mem/",
  });
  const here = process.cwd();
  for (const text of ["mem", "./mem", "c:mem", "a:b", "~", "@{x}", "?x#y"]) {
    const location = parseLocation(text);
    assert(location.kind === "local");
    assert.equal(location.file, join(here, text, ".mnem", "kv.db"));
    assert.equal(location.text, text);
  }
});

Deno.test("parseLocation() takes a file URL for its path", () => {
  for (
    const text of [
      "file:///a/my%20mem",
      "file:/a/my%20mem",
      "FILE://localhost/a/my%20mem",
    ]
  ) {
    const location = parseLocation(text);
    assert(location.kind === "local");
    assert.equal(location.directory, "/a/my mem");
    assert.equal(location.text, text);
  }
});

Deno.test("parseLocation() takes https, and http on this machine, for a server", () => {
  const urls = [
    [
      "https://kv.example/v2/databases/1/connect",
      "https://kv.example/v2/databases/1/connect",
    ],
    ["HTTPS://KV.example", "https://kv.example/"],
    ["http://localhost:4512", "http://localhost:4512/"],
    ["http://127.0.0.1:4512/", "http://127.0.0.1:4512/"],
    ["http://127.9.8.7", "http://127.9.8.7/"],
    ["http://[::1]:4512", "http://[::1]:4512/"],
  ];
  for (const [text = "", url] of urls) {
    assert.deepEqual(parseLocation(text), { kind: "remote", url, text });
  }
});

Deno.test("parseLocation() refuses what names no folder and no server", () => {
  const texts = [
    "",
    ":memory:",
    "a\0b",
    "a\ud800",
    "http://kv.example",
    "http://127.0.0.1.example",
    "http://localhost.example",
    "https:",
    "https://",
    "https:///",
    "ftp://host/mem",
    "s3://bucket",
    "jsr://x",
    "file:mem",
    "file:mem?mode=memory",
    "file:///mem?mode=memory",
    "file:///mem#x",
    "file:///a%00b",
    "file:///a%2Fb",
    "file://host/mem",
  ];
  for (const text of texts) {
    assert.throws(() => parseLocation(text), {
      name: "TypeError",
      message: /^Cannot use /,
    }, text);
  }
});

Deno.test("parseLocation() refuses what is no text", () => {
  for (const value of [new URL("file:///mem"), undefined, null, 7, ["mem"]]) {
    // A caller without types.
    assert.throws(() => Reflect.apply(parseLocation, undefined, [value]), {
      name: "TypeError",
      message: /give its folder or URL as text/,
    });
  }
});

Deno.test("parseLocation() never shows a password", () => {
  for (
    const text of [
      "https://ada:s3cret@kv.example",
      "https://s3cret@kv.example",
      "ftp://ada:s3cret@host",
      "http://a:s3cret@[bad",
    ]
  ) {
    assert.throws(() => parseLocation(text), (error) => {
      assert(error instanceof TypeError);
      assert.doesNotMatch(error.message, /s3cret/);
      assert.match(error.message, /\/\/\*\*\*@/);
      return true;
    });
  }
});

Deno.test("parseLocation() refuses a path over 480 bytes", () => {
  // "/.mnem/kv.db" has 12 bytes, the first slash one, each é two.
  const longest = "/" + "é".repeat(233) + "x";
  const location = parseLocation(longest);
  assert(location.kind === "local");
  assert.equal(new TextEncoder().encode(location.file).length, 480);
  assert.throws(() => parseLocation(longest + "x"), {
    name: "RangeError",
    message: /its path has 481 bytes, the limit is 480$/,
  });
});
