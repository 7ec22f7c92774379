/**
 * What is said on standard error while something takes longer than a second.
 *
 * @module
 */

import type { Call } from "./command.ts";

/**
 * Does some work, and says every second how long it takes: on a terminal in one line that is wiped at
 * the end, elsewhere in a new line after 1, 2, 4, 8 seconds and so on, but nothing where a program
 * reads. `what` may count what is done.
 */
export async function withProgress<T>(
  { io, report }: Call,
  what: (seconds: number) => string,
  work: () => Promise<T>,
): Promise<T> {
  const { stderr } = io;
  if (report.isJson && !stderr.isTerminal) return await work();
  let seconds = 0;
  let nextLine = 1;
  let wrote: Promise<void> = Promise.resolve();
  const say = (text: string) => {
    // A closed standard error is no reason to stop the work.
    wrote = wrote.then(() => stderr.write(text)).catch(() => {});
  };
  const stop = io.everySecond(() => {
    seconds += 1;
    const text = `mnem: ${what(seconds)}`;
    if (stderr.isTerminal) return say(`\r${text}\u001b[K`);
    if (seconds < nextLine) return;
    nextLine *= 2;
    say(`${text}\n`);
  });
  try {
    return await work();
  } finally {
    stop();
    if (stderr.isTerminal && seconds > 0) say("\r\u001b[K");
    await wrote;
  }
}
