/**
 * `mnem branch`: lists, makes and deletes branches.
 *
 * @module
 */

import { MnemError, type Store } from "@mnem/core";
import type { Call, Command } from "../command.ts";
import { UsageError } from "../given.ts";
import { firstLine, shortId } from "../render/commit.ts";
import { shownTime } from "../render/time.ts";
import { shown } from "../render/visible.ts";

/** See the module. */
export const BRANCH: Command = {
  name: "branch",
  summary: "list the branches, or make, rename or delete one",
  more:
    "Making a branch does not switch to it. The commits of a deleted one stay.",
  arguments: [
    { name: "name", what: "the branch to make", optional: true },
    { name: "start", what: "where it begins (else HEAD)", optional: true },
  ],
  options: [
    { flags: "-d, --delete <name>", what: "delete this branch" },
    {
      flags: "-m, --move <name>",
      what:
        "give this branch the name that follows, or the current one this name",
    },
    { flags: "-v, --verbose", what: "list with author and time" },
  ],
  examples: [
    "mnem branch",
    "mnem branch billing",
    "mnem branch retry HEAD~3",
    "mnem branch -d billing",
    "mnem branch -m billing invoices",
  ],
  run: branch,
};

async function branch(call: Call): Promise<void> {
  const name = call.given.argument(0);
  const gone = call.given.text("delete");
  const moved = call.given.text("move");
  call.given.atMostOne("delete", "move");
  if (moved !== undefined) return await rename(call, moved, name);
  if (gone === undefined) {
    return name === undefined ? await list(call) : await make(call, name);
  }
  if (name !== undefined) {
    throw new UsageError("-d deletes one branch, and takes nothing beside it");
  }
  await remove(call, gone);
}

async function list({ given, report, open }: Call): Promise<void> {
  const store = await open();
  const branches = await store.branches();
  const head = await store.head();
  const { style } = report;
  const lines: string[] = [];
  if (!report.isJson) {
    if (head.branch === null) {
      lines.push(`* (detached at ${style.commit(shortId(head.commit ?? ""))})`);
    } else if (!branches.has(head.branch)) {
      lines.push(`* ${style.branch(shown(head.branch))} (no commits yet)`);
    }
    for (const [name, id] of branches) {
      const { message, author, timeMs } = await store.readCommit(id);
      const by = given.has("verbose")
        ? `${shown(author)}, ${shownTime(timeMs)}: `
        : "";
      const isCurrent = name === head.branch;
      const text = isCurrent ? style.branch(shown(name)) : shown(name);
      lines.push(
        `${isCurrent ? "*" : " "} ${text} ${style.commit(shortId(id))} ${by}${
          firstLine(message)
        }`,
      );
    }
  }
  await report.value(
    () => ({ result: Object.fromEntries(branches) }),
    () => lines,
  );
}

async function make(
  { given, report, open }: Call,
  name: string,
): Promise<void> {
  const store = await open();
  // By its id, so that the answer is what the branch was made at.
  const commit = await store.resolve(given.argument(1) ?? "HEAD");
  await store.createBranch(name, { at: commit });
  await report.value(() => ({ branch: name, commit }), () => [
    `made branch ${shown(name)} at ${report.style.commit(shortId(commit))}`,
  ]);
}

async function rename(
  { given, report, open }: Call,
  first: string,
  second: string | undefined,
): Promise<void> {
  if (given.argument(1) !== undefined) {
    throw new UsageError("-m takes the name of a branch and a new one");
  }
  const store = await open();
  const head = await store.head();
  const from = second === undefined ? head.branch : first;
  const to = second ?? first;
  const commit = (await store.branches()).get(from ?? "");
  if (from === null || commit === undefined) {
    throw new MnemError(
      "not_found",
      `Cannot rename branch ${
        JSON.stringify(from ?? "HEAD")
      }: there is no such branch with a commit`,
    );
  }
  if (from !== to) {
    if ((await store.branches()).has(to)) {
      throw new MnemError(
        "conflict",
        `Cannot rename branch ${JSON.stringify(from)}: there is a branch ${
          JSON.stringify(to)
        } already`,
      );
    }
    await store.createBranch(to, { at: commit });
    if (head.branch === from) await store.switchTo(to);
    await requireStill(store, from, commit);
    await store.deleteBranch(from);
  }
  await report.value(() => ({ branch: to, renamed: from, commit }), () => [
    `renamed branch ${shown(from)} to ${shown(to)}`,
  ]);
}

/** A commit that came to the old name meanwhile must not be lost with it. */
async function requireStill(
  store: Store,
  branch: string,
  commit: string,
): Promise<void> {
  if ((await store.branches()).get(branch) === commit) return;
  throw new MnemError(
    "conflict",
    `Cannot drop branch ${
      JSON.stringify(branch)
    }: it moved while it was renamed; both names are there`,
  );
}

async function remove({ report, open }: Call, name: string): Promise<void> {
  const store = await open();
  const commit = (await store.branches()).get(name);
  if (!await store.deleteBranch(name) || commit === undefined) {
    throw new MnemError(
      "not_found",
      `Cannot delete branch ${
        JSON.stringify(name)
      }: there is none of that name`,
    );
  }
  await report.value(() => ({ deleted: name, commit }), () => [
    `deleted branch ${shown(name)}, which was at ${
      report.style.commit(shortId(commit))
    }`,
  ]);
}
