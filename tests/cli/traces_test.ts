/**
 * Histories that the reference implementation played, typed as commands: every answer is the same.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Json } from "@mnem/core";
import {
  type Arguments,
  type Evidence,
  type Operations,
  playTrace,
} from "../support/trace_run.ts";
import { type Session, storeSession } from "./session.ts";

/** Those with merges that conflict and are decided; the library's test plays them all. */
const PLAYED = ["trace-102.json", "trace-104.json", "trace-122.json"];

const OPERATIONS: Operations<Session> = {
  remember: (mnem, args) =>
    commitOf(mnem, [
      ...["remember", ...flagsOf(args), ...summaryOf(args)],
      ...["--content-json", JSON.stringify(args.content), "--", args.id],
    ]),
  remember_many: async (mnem, args) => {
    const stdin = JSON.stringify(args.items);
    const line = ["remember", "--json", "--items=-", ...summaryOf(args)];
    const ran = await mnem.mnemIn({ stdin }, ...line);
    assert.equal(ran.status, 0, ran.err);
    return { commit: JSON.parse(ran.out).commit };
  },
  forget: (mnem, args) =>
    commitOf(mnem, ["forget", ...summaryOf(args), "--", args.id]),
  branch: async (mnem, { name, start }) => {
    await mnem.json("branch", name, ...start === null ? [] : [start]);
    return null;
  },
  switch: async (mnem, { target }) => {
    await mnem.json("switch", target);
    return null;
  },
  merge: async (mnem, args) => {
    const decided = Object.entries(args.resolutions ?? {}).map(([id, side]) =>
      `--resolve=${id}=${side}`
    );
    const strategy = args.strategy ? [`--strategy=${args.strategy}`] : [];
    const ran = await mnem.mnem(
      ...["merge", "--json", args.theirs, ...decided, ...strategy],
      ...commitFlags({ ...args, message: args.message ?? undefined }),
    );
    const { status, commit, conflicts } = JSON.parse(ran.out);
    assert.equal(ran.status, status === "conflicts" ? 1 : 0);
    return { status, commit, conflicts };
  },
  recall: async (mnem) => {
    const { result } = Object(await mnem.json("recall"));
    return result.map((node: { id: string }) => [node.id, node]);
  },
  recall_at: async (mnem, { at, id }) => {
    const when = at === null ? [] : [`--at=${at}`];
    const ran = await mnem.mnem("--json", "recall", ...when, "--", id);
    const { result } = JSON.parse(ran.out);
    assert.equal(ran.status, result === null ? 3 : 0);
    return result;
  },
  log: async (mnem, { limit, first_parent }) => {
    const { result } = Object(
      await mnem.json(
        "log",
        ...limit === null ? [] : [`-n${limit}`],
        ...first_parent ? ["--first-parent"] : [],
      ),
    );
    return result.map(({ id }: { id: string }) => id);
  },
  diff: async (mnem, { from, to }) => {
    const { result } = Object(await mnem.json("diff", from, to));
    return result.map(({ evidence_only, fields, ...change }: {
      evidence_only: boolean;
      fields: readonly unknown[];
    }) => {
      assert.ok(!evidence_only || fields.length === 0);
      return change;
    });
  },
  why: async (mnem, { id, at }) =>
    Object(await mnem.json("blame", id, ...at === null ? [] : [at])),
  whats_new: async (mnem, { commit }) =>
    Object.entries(Object(await mnem.json("whats-new", commit)).result)
      .map(([id, kind]) => [id, String(kind)]),
  when_did: async (mnem, { id, equals, absent }) => {
    const asked = absent ? ["--absent"] : ["--equals", JSON.stringify(equals)];
    const { commit } = Object(await mnem.json("when-did", id, ...asked));
    return { commit };
  },
};

for (const name of PLAYED) {
  Deno.test(`${name}: every answer of the commands is the reference's`, async () => {
    await using mnem = await storeSession();
    const final = await playTrace(name, mnem, OPERATIONS);
    const { result } = Object(await mnem.json("branch"));
    assert.deepEqual(result, final.branches);
    const { branch } = Object(await mnem.json("status"));
    assert.equal(`ref: ${branch}`, final.head);
  });
}

async function commitOf(mnem: Session, args: string[]): Promise<Json> {
  return { commit: Object(await mnem.json(...args)).commit };
}

function flagsOf(evidence: Evidence): string[] {
  const { source, step, observation, tool_call, note } = evidence;
  const fields = { source, step, observation, "tool-call": tool_call, note };
  return Object.entries(fields).flatMap(([name, text]) =>
    text === undefined || text === null ? [] : [`--${name}=${text}`]
  );
}

function summaryOf({ summary, author, time_ms }: Arguments): string[] {
  return commitFlags({ message: summary, author, time_ms });
}

function commitFlags(
  { message, author, time_ms }: {
    readonly message?: string | undefined;
    readonly author?: string | undefined;
    readonly time_ms: number;
  },
): string[] {
  return [
    ...message === undefined ? [] : [`--message=${message}`],
    ...author === undefined ? [] : [`--author=${author}`],
    `--time-ms=${time_ms}`,
  ];
}
