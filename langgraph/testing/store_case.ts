/**
 * A rule for stores, and the program that shows whether a store keeps it.
 *
 * @module
 */

import type { BaseStore } from "@langchain/langgraph-checkpoint";

/**
 * What a rule rests on. `contract`: the documentation, the types or the validation of `BaseStore`, or
 * a test of LangGraph's own. `reference`: what `InMemoryStore` does where those are silent.
 * `choice`: stores differ, and the rule takes the side on which nothing is lost, leaked or hidden.
 */
export type Basis = "contract" | "reference" | "choice";

/** A store under test. */
export interface Subject {
  /** Empty at the start of a case. */
  readonly store: BaseStore;
  /**
   * Moves the store's clock on, so that the next write has a later time. False when nobody told how:
   * then times are only held to not going back.
   */
  tick(): Promise<boolean>;
}

/** One rule. */
export interface StoreCase {
  /** Stable: the topic and a name, such as `search/prefix-is-by-label`. */
  readonly id: string;
  /** What the rule is about: the first part of the id. */
  readonly topic: string;
  /** The rule, as a sentence. */
  readonly rule: string;
  /** What it rests on. */
  readonly basis: Basis;
  /** A public thread in which users met a store that breaks it. */
  readonly seen?: string;
  /** Rejects when the store breaks the rule. */
  run(subject: Subject): Promise<void>;
}

/** The rules of a topic, by their names. */
export function topic(
  name: string,
  cases: { readonly [name: string]: Omit<StoreCase, "id" | "topic"> },
): readonly StoreCase[] {
  return Object.entries(cases).map(([key, one]) => ({
    ...one,
    id: `${name}/${key}`,
    topic: name,
  }));
}
