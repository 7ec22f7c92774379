/**
 * Tarballs as other programs read and write them.
 *
 * @module
 */

import assert from "node:assert/strict";
import { readTarball, type TarFile, writeTarball } from "./tar.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const FILES: readonly TarFile[] = [
  { path: "package/b.js", bytes: bytesOf("ü".repeat(300)), executable: true },
  { path: "package/a/empty", bytes: new Uint8Array(), executable: false },
  {
    path: "package/whole.bin",
    bytes: new Uint8Array(1024).fill(7),
    executable: false,
  },
];
const SORTED = [FILES[1], FILES[0], FILES[2]];

Deno.test("writeTarball() writes what readTarball() reads, in the order of the paths", async () => {
  const tarball = await writeTarball(FILES);
  assert.deepEqual(readTarball(tarball), SORTED);
  assert.deepEqual(await writeTarball([...FILES].reverse()), tarball);
});

Deno.test({
  name: "writeTarball() and readTarball() agree with tar",
  ignore: Deno.build.os === "windows",
}, async () => {
  const folder = await Deno.makeTempDir({ prefix: "mnem_test_" });
  try {
    const tar = async (...args: string[]) => {
      const command = new Deno.Command("tar", { args, cwd: folder });
      const { code, stdout, stderr } = await command.output();
      assert.equal(code, 0, new TextDecoder().decode(stderr));
      return new TextDecoder().decode(stdout);
    };
    await Deno.writeFile(`${folder}/a.tgz`, await writeTarball(FILES));
    assert.match(
      await tar("-tvzf", "a.tgz"),
      /^-rw-r--r--.* 0 .*empty\n-rwxr-xr-x.* 600 .*b\.js\n-rw.* 1024 .*whole\.bin\n$/,
    );
    await tar("-xzf", "a.tgz");
    await tar("-czf", "b.tgz", "package");
    const back = readTarball(await Deno.readFile(`${folder}/b.tgz`));
    const sorted = back.sort((a, b) => (a.path < b.path ? -1 : 1));
    assert.deepEqual(sorted, SORTED);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("writeTarball() refuses a path that its header cannot hold", async () => {
  const file = (path: string) => [{ path, bytes: bytesOf("x") }];
  await assert.rejects(writeTarball(file("é".repeat(51))), /102 bytes/);
  const [back] = readTarball(await writeTarball(file("é".repeat(50))));
  assert.equal(back?.path, "é".repeat(50));
});

Deno.test("readTarball() refuses what is neither a file nor a folder", async () => {
  const { gunzipSync, gzipSync } = await import("node:zlib");
  const tar = gunzipSync(await writeTarball(FILES));
  tar[156] = "2".charCodeAt(0);
  assert.throws(() => readTarball(gzipSync(tar)), /its kind is "2"/);
});
