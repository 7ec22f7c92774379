/**
 * The store of this project keeps every rule of its own kit, without a deviation.
 *
 * @module
 */

import { storeConformance } from "@mnem/langgraph/testing";
import { kvSubject } from "../support/kit_subjects.ts";

storeConformance(kvSubject());
