import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  shellWord,
  shown,
  shownJson,
  visible,
  visibleLines,
  withoutControls,
} from "./visible.ts";

Deno.test("visible() escapes whatever moves, hides or turns text, and nothing else", () => {
  const rows = [
    ["a\u001b[31mb", "a\\u001b[31mb"],
    ["\u0000\u0007\u0008\u007f", "\\u0000\\u0007\\u0008\\u007f"],
    ["line\r\n\ttab", "line\\r\\n\\ttab"],
    ["\u0085\u009b31m", "\\u0085\\u009b31m"],
    ["\u202egnp.exe\u2066", "\\u202egnp.exe\\u2066"],
    [
      "a\u2028b\u2029\ufeff\u00ad\u200b",
      "a\\u2028b\\u2029\\ufeff\\u00ad\\u200b",
    ],
    ["é 日本 👩‍👩‍👧 می‌خواهم ~ \\n", "é 日本 👩‍👩‍👧 می‌خواهم ~ \\n"],
  ];
  for (const [text = "", seen] of rows) assert.equal(visible(text), seen);
  assert.deepEqual(visibleLines("a\r\nb\u001b\n"), ["a", "b\\u001b", ""]);
});

Deno.test("no character of a control category is left by any of them", () => {
  const all = Array.from({ length: 0x3000 }, (_, i) => String.fromCharCode(i));
  const text = all.join("");
  const kept = /[\u200c\u200d]/;
  for (const seen of [visible(text), shown(text), shownJson(text)]) {
    const left = [...seen].filter((one) => /\p{Cc}|\p{Zl}|\p{Zp}/u.test(one));
    assert.deepEqual(left, []);
    assert.ok(kept.test(seen) && seen.includes("é"));
  }
});

Deno.test("shown() quotes a text that could be mistaken", () => {
  assert.equal(shown("customer/plan a=1"), "customer/plan a=1");
  const rows = [
    ["", '""'],
    [" a", '" a"'],
    ["a ", '"a "'],
    ['a"b', '"a\\"b"'],
    ["a\\nb", '"a\\\\nb"'],
    ["a\nb", '"a\\nb"'],
    ["\u009b", '"\\u009b"'],
  ];
  for (const [text = "", seen = ""] of rows) {
    assert.equal(shown(text), seen);
    assert.equal(JSON.parse(seen), text);
  }
});

Deno.test("shownJson() is the same value, in one line", () => {
  const value = { "\u009b": ["\u007f\u2028\n", 1, { "": null }] };
  const text = shownJson(value);
  assert.deepEqual(JSON.parse(text), value);
  assert.doesNotMatch(text, /[\p{Cc}\u2028]/u);
  assert.equal(shownJson(2n ** 60n), "1152921504606846976");
});

Deno.test("withoutControls() leaves colours and line ends, and nothing else that is no text", () => {
  const text =
    "\u001b[33mid\u001b[0m \u001b[2J \u0007 \u009b \u001b]0;title\u0007\nnext";
  assert.equal(
    withoutControls(text),
    "\u001b[33mid\u001b[0m \\u001b[2J \\u0007 \\u009b \\u001b]0;title\\u0007\nnext",
  );
});

Deno.test({
  name: "shellWord() is one word to a shell, whatever the text",
  ignore: !hasBash(),
  fn: () => {
    const texts = [
      "plan",
      "a=b/c.d",
      "",
      "a b",
      "it's",
      '$HOME `x` "y" \\',
      "-x",
      "a\nb\t'c'\\n\u001b",
      "👩‍👩‍👧",
      "*",
    ];
    const line = `printf '%s\\0' ${texts.map(shellWord).join(" ")}`;
    const out = execFileSync("bash", ["-c", line], {
      encoding: "utf8",
      env: { LC_ALL: "C.UTF-8" },
    });
    assert.deepEqual(out.split("\0").slice(0, -1), texts);
  },
});

function hasBash(): boolean {
  try {
    execFileSync("bash", ["-c", "true"]);
    return true;
  } catch {
    return false;
  }
}
