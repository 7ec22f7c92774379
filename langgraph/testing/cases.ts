/**
 * All rules, in the order of their topics.
 *
 * @module
 */

import { BATCH_CASES } from "./batch_cases.ts";
import { CONCURRENCY_CASES } from "./concurrency_cases.ts";
import { COPY_CASES } from "./copy_cases.ts";
import { FILTER_CASES } from "./filter_cases.ts";
import { DELETE_CASES, GET_CASES, PUT_CASES } from "./item_cases.ts";
import { KEY_CASES } from "./key_cases.ts";
import { LIST_CASES } from "./list_cases.ts";
import { NAMESPACE_CASES } from "./namespace_cases.ts";
import { OPERATOR_CASES } from "./operator_cases.ts";
import { PAGE_CASES } from "./page_cases.ts";
import { QUERY_CASES } from "./query_cases.ts";
import { ORDER_CASES, SEARCH_CASES } from "./search_cases.ts";
import type { StoreCase } from "./store_case.ts";
import { TIME_CASES } from "./time_cases.ts";
import { VALUE_CASES } from "./value_cases.ts";

/** Every rule that {@linkcode storeConformance} holds a store to. */
export const STORE_CASES: readonly StoreCase[] = [
  ...GET_CASES,
  ...PUT_CASES,
  ...DELETE_CASES,
  ...NAMESPACE_CASES,
  ...KEY_CASES,
  ...VALUE_CASES,
  ...COPY_CASES,
  ...BATCH_CASES,
  ...CONCURRENCY_CASES,
  ...SEARCH_CASES,
  ...ORDER_CASES,
  ...PAGE_CASES,
  ...FILTER_CASES,
  ...OPERATOR_CASES,
  ...QUERY_CASES,
  ...LIST_CASES,
  ...TIME_CASES,
];
