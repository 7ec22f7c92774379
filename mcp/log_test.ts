import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { textSink } from "../tests/support/text_sink.ts";
import { Log } from "./log.ts";

Deno.test("Log writes what it is given", async () => {
  const { stream, text } = textSink();
  const log = new Log(stream);
  log.write("one\n");
  log.write("two\n");
  await log.flushed(60_000);
  assert.equal(text(), "one\ntwo\n");
});

Deno.test("Log cuts a very long text and ends its line", () => {
  const { stream, text } = textSink();
  new Log(stream).write(`${"x".repeat(100_000)}\n`);
  assert.match(text(), /^x{8192}\.\.\.\n$/);
});

Deno.test("Log leaves out what nobody reads, and says how much once somebody does", async () => {
  const written: string[] = [];
  let isRead = false;
  let take = () => {};
  const stream = new Writable({
    write(chunk, _encoding, done) {
      written.push(String(chunk));
      if (isRead) done();
      else take = done;
    },
  });
  const log = new Log(stream);
  const line = `${"x".repeat(999)}\n`;
  for (let i = 0; i < 1_000; i++) log.write(line);
  assert.ok(stream.writableLength <= 256 * 1024 + line.length);
  await log.flushed(1);
  assert.equal(written.length, 1);
  isRead = true;
  take();
  await log.flushed(60_000);
  log.write("last\n");
  await log.flushed(60_000);
  const kept = written.filter((text) => text === line).length;
  assert.ok(kept > 200 && kept < 300, `${kept}`);
  assert.deepEqual(written.slice(kept).filter((text) => text !== ""), [
    `mnem-mcp: left out ${1_000 - kept} messages\n`,
    "last\n",
  ]);
});

Deno.test("Log does not mind that its reader has gone", async () => {
  const stream = new Writable({
    write(_chunk, _encoding, done) {
      done(new Error("EPIPE"));
    },
  });
  const log = new Log(stream);
  log.write("one\n");
  await log.flushed(60_000);
  log.write("two\n");
  await log.flushed(60_000);
  assert.equal(stream.destroyed, true);
});
