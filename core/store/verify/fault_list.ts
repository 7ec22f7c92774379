/**
 * The faults found so far, each told once.
 *
 * @module
 */

import { isMnemError, type MnemError } from "../../errors.ts";
import type { VerifyFault, VerifyFaultCode } from "./report.ts";

/** Collects faults. */
export class FaultList {
  readonly #faults: VerifyFault[] = [];
  readonly #told = new Set<string>();

  /** All of them, in the order in which they were found. */
  get all(): readonly VerifyFault[] {
    return this.#faults;
  }

  /** Adds a fault, unless the same was told of the same thing; `about` is that thing, else the text. */
  add(code: VerifyFaultCode, what: string, about: string = what): void {
    const name = `${code} ${about}`;
    if (this.#told.has(name)) return;
    this.#told.add(name);
    this.#faults.push({ code, what });
  }

  /** Reads something that damage may have made unreadable: null then, and a fault that says where. */
  attempt<T>(
    where: string,
    read: () => T,
    code: VerifyFaultCode = "row",
  ): T | null {
    try {
      return read();
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.addError(where, error, code);
      return null;
    }
  }

  /** Adds what a reader said of damage. */
  addError(
    where: string,
    error: MnemError,
    code: VerifyFaultCode = "row",
  ): void {
    const isLater = error.code === "format_version";
    this.add(
      isLater ? "version" : code,
      `${where} cannot be read: ${error.message}`,
    );
  }
}

/** Whether an error tells of what is stored, and not of the way to it. */
export function isDamage(error: unknown): error is MnemError {
  return isMnemError(error, "corrupt_store") ||
    isMnemError(error, "format_version");
}
