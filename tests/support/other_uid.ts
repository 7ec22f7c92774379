/**
 * Runs a script as a user whom permissions bind: root passes every one of them.
 *
 * @module
 */

import { tempFolder } from "./temp_folder.ts";

/** What a script left behind. */
export interface ScriptOutput {
  /** Its exit code. */
  readonly code: number;
  /** What it wrote. */
  readonly stdout: string;
  /** What it wrote about failures. */
  readonly stderr: string;
}

const NOBODY = 65534;
/** What the core loads from npm. */
const PACKAGES = ["@deno/kv", "blake3-jit"] as const;
const checkout = new URL("../../", import.meta.url);

/** Says why a script cannot be run as another user; undefined if it can. */
export function otherUidMissing(): string | undefined {
  if (Deno.build.os === "windows") return "Windows has no uids";
  if (Deno.uid() !== 0) return undefined;
  for (
    let folder = checkout;
    folder.pathname !== "/";
    folder = new URL("../", folder)
  ) {
    const mode = Deno.statSync(folder).mode ?? 0;
    if ((mode & 0o005) !== 0o005) {
      return `${folder.pathname} is closed to other users`;
    }
  }
  return undefined;
}

/**
 * Runs a TypeScript file of this checkout with all of Deno's permissions, native KV and `@deno/kv`,
 * as another user if this one is root.
 */
export async function runAsOtherUid(
  script: URL,
  args: readonly string[],
): Promise<ScriptOutput> {
  await using folder = await tempFolder();
  await Deno.chmod(folder.path, 0o755);
  const deno = `${folder.path}/deno`;
  const cache = `${folder.path}/cache`;
  await linkOrCopy(Deno.execPath(), deno);
  await linkPackages(cache);
  await Deno.writeTextFile(`${folder.path}/deno.json`, await childConfig());
  await Deno.writeTextFile(`${folder.path}/deno.lock`, await childLock());
  const isRoot = Deno.uid() === 0;
  if (isRoot) await Deno.chown(cache, NOBODY, NOBODY);
  const output = await new Deno.Command(deno, {
    args: [
      "run",
      "-A",
      "--unstable-kv",
      "--cached-only",
      `--lock=${folder.path}/deno.lock`,
      `--config=${folder.path}/deno.json`,
      script.pathname,
      ...args,
    ],
    env: { DENO_DIR: cache, HOME: cache, NO_COLOR: "1" },
    clearEnv: true,
    cwd: folder.path,
    ...isRoot ? { uid: NOBODY, gid: NOBODY } : {},
  }).output();
  const text = new TextDecoder();
  return {
    code: output.code,
    stdout: text.decode(output.stdout),
    stderr: text.decode(output.stderr),
  };
}

/** Only the imports that the core needs, or the child would look for those of the others. */
async function childConfig(): Promise<string> {
  const text = await Deno.readTextFile(new URL("deno.json", checkout));
  const { imports } = JSON.parse(text);
  const needed = PACKAGES.map((name) => [name, imports[name]]);
  return JSON.stringify({ imports: Object.fromEntries(needed) });
}

/** The lines of the lock that are about them: without a lock Deno would ask the registry. */
async function childLock(): Promise<string> {
  const text = await Deno.readTextFile(new URL("deno.lock", checkout));
  const { version, specifiers, npm, workspace } = JSON.parse(text);
  const own = (value: object) =>
    Object.fromEntries(
      Object.entries(value).filter(([name]) => isNeeded(name)),
    );
  const dependencies = workspace.dependencies.filter(isNeeded);
  return JSON.stringify({
    version,
    specifiers: own(specifiers),
    npm: own(npm),
    workspace: { dependencies },
  });
}

function isNeeded(specifier: string): boolean {
  const name = specifier.replace(/^npm:/, "");
  return PACKAGES.some((needed) => name.startsWith(needed));
}

/** The other user cannot read this one's cache, so the npm packages that are needed go along. */
async function linkPackages(cache: string): Promise<void> {
  const info = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json"],
  }).output();
  const { npmCache } = JSON.parse(new TextDecoder().decode(info.stdout));
  await Deno.mkdir(cache);
  for await (const registry of Deno.readDir(npmCache)) {
    for (const name of ["@deno", "blake3-jit"]) {
      const packages = `${registry.name}/${name}`;
      await linkTree(`${npmCache}/${packages}`, `${cache}/npm/${packages}`);
    }
  }
}

async function linkTree(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const entry of Deno.readDir(from)) {
    const link = entry.isDirectory ? linkTree : linkOrCopy;
    await link(`${from}/${entry.name}`, `${to}/${entry.name}`);
  }
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  // A link costs nothing, but not across file systems.
  await Deno.link(from, to).catch(() => Deno.copyFile(from, to));
}
