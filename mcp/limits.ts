/**
 * Bounds of the server, each with its unit and its reason.
 *
 * @module
 */

/** One inbound frame: room for a content of the largest size, escaped. */
export const FRAME_BYTES_MAX = 32 * 1024 * 1024;
/** What is read of standard input at once, in bytes: nearly every frame is shorter. */
export const INPUT_READ_BYTES: number = 8 * 1024;
/** Nesting of a frame: that of content, 127, and of the message around it. */
export const FRAME_DEPTH_MAX = 140;
/** Nesting down to which a frame that cannot be read is looked into for the id to answer: a parser without a limit would take gigabytes. */
export const FRAME_LOOK_DEPTH_MAX = 1_000;
/** How long the end of input waits for the next answer of a call in flight, and an end of any kind for the next write of the output, in milliseconds. */
export const DRAIN_MS_MAX = 5_000;
/** Calls in flight at which no more is read, until some are answered: each holds its frame. */
export const CALLS_IN_FLIGHT_MAX = 1_024;
/** Answers that the client does not take at which no more is read, in UTF-16 units. */
export const OUTPUT_UNITS_MAX = 64 * 1024 * 1024;
/** Log that nobody reads at which more is left out, in bytes. */
export const LOG_BACKLOG_BYTES_MAX = 256 * 1024;
/** The longest text of the log, in UTF-16 units: a message can quote a whole frame. */
export const LOG_UNITS_MAX = 8 * 1024;
/** How long the end of the program waits for its log to be read, in milliseconds. */
export const LOG_FLUSH_MS_MAX = 500;
/** The longest message of a protocol error, in UTF-16 units: the SDK quotes names and URIs whole. */
export const FAULT_UNITS_MAX = 1_000;
/** What an answer may add to the entries of a page: names, commits and cursors, in bytes. */
export const ANSWER_BYTES = 4_000;
/** The part of a page that the list of changes may take where nodes follow it. */
export const CHANGES_BYTES_MAX = 20_000;
/** Flips that `when_did` lists: 67 bytes each, so that they fit into a page. */
export const FLIPS_MAX = 800;
/** Changes of a page where no limit is asked for. */
export const CHANGES_ENTRIES_DEFAULT = 50;
/** How long a client may keep a list of tools or resources, in milliseconds. */
export const LISTS_TTL_MS = 60 * 60 * 1000;
/** How long a client may keep a commit, which never changes, in milliseconds: the longest it would. */
export const COMMIT_TTL_MS = 24 * 60 * 60 * 1000;
/** How often the head is looked at while somebody watches a resource, in milliseconds: twice in the 500 within which a change is told. */
export const WATCH_PAUSE_MS = 250;
/** Entries of a page of tools, resources, templates or prompts. */
export const LIST_ENTRIES_MAX = 100;
/** Values of a completion: what the protocol allows. */
export const COMPLETION_VALUES_MAX = 100;
/** The latest commits that a completion looks through. */
export const COMPLETION_COMMITS_MAX = 1_000;
/** An argument of a prompt, which repeats it: room for a node id of the longest kind. */
export const PROMPT_ARGUMENT_CHARACTERS_MAX = 1_024;
/** Memory of the process, in bytes, that it takes to start and to hold a small store: it is never looked through for garbage. */
export const RESIDENT_BYTES_FREE: number = 120 * 1024 * 1024;
/** What the process may grow by, in bytes, before garbage is collected: full caches and this stay below 200 MB. */
export const RESIDENT_GROWTH_BYTES: number = 24 * 1024 * 1024;
/** Answers between two looks at the memory of the process: it takes 65 microseconds, and a call may leave megabytes. */
export const ANSWERS_BETWEEN_LOOKS = 16;
