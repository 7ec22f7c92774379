/**
 * A PostgreSQL of one test's own: a new cluster in a temporary folder, reached through a socket there.
 *
 * @module
 */

import { PostgresStore } from "@langchain/langgraph-checkpoint-postgres/store";

/** A running server; `await using` ends it and removes its folder. */
export interface PostgresServer extends AsyncDisposable {
  /** What it calls itself, such as `postgres (PostgreSQL) 15.3`. */
  readonly version: string;
  /** An empty store of LangGraph in a schema of its own; it is stopped with the server, if not before. */
  store(): PostgresStore;
  /** Runs SQL, in which the schema of the newest store comes first. */
  run(sql: string): Promise<void>;
}

/** PostgreSQL refuses to run as root; this user is there where it is installed. */
const USER = "postgres";
/** The server ends by itself after so many seconds, should nobody be left to end it. */
const SECONDS_MAX = 600;

/** Says why no server can be started here; undefined if one can. */
export async function postgresMissing(): Promise<string | undefined> {
  if (Deno.build.os !== "linux") return "PostgreSQL is started on Linux only";
  const owner = await ownerOfServer();
  if (owner === undefined) return `root is there, and no user ${USER}`;
  for (const program of ["initdb", "postgres", "psql", "timeout"]) {
    const found = await outputOf(commandOf(program, ["--version"], owner));
    if (found === undefined) return `${program} is not there`;
  }
  return undefined;
}

/** Starts a server, as PostgreSQL comes, or one that is fast and would lose writes in a crash. */
export async function startPostgres(
  options: { readonly fast?: boolean } = {},
): Promise<PostgresServer> {
  const owner = await ownerOfServer() ?? {};
  const folder = await Deno.makeTempDir({ prefix: "mnem_test_" });
  const end = () => Deno.remove(folder, { recursive: true });
  try {
    const version = commandOf("postgres", ["--version"], owner);
    const server = await startIn(folder, owner, options);
    const stores: PostgresStore[] = [];
    return {
      version: (await outputOf(version) ?? "").trim(),
      store() {
        const store = new PostgresStore({
          connectionOptions: { host: folder, user: USER, database: USER },
          schema: `s${stores.length}`,
        });
        stores.push(store);
        return store;
      },
      async run(sql) {
        const schema = `set search_path to s${stores.length - 1}`;
        const done = await outputOf(commandOf("psql", [
          ...["--host", folder, "--username", USER, "--dbname", USER],
          ...["--set", "ON_ERROR_STOP=1", "-c", schema, "-c", sql],
        ], owner));
        if (done === undefined) throw new Error(`SQL failed: ${sql}`);
      },
      async [Symbol.asyncDispose]() {
        for (const store of stores) await store.stop();
        // It ends when the last connection has; a faster shutdown would be an error to that one.
        server.kill("SIGTERM");
        await server.status;
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Makes a cluster in a folder, and starts a server on it that listens to a socket there alone. */
async function startIn(
  folder: string,
  owner: Owner,
  { fast = false }: { readonly fast?: boolean },
): Promise<Deno.ChildProcess> {
  const data = `${folder}/data`;
  if (owner.uid !== undefined) await Deno.chmod(folder, 0o777);
  const made = await outputOf(commandOf("initdb", [
    ...["--pgdata", data],
    ...["--username", USER, "--auth", "trust"],
    ...["--encoding", "UTF8", "--locale", "C", "--no-sync"],
  ], owner));
  if (made === undefined) throw new Error("initdb failed");
  const server = commandOf("timeout", [
    ...["--signal=INT", "--kill-after=5", String(SECONDS_MAX)],
    ...["postgres", "-D", data, "-k", folder, "-c", "listen_addresses="],
    ...fast ? ["-c", "fsync=off", "-c", "synchronous_commit=off"] : [],
  ], owner).spawn();
  await server.stdout.cancel();
  await ready(server.stderr);
  return server;
}

/** Resolves when the server says that it takes connections; goes on reading, so that it never waits. */
async function ready(stderr: ReadableStream<Uint8Array>): Promise<void> {
  const reader = stderr.pipeThrough(new TextDecoderStream()).getReader();
  let said = "";
  while (!said.includes("ready to accept connections")) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`PostgreSQL did not start: ${said}`);
    said += value;
  }
  const rest = async () => {
    while (!(await reader.read()).done);
  };
  rest().catch(() => {});
}

/** As whom the server runs: this user, unless that is root. */
interface Owner {
  readonly uid?: number;
  readonly gid?: number;
}

async function ownerOfServer(): Promise<Owner | undefined> {
  if (Deno.uid() !== 0) return {};
  const ids = ["-u", "-g"].map((flag) =>
    outputOf(commandOf("id", [flag, USER], {}))
  );
  const [uid, gid] = await Promise.all(ids);
  return uid === undefined || gid === undefined
    ? undefined
    : { uid: Number(uid), gid: Number(gid) };
}

/** What a program prints; undefined if it is not there or fails. */
async function outputOf(command: Deno.Command): Promise<string | undefined> {
  try {
    const { success, stdout } = await command.output();
    return success ? new TextDecoder().decode(stdout) : undefined;
  } catch {
    return undefined;
  }
}

function commandOf(
  program: string,
  args: readonly string[],
  owner: Owner,
): Deno.Command {
  return new Deno.Command(program, {
    args: [...args],
    cwd: "/",
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    ...owner,
  });
}
