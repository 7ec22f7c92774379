/**
 * A store that is open: the current branch, and all refs.
 *
 * @module
 */

import { checkBranchName } from "../object/branch_name.ts";
import type { Commit, ObjectId } from "../object/commit.ts";
import { commitOf } from "../storage/commit_row.ts";
import type { Position } from "../storage/head.ts";
import { BranchView } from "./branch_view.ts";
import { checkOptions, checkSignal } from "./check_options.ts";
import {
  createBranch,
  createBranchAt,
  deleteBranch,
  findPosition,
  listBranches,
  switchHead,
} from "./refs.ts";
import { resolveRevision } from "./resolve_revision.ts";
import type { Session } from "./session.ts";
import { StoreStage } from "./store_stage.ts";
import type { Branch, Revision, Stage, Store } from "./surface.ts";
import type { VerifyOptions, VerifyReport } from "./verify/report.ts";
import { verifyStore } from "./verify_store.ts";

/** A handle on a store. It follows the store's HEAD, or is on a branch of its own. */
export class OpenedStore extends BranchView implements Store {
  /** Where the store lies: an absolute path, or a URL. */
  readonly location: string;
  /** Changes kept aside until they are committed. */
  readonly stage: Stage;
  readonly #session: Session;
  readonly #at: { position: Position };

  /** Opens a handle at a position. */
  constructor(session: Session, location: string, position: Position) {
    const at = { position };
    super(session, () => at.position);
    this.location = location;
    this.stage = new StoreStage(session, () => at.position);
    this.#session = session;
    this.#at = at;
  }

  /** The session of a store. Throws a TypeError for what this copy of the package did not open. */
  static sessionOf(store: Store): Session {
    if (typeof store === "object" && store !== null && #session in store) {
      return store.#session;
    }
    throw new TypeError(
      "Cannot use the store: it must be one that openStore of this package gave",
    );
  }

  /** The version of the store's format. */
  get formatVersion(): number {
    return this.#session.shared.meta.format;
  }

  /** The full id of the commit that a revision names. */
  async resolve(revision: Revision): Promise<ObjectId> {
    return (await this.readCommit(revision)).id;
  }

  /** The commit that a revision names. */
  async readCommit(revision: Revision): Promise<Commit> {
    return await this.#session.run(async (store) =>
      commitOf(await resolveRevision(store, this.#at.position, revision))
    );
  }

  /** Branch names to commit ids, in name order. */
  async branches(): Promise<Map<string, ObjectId>> {
    return await this.#session.run(listBranches);
  }

  /** Makes a branch at a revision, or at HEAD. `conflict` if it exists at another commit. */
  async createBranch(
    name: string,
    options: { readonly at?: Revision | undefined } = {},
  ): Promise<void> {
    checkBranchName(name);
    const { at } = checkOptions(options);
    const { position } = this.#at;
    await this.#session.run(async (store) => {
      if (at === undefined) return await createBranchAt(store, position, name);
      const row = await resolveRevision(store, position, at);
      await createBranch(store, { name, at: row });
    });
  }

  /** Removes a branch; its commits stay. Tells whether it existed. `conflict` for the one HEAD is on. */
  async deleteBranch(name: string): Promise<boolean> {
    return await this.#session.run((store) => deleteBranch(store, name));
  }

  /** Moves the store's HEAD, or, of a handle opened with a branch, the handle only. */
  async switchTo(target: Revision): Promise<void> {
    const { position } = this.#at;
    await this.#session.run(async (store) => {
      // To where it is already, as in git: a branch is not left for its commit.
      if (target === "HEAD") return;
      if (position.on === "head") await switchHead(store, target);
      else this.#at.position = await findPosition(store, position, target);
    });
  }

  /** Another branch, HEAD untouched; `invalid_ref` at the first call if it does not exist. */
  on(branch: string): Branch {
    const position: Position = { on: "branch", name: checkBranchName(branch) };
    return new BranchView(this.#session, () => position);
  }

  /** Checks every id, link and row, and names what is wrong. Changes nothing. */
  async verify(options: VerifyOptions = {}): Promise<VerifyReport> {
    const { signal } = checkOptions(options);
    checkSignal(signal);
    return await this.#session.run((store) => verifyStore(store, signal));
  }

  /** Ends the handle and every view of it, once what they began has ended. */
  async close(): Promise<void> {
    await this.#session.close();
  }

  /** Ends the handle: for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
