/**
 * Asking when: the commit at which a belief became so.
 *
 * @module
 */

import {
  type BisectResult,
  type Blame,
  type Branch,
  checkContent,
  type Json,
  type MemoryNode,
  MnemError,
  type NodeVersion,
  type ObjectId,
  type Revision,
  sameContent,
  type Snapshot,
  VERSIONS_WALKED_MAX,
} from "@mnem/core";

/** What to ask of a node, exactly one of `equals`, `absent`, `present` and `matches`; and between which commits. */
export type Question<T = Json> =
  & {
    /** A commit where the answer is no; before the root if left out. */
    readonly good?: Revision | undefined;
    /** A commit where the answer is yes; HEAD if left out. */
    readonly bad?: Revision | undefined;
  }
  & (
    | {
      /** Its content is this, by value: 1 matches a stored 1.0; null is a value. */
      readonly equals: unknown;
      readonly absent?: never;
      readonly present?: never;
      readonly matches?: never;
    }
    | {
      /** It is not in memory, but once was. */
      readonly absent: true;
      readonly equals?: never;
      readonly present?: never;
      readonly matches?: never;
    }
    | {
      /** It is in memory. */
      readonly present: true;
      readonly equals?: never;
      readonly absent?: never;
      readonly matches?: never;
    }
    | {
      /** This returns true for it; null: it is not in memory. */
      readonly matches: (node: MemoryNode<T> | null) => boolean;
      readonly equals?: never;
      readonly absent?: never;
      readonly present?: never;
    }
  );

/** Where a belief became so, and who is behind it. */
export interface WhenDidResult<T = Json> extends BisectResult {
  /** Of the node at the commit found; null if it is absent there. */
  readonly blame: Blame<T> | null;
}

type Answer = (node: MemoryNode | null) => boolean;

/**
 * Finds the earliest commit on the first-parent chain at which something became so for a node. For a
 * node of at most 1,000 versions every change of the answer is looked at, and `flips` is complete;
 * beyond that the search takes it that the answer changed once.
 *
 * Before the root the answer is no, so that the first commit can be the one found. A node that has
 * not been in memory yet does not count as absent.
 *
 * @throws {TypeError} If the question is not exactly one of the four.
 * @throws {MnemError} `invalid_ref` if the answer at `good` is yes already, or `good` or `bad` name no
 * commit of one line; `not_found` if the answer at `bad` is no, or the node was never in memory.
 *
 * @example
 * ```ts
 * import { openStore } from "@mnem/core";
 * import { remember, whenDid } from "@mnem/agents";
 *
 * await using store = await openStore(Deno.makeTempDirSync(), { create: true });
 * await remember(store, "plan", "enterprise");
 * const { commit } = await remember(store, "plan", "pro");
 * await remember(store, "seats", 240);
 * const found = await whenDid(store, "plan", { equals: "pro" });
 * if (found.commit.id !== commit) throw new Error("the second commit made it so");
 * ```
 */
export async function whenDid<T = Json>(
  store: Branch,
  id: string,
  question: Question<T>,
): Promise<WhenDidResult<T>> {
  const answer = answerOf(question);
  const end = await store.at(question.bad);
  const line = await newest(end, id, VERSIONS_WALKED_MAX + 1);
  const good = question.good === undefined
    ? null
    : await store.at(question.good);
  if (good !== null && answer(await good.node(id))) {
    throw new MnemError(
      "invalid_ref",
      `Cannot say when node ${
        JSON.stringify(id)
      } became so: it already was at ${
        JSON.stringify(question.good)
      }, good must be a commit where it was not`,
    );
  }
  requireYesAtEnd(id, end, line, answer);
  const flips = line.length > VERSIONS_WALKED_MAX
    ? null
    : flipsOf(await versionsAfter(good, id, line), answer, good !== null);
  const found = await store.bisect(
    async (memory) => answer(await memory.node(id)),
    {
      good: flips === null
        ? lastNoOf(line, answer) ?? question.good
        : flips.lastNo ?? question.good,
      bad: flips?.firstYes ?? end.commit?.id,
    },
  );
  const at = await store.at(found.commit.id);
  const blame = await at.node(id) === null ? null : await at.blame<T>(id);
  if (flips === null) return { ...found, flipsComplete: false, blame };
  return {
    ...found,
    flips: flips.firstYes === undefined ? [found.commit.id] : flips.all,
    flipsComplete: true,
    blame,
  };
}

/** Makes the yes-or-no question about a node. */
function answerOf<T>(question: Question<T>): Answer {
  if (typeof question !== "object" || question === null) {
    throw new TypeError("Cannot say when: the question must be an object");
  }
  const { equals, absent, present, matches } = question;
  const given = [equals, absent, present, matches].filter((part) =>
    part !== undefined
  );
  if (given.length !== 1) {
    throw new TypeError(
      `Cannot say when: exactly one of equals, absent, present and matches must be given, not ${given.length}`,
    );
  }
  if (matches !== undefined) return answerOfPredicate(matches);
  if (equals !== undefined) {
    const content = checkContent(equals, "equals");
    return (node) => node !== null && sameContent(node.content, content);
  }
  if ((absent ?? present) !== true) {
    throw new TypeError(
      "Cannot say when: absent and present must be true or left out",
    );
  }
  return absent ? (node) => node === null : (node) => node !== null;
}

function answerOfPredicate<T>(
  matches: (node: MemoryNode<T> | null) => boolean,
): Answer {
  if (typeof matches !== "function") {
    throw new TypeError("Cannot say when: matches must be a function");
  }
  return (node) => {
    // The caller says what its nodes hold, as for `recall<T>`.
    const answer: unknown = matches(node as MemoryNode<T> | null);
    if (typeof answer === "boolean") return answer;
    throw new TypeError("Cannot say when: matches must return true or false");
  };
}

async function newest(
  memory: Snapshot,
  id: string,
  limit: number,
): Promise<NodeVersion[]> {
  const line: NodeVersion[] = [];
  for await (const version of memory.versions(id, { firstParent: true })) {
    line.push(version);
    if (line.length === limit) break;
  }
  return line;
}

function requireYesAtEnd(
  id: string,
  end: Snapshot,
  line: readonly NodeVersion[],
  answer: Answer,
): void {
  const [last] = line;
  const at = end.commit?.id ?? "the start";
  if (last === undefined) {
    throw new MnemError(
      "not_found",
      `Cannot say when node ${
        JSON.stringify(id)
      } became so: it was never in memory up to ${at}`,
    );
  }
  if (answer(last.node)) return;
  const until = line.findIndex((version) => answer(version.node));
  const hint = until > 0
    ? `it was until ${
      line[until - 1]?.commit.id
    }, bad must be a commit before that`
    : "bad must be a commit where it is";
  throw new MnemError(
    "not_found",
    `Cannot say when node ${
      JSON.stringify(id)
    } became so: it is not so at ${at}; ${hint}`,
  );
}

/** The versions that came after a commit, newest first; all of them if none is given. */
async function versionsAfter(
  good: Snapshot | null,
  id: string,
  line: readonly NodeVersion[],
): Promise<readonly NodeVersion[]> {
  const [known] = good === null ? [] : await newest(good, id, 1);
  if (known === undefined) return line;
  const end = line.findIndex((version) =>
    version.commit.id === known.commit.id
  );
  return end < 0 ? line : line.slice(0, end);
}

/** The latest commit known to answer no: a search from there does not meet the time before the node. */
function lastNoOf(
  line: readonly NodeVersion[],
  answer: Answer,
): ObjectId | undefined {
  return line.find(({ node }) => !answer(node))?.commit.id;
}

interface Flips {
  /** Every commit whose answer differs from its first parent's, oldest first. */
  readonly all: readonly ObjectId[];
  /** The first of them with the answer yes; undefined if the answer never was no. */
  readonly firstYes: ObjectId | undefined;
  /** The one before it, with the answer no. */
  readonly lastNo: ObjectId | undefined;
}

function flipsOf(
  line: readonly NodeVersion[],
  answer: Answer,
  afterGood: boolean,
): Flips {
  const [oldest] = line.slice(-1);
  const inRoot = oldest?.commit.parents.length === 0;
  const yesAtFirst = !afterGood && !inRoot && answer(null);
  const all: ObjectId[] = [];
  let before = yesAtFirst;
  for (const { commit, node } of line.toReversed()) {
    const now = answer(node);
    if (now !== before) all.push(commit.id);
    before = now;
  }
  const first = yesAtFirst ? 1 : 0;
  return { all, firstYes: all[first], lastNo: all[first - 1] };
}
