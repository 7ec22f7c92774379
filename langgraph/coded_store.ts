/**
 * The calls that LangGraph's own base makes of a batch, which it checks before.
 *
 * @module
 */

import { BaseStore } from "@langchain/langgraph-checkpoint";
import { withCode } from "./argument_error.ts";

/** A store whose every refusal of an argument carries its code, also where the base refuses it. */
export abstract class CodedStore extends BaseStore {
  /** Returns an item, null if there is none. */
  override get(
    ...given: Parameters<BaseStore["get"]>
  ): ReturnType<BaseStore["get"]> {
    return withCode(() => super.get(...given));
  }

  /** Returns the items of a namespace and those below it that pass a filter, 10 unless `limit` says otherwise. */
  override search(
    ...given: Parameters<BaseStore["search"]>
  ): ReturnType<BaseStore["search"]> {
    return withCode(() => super.search(...given));
  }

  /** Puts an item, in one commit, or none if that changes nothing. */
  override put(
    ...given: Parameters<BaseStore["put"]>
  ): ReturnType<BaseStore["put"]> {
    return withCode(() => super.put(...given));
  }

  /** Deletes an item, in one commit; one that is not there is no error. */
  override delete(
    ...given: Parameters<BaseStore["delete"]>
  ): ReturnType<BaseStore["delete"]> {
    return withCode(() => super.delete(...given));
  }

  /** Lists the namespaces that hold items, 100 unless `limit` says otherwise. */
  override listNamespaces(
    ...given: Parameters<BaseStore["listNamespaces"]>
  ): ReturnType<BaseStore["listNamespaces"]> {
    return withCode(() => super.listNamespaces(...given));
  }
}
