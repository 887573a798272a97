import process from 'node:process';
import { setFlagsFromString } from 'node:v8';

const BUDGET = '--interrupt-budget=';
/** Half of V8's own: what a program does for requests is optimised after half as many of them. */
const AT_WORK = `${BUDGET}33792`;

/**
 * Ends the patience that V8 has at a start: it optimises late, since what a start runs often is mostly not run again, and
 * what comes from here on is (decision 0189). A program that was started without that flag keeps V8's own budget.
 *
 * @param startFlags of Node, with which this process was started.
 */
export function endStartPatience(
  startFlags: readonly string[] = process.execArgv,
  setFlag: (flag: string) => void = setFlagsFromString,
): void {
  if (startFlags.some((flag) => flag.startsWith(BUDGET))) setFlag(AT_WORK);
}
