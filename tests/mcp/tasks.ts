/**
 * Ten things that a person asks of an agent, and the calls that do them. Each can be told from the
 * list of tools alone, by somebody who has read nothing else.
 *
 * `<name>` in a text stands for what an earlier call kept under that name.
 *
 * @module
 */

/** One call of a tool. */
export interface Call {
  readonly tool: string;
  readonly args: Arguments;
  /** Values of the result to be kept: a name, and the field that it is of. */
  readonly keep?: { readonly [name: string]: string };
  /** What must come back; of objects at least these fields. */
  readonly shows?: unknown;
  /** The result has no field of that name. */
  readonly lacks?: string;
  /** It must fail, with this code. */
  readonly code?: string;
}

/** The arguments of a call. */
export type Arguments = { readonly [name: string]: unknown };

/** What a person says, and what is to be done. */
export interface Task {
  /** In a person's words. */
  readonly said: string;
  /** What memory holds before, as the calls that made it so. */
  readonly given: readonly Call[];
  /** The calls that do it. */
  readonly calls: readonly Call[];
  /** Calls by which one sees that it is done. */
  readonly seen?: readonly Call[];
}

const CUSTOMERS = Array.from(
  { length: 60 },
  (_, index) => `customer/${String(index).padStart(2, "0")}/plan`,
);

/** The tasks. */
export const TASKS: readonly Task[] = [
  {
    said:
      "It is noon on 1 December 2026, UTC. Ticket 4711 told us at noon yesterday that Alice " +
      "moved to the pro plan. Note that as customer/alice/plan, unless it is noted already.",
    given: [
      remember("customer/bob/plan", "team", { source: "contract 12" }),
    ],
    calls: [
      {
        tool: "recall",
        args: { id: "customer/alice/plan" },
        shows: { result: null },
      },
      {
        tool: "remember",
        args: {
          id: "customer/alice/plan",
          content: "pro",
          source: "ticket 4711",
          event_time: 1_796_040_000_000,
        },
        shows: { changes: { "customer/alice/plan": "added" } },
      },
    ],
    seen: [
      {
        tool: "recall",
        args: { query: "alice" },
        shows: {
          result: [{
            id: "customer/alice/plan",
            provenance: { source: "ticket 4711" },
            event_time: 1_796_040_000_000,
          }],
        },
      },
    ],
  },
  {
    said: "Why do you think that the plan is pro?",
    given: [
      remember("plan", "enterprise", { source: "contract 17" }),
      {
        ...remember("plan", "pro", {
          observation: "billing note 8842: pro from May",
          step: "step-31",
        }),
        keep: { note: "commit" },
      },
      remember("seats", 240),
    ],
    calls: [
      {
        tool: "why",
        args: { id: "plan" },
        shows: {
          commit: "<note>",
          node: {
            content: "pro",
            provenance: {
              observation: "billing note 8842: pro from May",
              agent_step: "step-31",
            },
          },
        },
      },
    ],
  },
  {
    said: "When did the budget become 0?",
    given: [
      remember("budget", 500),
      {
        ...remember("budget", 0, { source: "sheet, row 17" }),
        keep: { zeroed: "commit" },
      },
      remember("seats", 240),
    ],
    calls: [
      {
        tool: "when_did",
        args: { id: "budget", equals: 0 },
        shows: {
          commit: "<zeroed>",
          flips: ["<zeroed>"],
          flips_complete: true,
          blame: { node: { provenance: { source: "sheet, row 17" } } },
        },
      },
    ],
  },
  {
    said: "What did memory say about the seats before commit <raised>?",
    given: [
      { ...remember("seats", 100), keep: { first: "commit" } },
      { ...remember("seats", 240), keep: { raised: "commit" } },
      remember("seats", 250),
    ],
    calls: [
      {
        tool: "recall_at",
        args: { commit: "<raised>~1", id: "seats" },
        shows: { result: { content: 100 }, as_of: "<first>" },
      },
    ],
  },
  {
    said:
      "Read how many seats there are and set them to 250, but only if nobody changed them " +
      "since you read them.",
    given: [remember("seats", 240)],
    calls: [
      {
        tool: "recall",
        args: { id: "seats" },
        keep: { read: "as_of" },
        shows: { result: { content: 240 } },
      },
      {
        tool: "revise",
        args: { id: "seats", content: 250, base: "<read>" },
        shows: { changes: { seats: "modified" } },
      },
    ],
    seen: [
      // Now somebody did: the same call is refused.
      {
        tool: "revise",
        args: { id: "seats", content: 260, base: "<read>" },
        code: "conflict",
      },
      {
        tool: "recall",
        args: { id: "seats" },
        shows: { result: { content: 250 } },
      },
    ],
  },
  {
    said: "Forget Bob's phone number; it is customer/bob/phone.",
    given: [
      remember("customer/bob/plan", "team"),
      {
        ...remember("customer/bob/phone", "555-0100"),
        keep: { had: "commit" },
      },
    ],
    calls: [
      {
        tool: "forget",
        args: { id: "customer/bob/phone" },
        shows: { changes: { "customer/bob/phone": "removed" } },
      },
    ],
    seen: [
      {
        tool: "recall",
        args: { prefix: "customer/bob/" },
        shows: { result: [{ id: "customer/bob/plan" }] },
      },
      {
        tool: "recall_at",
        args: { commit: "<had>", id: "customer/bob/phone" },
        shows: { result: { content: "555-0100" } },
      },
    ],
  },
  {
    said: "List all ids that begin with customer/.",
    given: [
      remember("contract", 17),
      {
        tool: "remember_many",
        args: { items: CUSTOMERS.map((id) => ({ id, content: "team" })) },
      },
      remember("seats", 240),
    ],
    calls: [
      {
        tool: "recall",
        args: { prefix: "customer/" },
        keep: { more: "next_cursor" },
        shows: { result: CUSTOMERS.slice(0, 50).map((id) => ({ id })) },
      },
      {
        tool: "recall",
        args: { prefix: "customer/", cursor: "<more>" },
        shows: { result: CUSTOMERS.slice(50).map((id) => ({ id })) },
        lacks: "next_cursor",
      },
    ],
  },
  {
    said:
      "Note these three together, all from the kickoff call: project/deadline is 2027-01-15, " +
      "project/budget is 40000, project/lead is Dana.",
    given: [remember("project/name", "Apollo")],
    calls: [
      {
        tool: "remember_many",
        args: {
          items: [
            {
              id: "project/deadline",
              content: "2027-01-15",
              source: "kickoff call",
            },
            { id: "project/budget", content: 40_000, source: "kickoff call" },
            { id: "project/lead", content: "Dana", source: "kickoff call" },
          ],
        },
        keep: { noted: "commit" },
        shows: {
          changes: {
            "project/deadline": "added",
            "project/budget": "added",
            "project/lead": "added",
          },
        },
      },
    ],
    seen: [
      because("project/budget", "<noted>", 40_000, "kickoff call"),
      because("project/lead", "<noted>", "Dana", "kickoff call"),
    ],
  },
  {
    said:
      "A while ago you made a commit that says read the billing note. It made the plan pro; " +
      "what else did it change?",
    given: [
      remember("plan", "enterprise"),
      {
        tool: "remember_many",
        args: {
          items: ["plan", "discount"].map((id) => ({ id, content: "pro" })),
          summary: "read the billing note",
        },
        keep: { misread: "commit" },
      },
      remember("seats", 240),
    ],
    calls: [
      {
        tool: "history",
        args: {},
        shows: {
          result: [
            { message: "remember seats" },
            { message: "read the billing note", id: "<misread>" },
            { message: "remember plan" },
          ],
        },
      },
      {
        tool: "whats_new",
        args: { commit: "<misread>" },
        shows: { result: { discount: "added", plan: "modified" } },
      },
    ],
  },
  {
    said:
      "The discount that you know is wrong: contract 17 says 15. Correct it, and say where it " +
      "comes from.",
    given: [
      {
        ...remember("discount", 10, { source: "sales" }),
        keep: { old: "commit" },
      },
    ],
    calls: [
      {
        tool: "revise",
        args: { id: "discount", content: 15, source: "contract 17" },
        keep: { corrected: "commit" },
        shows: { changes: { discount: "modified" } },
      },
    ],
    seen: [
      because("discount", "<corrected>", 15, "contract 17"),
      {
        tool: "recall_at",
        args: { commit: "<old>", id: "discount" },
        shows: { result: { content: 10, provenance: { source: "sales" } } },
      },
    ],
  },
];

function remember(id: string, content: unknown, rest: Arguments = {}): Call {
  return { tool: "remember", args: { id, content, ...rest } };
}

/** Asks why, and finds that commit, and the source of what it wrote. */
function because(
  id: string,
  commit: string,
  content: unknown,
  source: string,
): Call {
  const node = { content, provenance: { source } };
  return { tool: "why", args: { id }, shows: { commit, node } };
}
