/**
 * A store on a server. One file for all: the addon of the npm client ends the whole process now and then
 * where several of those that test at once have loaded it.
 *
 * @module
 */

import "./failures_cases.ts";
import "./remote_cases.ts";
import "./rounds_cases.ts";
