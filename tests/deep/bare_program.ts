/**
 * A program that prints one line: the floor of how fast another one can be.
 *
 * @module
 */

import process from "node:process";

process.stdout.write("mnem 0.0.0\n");
