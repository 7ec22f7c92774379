/**
 * Every bound of the store, in one place, each with its unit and its reason.
 *
 * @module
 */

/** A node id, in UTF-8 bytes: enough for a path or a URL, small enough that a thousand fit into one atomic write. */
export const NODE_ID_BYTES_MAX = 1_024;
/** Encoded content of one node. */
export const CONTENT_BYTES_MAX = 8 * 1024 * 1024;
/** Nesting of content: what the reference accepts. */
export const CONTENT_DEPTH_MAX = 127;
/** One field of provenance, in UTF-8 bytes. */
export const PROVENANCE_FIELD_BYTES_MAX: number = 64 * 1024;
/** A commit's message, in UTF-8 bytes. */
export const MESSAGE_BYTES_MAX = 64 * 1024;
/** A commit's author, in UTF-8 bytes. */
export const AUTHOR_BYTES_MAX = 4 * 1024;
/** A branch name, in UTF-8 bytes: it is a part of a key. */
export const BRANCH_NAME_BYTES_MAX = 1_000;
/** A request key, in UTF-8 bytes: enough for a few ids in a row. */
export const REQUEST_KEY_BYTES_MAX = 256;
/** Rows that hold what a branch keeps of requests with keys: a key has its row, so that one is read and set. */
export const REQUEST_ROWS = 64;
/** Requests kept in one of them, the oldest leaves first: a branch keeps 4,096, and a row stays below 6 KB. */
export const REQUESTS_IN_ROW_MAX = 64;
/** Changes in one commit. */
export const COMMIT_CHANGES_MAX = 100_000;
/** The shortest prefix that names a commit, in hex digits. */
export const ID_PREFIX_DIGITS_MIN = 4;

/** Entries up to which a state is one flat object; above, it is a tree (FORMAT.md, "State"). */
export const FLAT_ENTRIES_MAX = 1_024;

/** A value longer than this is split into pieces. KV refuses values over 65,536 bytes. */
export const ROW_VALUE_BYTES_MAX = 60_000;
/** A pointer to the pieces of a value that claims more bytes is broken. */
export const SPLIT_VALUE_BYTES_MAX: number = 1024 * 1024 * 1024;
/** KV refuses a longer value. */
export const KV_VALUE_BYTES_MAX = 65_536;
/** KV Connect and the npm client refuse more checks in one atomic write. */
export const ATOMIC_CHECKS_MAX = 10;
/** KV refuses more mutations in one atomic write. */
export const ATOMIC_MUTATIONS_MAX = 1_000;
/** KV refuses an atomic write of more bytes: values + 2 * keys set + keys deleted + keys checked. */
export const ATOMIC_BYTES_MAX = 819_200;
/** The native client refuses more bytes of keys being set in one atomic write. */
export const ATOMIC_KEY_BYTES_MAX = 81_920;
/** KV refuses a longer encoded key. */
export const KEY_BYTES_MAX = 2_048;
/** KV refuses more keys in one getMany. */
export const GET_MANY_KEYS_MAX = 10;
/** The npm client uses at most this batch size when it lists. */
export const LIST_BATCH_ROWS_MAX = 500;

/** Where a chain of queued commits is cut, so that one atomic write holds it with room to spare. */
export const GROUP_BYTES_MAX = 700_000;
/** See {@linkcode GROUP_BYTES_MAX}. */
export const GROUP_MUTATIONS_MAX = 900;
/** Above any of these a commit is written in several atomic writes, the ref last. */
export const SINGLE_WRITE_NODES_MAX = 700;
/** See {@linkcode SINGLE_WRITE_NODES_MAX}. */
export const SINGLE_WRITE_BYTES_MAX = 700_000;
/** See {@linkcode SINGLE_WRITE_NODES_MAX}. */
export const SINGLE_WRITE_KEY_BYTES_MAX = 80_000;
/** Size of one part of a bulk commit's chunks, in bytes. */
export const PACK_PART_BYTES_MAX = 16_384;
/** A ref row carries copies of its commit's meta block and root chunk up to this size, in bytes. */
export const REF_ROW_BYTES_MAX = 16_384;
/** A commit row lists its changes up to this many, and this many bytes. */
export const CHANGE_LIST_ENTRIES_MAX = 64;
/** See {@linkcode CHANGE_LIST_ENTRIES_MAX}. */
export const CHANGE_LIST_BYTES_MAX = 8_192;

/** The path of a store's file, in UTF-8 bytes: SQLite refuses over 504, and adds suffixes of its own. */
export const PATH_BYTES_MAX = 480;

/** How long one write contends before it answers `busy`, in milliseconds. */
export const COMMIT_BUDGET_MS = 5_000;
/** First and last upper bound of the random wait between two attempts, in milliseconds. */
export const BACKOFF_MS_MIN = 2;
/** See {@linkcode BACKOFF_MS_MIN}. */
export const BACKOFF_MS_MAX = 50;
/** How long one storage call may take before it counts as lost, in milliseconds. */
export const STORAGE_CALL_MS_MAX = 10_000;

/** Bytes that each cache of an open store may hold. */
export const CHUNK_CACHE_BYTES_MAX = 32 * 1024 * 1024;
/** See {@linkcode CHUNK_CACHE_BYTES_MAX}. */
export const COMMIT_CACHE_BYTES_MAX = 8 * 1024 * 1024;
/** See {@linkcode CHUNK_CACHE_BYTES_MAX}. */
export const NODE_CACHE_BYTES_MAX = 16 * 1024 * 1024;

/** Versions of one node that `whenDid` walks for a complete list of flips. */
export const VERSIONS_WALKED_MAX = 1_000;
/** A page of any list, in bytes of compact JSON. */
export const PAGE_BYTES_MAX = 60_000;
/** Pairs of array items that a diff of two contents compares; arrays beyond that are paired by position. */
export const DIFF_PAIRS_MAX = 4_000_000;
