/**
 * The states of an export that are flat: those of commits that came so, and, for an implementation
 * that knows no trees, all of them.
 *
 * @module
 */

import { MnemError } from "../errors.ts";
import type { ObjectId } from "../object/commit.ts";
import { shortOf } from "../object/graph_commit.ts";
import { toHex } from "../object/hex.ts";
import type { FlatImage } from "../state/flat_image.ts";
import { ByteCache } from "../storage/byte_cache.ts";
import type { CommitRow } from "../storage/commit_row.ts";
import { planningGround } from "../store/plan_chain.ts";
import { imageOf, type PlanningGround } from "../store/plan_commit.ts";
import type { SharedStore } from "../store/shared_store.ts";
import { tagOf } from "./export_tags.ts";
import type { Sorter } from "./sorter.ts";

/** Bytes of flat states that are kept, since most differ little from that of a parent. */
const IMAGES_KEPT_BYTES = 16 * 1024 * 1024;

/** A walk over commits, parents before children, that gathers flat states. */
export class FlatWalk {
  readonly #ground: PlanningGround;
  readonly #objects: Sorter;

  /** Walks over commits of a store; `objects` takes their states. */
  constructor(
    store: Pick<SharedStore, "reader" | "flats" | "meta">,
    objects: Sorter,
  ) {
    const flats = new ByteCache<FlatImage>(IMAGES_KEPT_BYTES);
    this.#ground = { ...planningGround(store), flats };
    this.#objects = objects;
  }

  /** Takes a commit; returns the id of its flat state. */
  async take(row: CommitRow): Promise<ObjectId> {
    const image = await this.#imageOf(row);
    const id = toHex(image.id);
    if (row.form === "flat" && id !== row.commit.state) {
      throw new MnemError(
        "corrupt_store",
        `Cannot export the store: the state of commit ${row.commit.id} is ${id}, must be ${row.commit.state}`,
      );
    }
    this.#objects.add(image.id, tagOf("state"), image.bytes);
    return id;
  }

  async #imageOf(row: CommitRow): Promise<FlatImage> {
    const { flats, reader } = this.#ground;
    const { commit, root, changes } = row;
    const [first] = commit.parents;
    const parent = first === undefined || changes === null
      ? null
      : await reader.commit(shortOf(first));
    const edits = (changes ?? []).map(({ id, object }) => ({
      id,
      node: object === null ? null : { object, bytes: null },
    }));
    const image = await imageOf(this.#ground, parent, { root, edits });
    flats.set(commit.state, image, image.bytes.length * 2);
    return image;
  }
}
